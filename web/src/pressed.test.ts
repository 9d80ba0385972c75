/** A press counts once. */
import { expect, test } from "vitest";
import { Pressed } from "./pressed.ts";

const LEO = { text: "Leo" };

test("a second click says nothing, also on what has come under the finger meanwhile", () => {
  const pressed = new Pressed();

  expect(pressed.isMeant("Leo", 1000, [], false)).toBe(true);
  expect(pressed.isMeant("Leo", 1200, [], false)).toBe(false);
  expect(pressed.isMeant("Wrong person", 1200, [], false)).toBe(false);
  expect(pressed.isMeant("Wrong person", 2000, [], false)).toBe(true);
});

test("while a choice waits to be heard there is no other, and once it is refused there is", () => {
  const pressed = new Pressed();
  pressed.isMeant("Leo", 1000, [], false);

  expect(pressed.isMeant("Leo", 9000, [LEO], false)).toBe(false);
  expect(pressed.isMeant("Dana", 9000, [LEO], false)).toBe(false);
  expect(pressed.isMeant("Dana", 9000, [{ ...LEO, problem: "Not sent" }], false)).toBe(true);
});

test("what is being worked on is not asked for again; something else is", () => {
  const pressed = new Pressed();
  pressed.isMeant("Leo", 1000, [], false);

  expect(pressed.isMeant("Leo", 9000, [], true)).toBe(false);
  expect(pressed.isMeant("Dana", 9000, [], true)).toBe(true);
});
