// @ts-check
/** Finding the parts of the page, and making new ones. Words enter as text only. */

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function part(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no ${kind.name} called ${id}`);
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className
 * @param {...(Node | string)} children
 */
export function make(tag, className, ...children) {
  const node = document.createElement(tag);
  node.className = className;
  node.append(...children);
  return node;
}

/** @param {string} className @param {string} label @param {() => void} onClick */
export function makeButton(className, label, onClick) {
  const button = make("button", className, label);
  button.type = "button";
  button.addEventListener("click", onClick);
  return button;
}

/** Drawn in the colour of the words around it, and silent. @param {string} path */
export function makeIcon(path) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS(svg.namespaceURI, "path");
  line.setAttribute("d", path);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.ariaHidden = "true";
  svg.append(line);
  return svg;
}

const announcer = part("announcer", HTMLElement);
const alarm = part("alarm", HTMLElement);

/** Read out by a screen reader once, when it next pauses. @param {string} words */
export function announce(words) {
  readOut(announcer, words);
}

/** Read out at once: somebody has to answer. @param {string} words */
export function announceNow(words) {
  readOut(alarm, words);
}

/** @param {HTMLElement} region @param {string} words */
function readOut(region, words) {
  region.append(make("p", "", words));
  while (region.childElementCount > 3) region.firstElementChild?.remove();
}
