/** Words that outlive their window. Every `page` is one that was just loaded, in a tab of its own unless told otherwise. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Left } from "./left.ts";

class Drawer {
  [name: string]: unknown;

  getItem(name: string): string | null {
    return (this[name] as string | undefined) ?? null;
  }

  setItem(name: string, value: string): void {
    this[name] = value;
  }

  removeItem(name: string): void {
    delete this[name];
  }
}

/** Locks of this device; a page that is closed lets go of its own. */
class Locks {
  readonly held = new Set<string>();

  request(name: string, ...rest: unknown[]): Promise<unknown> {
    const work = rest.at(-1) as (lock: object | null) => unknown;
    if (this.held.has(name)) return Promise.resolve(work(null));
    this.held.add(name);
    const result = work({ name });
    return Promise.resolve(result).finally(() => this.held.delete(name));
  }
}

let device: Drawer;
let locks: Locks;

beforeEach(() => {
  device = new Drawer();
  locks = new Locks();
  vi.stubGlobal("localStorage", device);
  vi.stubGlobal("navigator", { locks });
});

afterEach(() => vi.unstubAllGlobals());

function page({ key = "", tab = new Drawer() } = {}) {
  if (key) tab.setItem("sayso.key", key);
  vi.stubGlobal("sessionStorage", tab);
  const before = new Set(locks.held);
  const left = new Left();
  const [place = ""] = [...locks.held].filter((name) => !before.has(name));
  const found: string[] = [];
  return {
    left,
    found,
    look: () => left.takeUp((words) => found.push(words)),
    close: () => locks.held.delete(place),
  };
}

const WORDS = '[{"text":"Any new mail?"}]';

test("what a closed window has left is taken up by the next one, and by one alone", async () => {
  const first = page();
  first.left.write(WORDS);
  first.close();

  const [second, third] = [page(), page()];
  await Promise.all([second.look(), third.look()]);

  expect([...second.found, ...third.found]).toEqual([WORDS]);
});

test("what waits in a window that is open is left to it", async () => {
  const first = page();
  first.left.write(WORDS);

  const second = page();
  await second.look();

  expect(second.found).toEqual([]);
  expect(Object.values(device)).toEqual([WORDS]);
});

test("words are left alone by whoever opens the page with another key", async () => {
  const anna = page({ key: "sk_anna" });
  anna.left.write(WORDS);
  anna.close();

  const [nobody, ben] = [page(), page({ key: "sk_ben" })];
  await ben.look();
  vi.stubGlobal("sessionStorage", new Drawer());
  await nobody.look();
  expect([...nobody.found, ...ben.found]).toEqual([]);

  const again = page({ key: "sk_anna" });
  await again.look();
  expect(again.found).toEqual([WORDS]);
  expect(JSON.stringify(device)).not.toContain("sk_anna");
});

test("where no lock tells who is there, a page takes up what was left in its own tab", async () => {
  vi.stubGlobal("navigator", {});
  const tab = new Drawer();
  page({ tab }).left.write(WORDS);
  page().left.write(WORDS);

  const again = page({ tab });
  await again.look();

  expect(again.found).toEqual([WORDS]);
});

test("nothing is left behind by whoever signs out, of any window", async () => {
  const [tab, other] = [new Drawer(), page()];
  other.left.write(WORDS);
  other.close();
  const { left } = page({ tab });
  left.write(WORDS);

  left.wipe();

  expect([Object.keys(device), Object.keys(tab)]).toEqual([[], []]);
});
