/**
 * Who is it? A key is shown to buy tickets with; it never stands in an address. It
 * is kept where its owner says, for this tab unless told otherwise.
 */

/** Where a key lies between two visits. */
export type Pocket = { read(): string; write(value: string): void };

export type Ticket =
  | { kind: "open" } // nobody asked who it is
  | { kind: "ticket"; ticket: string }
  | { kind: "refused" }; // the key opens nothing

export class Door {
  readonly #base: string;
  readonly #pocket: Pocket;

  constructor(base: string, pocket: Pocket) {
    this.#base = base;
    this.#pocket = pocket;
  }

  get hasKey(): boolean {
    return this.#pocket.read() !== "";
  }

  keep(key: string): void {
    this.#pocket.write(key);
  }

  /** What a request shows, where there is a key. */
  get headers(): Record<string, string> {
    const key = this.#pocket.read();
    return key ? { Authorization: `Bearer ${key}` } : {};
  }

  /** A request to the server, with the key where there is one. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    for (const [name, value] of Object.entries(this.headers)) headers.set(name, value);
    return fetch(new URL(path, this.#base), { cache: "no-store", ...init, headers });
  }

  /** What opens one socket. Fails when the server cannot be reached. */
  async ticket(): Promise<Ticket> {
    if (!this.hasKey) return { kind: "open" };
    const answer = await this.#ask();
    if (answer.status === 401) {
      this.keep("");
      return { kind: "refused" };
    }
    if (!answer.ok) throw new Error(`no ticket: ${answer.status}`);
    const { ticket } = (await answer.json()) as { ticket: string };
    return { kind: "ticket", ticket };
  }

  /** Whether the server wants a key that we do not have. */
  async isAsked(): Promise<boolean> {
    if (this.hasKey) return false;
    try {
      return (await this.#ask()).status === 401;
    } catch {
      return false;
    }
  }

  #ask(): Promise<Response> {
    return this.fetch("/chat/ticket", { method: "POST" });
  }
}

/** This tab's own storage; where that is forbidden, for as long as the page is open. */
export const tabPocket = (name: string) => pocketIn(() => sessionStorage, name);

/** This device's: the same in every tab, and there when all of them were closed. */
export const devicePocket = (name: string) => pocketIn(() => localStorage, name);

function pocketIn(storage: () => Storage, name: string): Pocket {
  let held = "";
  return {
    read() {
      try {
        return storage().getItem(name) ?? held;
      } catch {
        return held;
      }
    },
    write(value) {
      held = value;
      try {
        if (value) storage().setItem(name, value);
        else storage().removeItem(name);
      } catch {
        // It is held here.
      }
    },
  };
}
