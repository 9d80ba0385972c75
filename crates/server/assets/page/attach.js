// @ts-check
/**
 * Files that go with the next words: picked, or dropped on the page. They are
 * handed over at once, and named when the words are sent. What was refused says why
 * until somebody has read it.
 *
 * @typedef {{ name: string, id?: string, isDropped?: boolean }} File_
 */

import { announce, makeButton, part } from "./parts.js";
import { authorization } from "./sign_in.js";

const UPLOAD = "/chat/attachment/upload";
const FILES = "/chat/attachment/";

const picker = part("picker", HTMLInputElement);
const tray = part("tray", HTMLElement);

/** @type {File_[]} */
let files = [];
/** What was refused, and why. @type {string[]} */
let refusals = [];
/** Those that are on their way. @type {Set<Promise<void>>} */
const underWay = new Set();

function draw() {
  tray.hidden = files.length === 0 && refusals.length === 0;
  tray.replaceChildren(
    ...files.map((file) => makeButton("text-button", file.id ? `${file.name} ×` : `${file.name} …`, () => drop(file))),
    ...refusals.map((why) => makeButton("text-button refusal", `${why} ×`, () => dismiss(why))),
  );
}

/** Takes a file back, also from the server. @param {File_} file */
function drop(file) {
  file.isDropped = true;
  files = files.filter((other) => other !== file);
  draw();
  if (file.id) void takeBack(file.id);
}

/** @param {string} id */
async function takeBack(id) {
  try {
    await fetch(FILES + id, { method: "DELETE", headers: authorization() });
  } catch {
    // Nobody is there; the file stays until its person deletes it.
  }
}

/** @param {string} why */
function dismiss(why) {
  refusals = refusals.filter((other) => other !== why);
  draw();
}

/** @param {string} words */
function complain(words) {
  refusals = [...refusals.filter((other) => other !== words), words];
  draw();
  announce(words);
}

/** @param {globalThis.File} picked */
async function handOver(picked) {
  /** @type {File_} */
  const file = { name: picked.name };
  files = [...files, file];
  draw();
  const form = new FormData();
  form.append("file", picked, picked.name);
  try {
    const answer = await fetch(UPLOAD, { method: "POST", body: form, headers: authorization() });
    const told = await answer.json();
    if (!answer.ok) throw new Error(told?.error?.message ?? "it was not taken");
    file.id = told.file_id;
    if (file.isDropped) void takeBack(told.file_id);
    draw();
  } catch (error) {
    files = files.filter((other) => other !== file);
    if (!file.isDropped) complain(`${picked.name}: ${error instanceof Error ? error.message : "it was not taken"}`);
    draw();
  }
}

/** @param {Iterable<globalThis.File>} picked */
function handOverAll(picked) {
  for (const one of picked) {
    const upload = handOver(one).finally(() => underWay.delete(upload));
    underWay.add(upload);
  }
}

/** What is on its way, until it is here or refused; nothing where nothing is. */
export function uploads() {
  return underWay.size === 0 ? null : Promise.allSettled(underWay);
}

/** The ids of what is there, once; the tray is empty afterwards. */
export function takeAttached() {
  const ids = files.flatMap((file) => (file.id ? [file.id] : []));
  files = files.filter((file) => !file.id);
  refusals = [];
  draw();
  return ids;
}

part("attach", HTMLButtonElement).addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
  handOverAll(picker.files ?? []);
  picker.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  handOverAll(event.dataTransfer?.files ?? []);
});
