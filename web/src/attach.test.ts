import { afterEach, expect, test, vi } from "vitest";
import type { Door } from "../sdk/index.ts";
import { calledBy, pictureOf, Tray, Trays, wordsToSend } from "./attach.ts";

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

/** An upload that is answered as the test says, or never. */
class Request {
  static last: Request;
  status = 0;
  responseText = "";
  upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null } = { onprogress: null };
  onload: (() => void) | null = null;
  onabort: (() => void) | null = null;

  constructor() {
    Request.last = this;
  }

  open(): void {}
  send(): void {}

  abort(): void {
    this.onabort?.();
  }

  answer(status: number, text: string): void {
    this.status = status;
    this.responseText = text;
    this.onload?.();
  }
}

async function handOver() {
  vi.useFakeTimers();
  vi.stubGlobal("XMLHttpRequest", Request);
  const tray = new Tray({ headers: {} } as Door);
  tray.add([new File(["words"], "lease.txt")]);
  await vi.dynamicImportSettled();
  return tray;
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a file that somebody before the server refuses says why, and nobody waits for it", async () => {
  const tray = await handOver();
  const { coming } = tray;

  Request.last.answer(413, "<html>413 Request Entity Too Large</html>");

  expect(await coming).toBe("lease.txt: too large for the server");
  expect(tray.files.value.map(({ problem }) => problem)).toEqual(["too large for the server"]);
  expect(tray.coming).toBeNull();
});

test("a file that nobody answers about is given up, and one that gets further is not", async () => {
  const tray = await handOver();
  const { coming } = tray;

  await vi.advanceTimersByTimeAsync(20_000);
  Request.last.upload.onprogress?.({ loaded: 1, total: 5 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tray.files.value.map(({ problem }) => problem)).toEqual([""]);

  await vi.advanceTimersByTimeAsync(10_000);
  expect(await coming).toBe("lease.txt: the server does not answer");
});

test("a file that is taken has its name, and nothing is wrong with it", async () => {
  const tray = await handOver();
  const { coming } = tray;

  Request.last.answer(200, JSON.stringify({ file_id: "file_1" }));

  expect(await coming).toBe("");
  expect(tray.take()).toEqual(["file_1"]);
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
