/** A server of its own for each scenario: the real binary, sample data, a folder that goes away. */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const BINARY = process.env.SAYSO_BIN ?? "../target/debug/sayso";
const ASSETS = process.env.SAYSO_ASSETS ?? "../assets";
const PATIENCE_MS = 60_000;
/** So much of what a server said last is worth reading. */
const LAST_WORDS = 400;
const run = promisify(execFile);

export class House {
  #process = null;
  folder = mkdtempSync(join(tmpdir(), "sayso-e2e-"));
  #holds = join(this.folder, "holds");
  port = 0;
  #settings;
  #peril;

  /** `settings` are lines of the configuration; `peril` is where it dies, once: `before:settled:1`. */
  constructor({ settings = "", peril = "" } = {}) {
    this.#settings = settings;
    this.#peril = peril;
    mkdirSync(this.#holds);
  }

  get url() {
    return `http://127.0.0.1:${this.port}/`;
  }

  async start() {
    this.port ||= await freePort();
    const args = [
      "serve",
      "--demo",
      "--data",
      join(this.folder, "data"),
      "--assets",
      ASSETS,
      "--listen",
      `127.0.0.1:${this.port}`,
    ];
    if (this.#settings) {
      const file = join(this.folder, "sayso.toml");
      writeFileSync(file, this.#settings);
      args.push("--config", file);
    }
    const log = join(this.folder, "sayso.log");
    const fate = this.#peril ? { SAYSO_DIE_AT: this.#peril } : { SAYSO_HOLD_IN: this.#holds };
    const env = { ...process.env, ...fate };
    this.#peril = "";
    this.#process = spawn(BINARY, args, { env, stdio: ["ignore", "ignore", openSync(log, "a")] });
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until && this.#process.exitCode === null) {
      const ready = await fetch(`${this.url}readyz`).catch(() => null);
      if (ready?.ok) return this;
      await new Promise((go) => setTimeout(go, 100));
    }
    throw new Error(`${BINARY} did not get ready: ${readFileSync(log, "utf8").slice(-LAST_WORDS)}`);
  }

  /** Whenever the server comes to this moment it waits there, until it is let go. */
  hold(moment) {
    writeFileSync(join(this.#holds, moment), "");
  }

  letGo(moment) {
    rmSync(join(this.#holds, moment));
  }

  /** What it answers to a program; a body makes it a `PUT`. */
  async ask(path, body) {
    const put = { method: "PUT", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(new URL(path, this.url), body ? put : {});
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** A command of the binary on this house's data; what it printed. */
  async run(...args) {
    const { stdout } = await run(BINARY, [...args, "--data", join(this.folder, "data")]);
    return stdout.trim();
  }

  /** Resolves when it has died by itself. */
  died() {
    const { exitCode, signalCode } = this.#process;
    return exitCode !== null || signalCode ? null : new Promise((go) => this.#process.once("exit", go));
  }

  /** As a power cut would. */
  kill() {
    const { exitCode, signalCode } = this.#process ?? { exitCode: 0 };
    if (exitCode !== null || signalCode) return Promise.resolve();
    const gone = new Promise((go) => this.#process?.once("exit", go));
    this.#process?.kill("SIGKILL");
    return gone;
  }

  async leave() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const given = new Set();

/** One that no other walk has: it is free until its server takes it. */
async function freePort() {
  for (;;) {
    const port = await new Promise((resolve) => {
      const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
    });
    if (given.has(port)) continue;
    given.add(port);
    return port;
  }
}

const recordings = new Map();
const recorded = mkdtempSync(join(tmpdir(), "sayso-said-"));
process.on("exit", () => rmSync(recorded, { recursive: true, force: true }));

/** The server's own voice as a recording, made once for whoever says the same. */
export function spoken(words) {
  const made = recordings.get(words) ?? record(words, join(recorded, `${recordings.size}.wav`));
  recordings.set(words, made);
  return made;
}

async function record(words, file) {
  await run(BINARY, ["speak", words, "--out", file, "--assets", ASSETS]);
  return file;
}
