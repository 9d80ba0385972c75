import { expect, test } from "vitest";
import { actOf, caps, pressedOf, rebind } from "./shortcuts.ts";

const keys = (code: string, held: Partial<Record<"altKey" | "ctrlKey" | "metaKey", boolean>>) => ({
  code,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  ...held,
});

test("a key does what it did, until it is given to something else", () => {
  const pressed = pressedOf(keys("KeyM", { altKey: true }), false);
  expect(actOf(pressed, {})).toBe("mute");

  const changed = rebind("mute", "Alt+KeyS", {});
  expect(changed).toEqual({ mute: "Alt+KeyS" });
  expect(actOf(pressed, { mute: "Alt+KeyS" })).toBeNull();
  expect(actOf("Alt+KeyS", { mute: "Alt+KeyS" })).toBe("mute");
});

test("a key that is taken says by what", () => {
  expect(rebind("mute", "Alt+KeyC", {})).toEqual({ taken: "card" });
});

test("the usual key again leaves no trace", () => {
  expect(rebind("mute", "Alt+KeyM", { mute: "Alt+KeyS" })).toEqual({});
});

test("a letter alone, or the Alt key alone, is no shortcut", () => {
  expect(pressedOf(keys("KeyM", {}), false)).toBe("");
  expect(pressedOf(keys("AltLeft", { altKey: true }), false)).toBe("");
});

test("a Mac has its own keys for them", () => {
  expect(pressedOf(keys("KeyM", { altKey: true }), true)).toBe("");
  expect(pressedOf(keys("KeyM", { altKey: true, ctrlKey: true }), true)).toBe("Alt+KeyM");
  expect(caps("Alt+KeyM", true)).toEqual(["Ctrl", "⌥", "M"]);
});
