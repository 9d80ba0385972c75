/** Sound that comes before the server knows what it is would be a frame that it cannot read. */
import { expect, test } from "vitest";
import { END, Frames } from "./frames.ts";

function scene({ isThere = true } = {}) {
  const sent: (number | typeof END)[] = [];
  let lost = 0;
  const there = { is: isThere };
  const send = (one: ArrayBuffer | typeof END) => there.is && sent.push(one === END ? END : one.byteLength) > 0;
  const frames = new Frames(send, () => {
    lost += 1;
  });
  return { frames, sent, there, lost: () => lost };
}

const frame = (length: number) => new ArrayBuffer(length);

test("no sound goes out before the connection was told what it is, and none of it is lost", () => {
  const { frames, sent } = scene();

  frames.take(frame(1));
  frames.take(frame(2));
  expect(sent).toEqual([]);

  frames.announce(true);
  frames.take(frame(3));
  expect(sent).toEqual([1, 2, 3]);
});

test("another connection has to be told again", () => {
  const { frames, sent } = scene();
  frames.announce(true);

  frames.announce(false);
  frames.take(frame(1));
  expect(sent).toEqual([]);

  frames.announce(true);
  expect(sent).toEqual([1]);
});

test("what nobody took is kept and goes first", () => {
  const { frames, sent, there } = scene({ isThere: false });
  frames.announce(true);
  frames.take(frame(1));

  there.is = true;
  frames.announce(true);
  expect(sent).toEqual([1]);
});

test("a long wait is told once and begins anew; what was said before the microphone went off is not sent", () => {
  const { frames, sent, lost } = scene();
  for (let count = 0; count < 501; count += 1) frames.take(frame(1));
  expect(lost()).toBe(1);

  frames.take(frame(2));
  frames.drop();
  frames.announce(true);
  expect(sent).toEqual([]);
});

test("the end of what was said while nobody was there comes behind it", () => {
  const { frames, sent, there } = scene();
  frames.announce(true);
  frames.take(frame(1));
  there.is = false;
  frames.announce(false);

  frames.take(frame(2));
  frames.take(END);
  there.is = true;
  frames.announce(true);

  expect(sent).toEqual([1, 2, END]);
});
