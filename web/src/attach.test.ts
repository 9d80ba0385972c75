import { expect, test } from "vitest";
import type { Door } from "../sdk/index.ts";
import { calledBy, pictureOf, Trays, wordsToSend } from "./attach.ts";

test("a picture is called by what it shows, keeps its ending, and is never a path", () => {
  expect(calledBy("The heron, glazed", "IMG_2031.png")).toBe("The heron, glazed.png");
  expect(calledBy("before/after", "a.b.jpeg")).toBe("before-after.jpeg");
  expect(calledBy("a heron", "image")).toBe("a heron");
  expect(calledBy("  ", "IMG_2031.png")).toBe("IMG_2031.png");
  expect(calledBy("", "")).toBe("pasted file");
});

test("what is attached in one chat does not follow into another, and is there on the way back", () => {
  const trays = new Trays({} as Door);
  const names = () => trays.open.value.files.value.map(({ name }) => name);
  trays.open.value.add([new File([], "lease.txt")]);

  trays.move("thread_a", "");
  expect(names()).toEqual([]);

  trays.move("thread_b", "thread_a");
  expect(names()).toEqual(["lease.txt"]);

  trays.move("thread_a", "");
  expect(names()).toEqual([]);
});

test("files without words ask what is in them; those that were refused ask nothing", () => {
  const [good, bad] = [{ problem: "" }, { problem: "empty" }];

  expect(wordsToSend("  ", [good, bad])).toBe("What is in this?");
  expect(wordsToSend("", [good, good])).toBe("What is in these?");
  expect(wordsToSend(" Who signed it? ", [good])).toBe("Who signed it?");
  expect(wordsToSend("", [bad])).toBe("");
});

test("a picture that was sent is there to show, until everything is wiped", () => {
  const trays = new Trays({} as Door);
  const picture = URL.createObjectURL(new Blob(["heron"]));
  const one = {
    key: 1,
    name: "heron.png",
    bytes: 5,
    type: "image/png",
    progress: 1,
    id: "file_1",
    problem: "",
    picture,
  };
  trays.open.value.files.value = [one];

  expect(trays.open.value.take()).toEqual(["file_1"]);
  expect(pictureOf("file_1")).toBe(picture);

  trays.clear();
  expect(pictureOf("file_1")).toBe("");
});
