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

const announcer = part("announcer", HTMLElement);

/** Read out by a screen reader once, when it next pauses. @param {string} words */
export function announce(words) {
  announcer.append(make("p", "", words));
  while (announcer.childElementCount > 3) announcer.firstElementChild?.remove();
}
