import { expect, test } from "vitest";
import { Onset } from "./onset.ts";

const FRAME_MS = 20;

/** When it changed its mind, in milliseconds, and to what. */
function heard(levels: readonly number[], voice = 0): [number, boolean][] {
  const onset = new Onset();
  return levels.flatMap((level, at): [number, boolean][] =>
    onset.hear(level, voice, at * FRAME_MS) ? [[at * FRAME_MS, onset.isTalking]] : [],
  );
}

const quiet = (frames: number) => Array<number>(frames).fill(0.004);
const speech = (frames: number) => Array<number>(frames).fill(0.2);

test("somebody who begins to talk is noticed within two frames", () => {
  expect(heard([...quiet(50), ...speech(5)])).toEqual([[50 * FRAME_MS + FRAME_MS, true]]);
});

test("a click is nobody", () => {
  expect(heard([...quiet(50), 0.9, ...quiet(50)])).toEqual([]);
});

test("it is over half a second after the last of it", () => {
  const [, over] = heard([...quiet(50), ...speech(5), ...quiet(60)]);

  expect(over).toEqual([54 * FRAME_MS + 520, false]);
});

test("a loud room is no speaker", () => {
  expect(heard(Array<number>(200).fill(0.029))).toEqual([]);
});

test("the voice itself is nobody, as far as it comes back through the room", () => {
  const leaked = [...quiet(50), ...Array<number>(20).fill(0.09)];

  expect(heard(leaked, 0.5)).toEqual([]);
  expect(heard(leaked, 0.1)).toHaveLength(1);
});
