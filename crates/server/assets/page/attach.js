// @ts-check
/**
 * Files that go with the next words: picked, or dropped on the page. They are
 * handed over at once, and named when the words are sent.
 *
 * @typedef {{ name: string, id?: string }} File_
 */

import { makeButton, part } from "./parts.js";
import { authorization } from "./sign_in.js";

const UPLOAD = "/chat/attachment/upload";

const picker = part("picker", HTMLInputElement);
const tray = part("tray", HTMLElement);

/** @type {File_[]} */
let files = [];

function draw() {
  tray.hidden = files.length === 0;
  tray.replaceChildren(
    ...files.map((file) => {
      const drop = () => {
        files = files.filter((other) => other !== file);
        draw();
      };
      return makeButton("text-button", file.id ? `${file.name} ×` : `${file.name} …`, drop);
    }),
  );
}

/** @param {string} words */
function complain(words) {
  tray.hidden = false;
  tray.append(document.createTextNode(words));
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
    draw();
  } catch (error) {
    files = files.filter((other) => other !== file);
    draw();
    complain(`${picked.name}: ${error instanceof Error ? error.message : "it was not taken"}`);
  }
}

/** The ids of what is there, once; the tray is empty afterwards. */
export function takeAttached() {
  const ids = files.flatMap((file) => (file.id ? [file.id] : []));
  files = files.filter((file) => !file.id);
  draw();
  return ids;
}

part("attach", HTMLButtonElement).addEventListener("click", () => picker.click());
picker.addEventListener("change", () => {
  for (const picked of picker.files ?? []) void handOver(picked);
  picker.value = "";
});
addEventListener("dragover", (event) => event.preventDefault());
addEventListener("drop", (event) => {
  event.preventDefault();
  for (const dropped of event.dataTransfer?.files ?? []) void handOver(dropped);
});
