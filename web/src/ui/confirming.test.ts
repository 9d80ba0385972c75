/** Why a card stands there again after it was changed in place, and which keys answer it. */
import { expect, test } from "vitest";
import { keysOf } from "./confirming.ts";
import { secondLook } from "./editing.ts";

function meant(pressed: Partial<KeyboardEvent>, isEditing = false): string[] {
  const did: string[] = [];
  const press = keysOf({
    isEditing,
    accept: () => did.push("accept"),
    reject: () => did.push("reject"),
    edit: () => did.push("edit"),
    back: () => did.push("back"),
  });
  const event = { key: "", code: "", preventDefault() {}, stopPropagation() {}, ...pressed };
  press(event as unknown as KeyboardEvent);
  return did;
}

test("a letter alone answers nothing; yes, no and edit need a second key", () => {
  expect(["y", "n", "e", "Y", "Enter"].flatMap((key) => meant({ key }))).toEqual([]);
  expect(meant({ key: "Enter", ctrlKey: true })).toEqual(["accept"]);
  expect(meant({ key: "Backspace", altKey: true })).toEqual(["reject"]);
  expect(meant({ key: "e", code: "KeyE", altKey: true })).toEqual(["edit"]);
});

test("in the fields of a card only Save and Esc are keys", () => {
  expect(meant({ key: "Backspace", altKey: true }, true)).toEqual([]);
  expect(meant({ key: "Escape" }, true)).toEqual(["back"]);
  expect(meant({ key: "Enter", metaKey: true }, true)).toEqual(["accept"]);
});

test("a card that comes back only because of what was changed says so", () => {
  expect(secondLook(["attendees"], ["attendees"])).toMatch(/^Your change needs a second look/);
  expect(secondLook(["start", "end"], ["end", "start"])).toMatch(/^Your change needs a second look/);
});

test("where more is different than what was changed, that is what it says", () => {
  expect(secondLook(["attendees", "location"], ["attendees"])).toMatch(/something besides your change/);
});
