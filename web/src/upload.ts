/** Hands one file over: how far it is, and what came of it. */
import type { Door } from "../sdk/index.ts";

/** A file that does not get any further for so long is given up. */
const STALLED_MS = 30_000;
const TOO_LARGE = 413;

/** Only the older kind of request tells how far an upload is. */
export function upload(
  door: Door,
  file: File,
  moved: (share: number) => void,
): { done: Promise<string>; stop(): void } {
  const request = new XMLHttpRequest();
  const done = new Promise<string>((resolve, reject) => {
    request.open("POST", "/chat/attachment/upload");
    for (const [name, value] of Object.entries(door.headers)) request.setRequestHeader(name, value);
    let timer: ReturnType<typeof setTimeout>;
    const fail = (why: string) => {
      clearTimeout(timer);
      reject(new Error(why));
    };
    const expectMore = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        fail("the server does not answer");
        request.abort();
      }, STALLED_MS);
    };
    expectMore();
    request.upload.onprogress = ({ loaded, total }) => {
      expectMore();
      if (total) moved(loaded / total);
    };
    request.onload = () => {
      clearTimeout(timer);
      const { id, why } = told(request);
      if (id) resolve(id);
      else fail(why);
    };
    request.onerror = () => fail("the server could not be reached");
    request.onabort = () => fail("taken back");
    const form = new FormData();
    form.append("file", file, file.name || "pasted");
    request.send(form);
  });
  return { done, stop: () => request.abort() };
}

/** What came of it. Whoever stands between us and the server answers in words of its own. */
function told({ responseText, status }: XMLHttpRequest): { id: string; why: string } {
  try {
    const { file_id = "", error } = JSON.parse(responseText) as { file_id?: string; error?: { message?: string } };
    if (file_id || error?.message) return { id: file_id, why: error?.message ?? "" };
  } catch {
    // Then its number tells as much as there is to know.
  }
  return { id: "", why: status === TOO_LARGE ? "too large for the server" : `not taken (${status})` };
}
