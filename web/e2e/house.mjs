/** A server of its own for each scenario: the real binary, sample data, a folder that goes away. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BINARY = process.env.SAYSO_BIN ?? "../target/debug/sayso";
const ASSETS = process.env.SAYSO_ASSETS ?? "../assets";
const PATIENCE_MS = 60_000;

export class House {
  #process = null;
  folder = mkdtempSync(join(tmpdir(), "sayso-e2e-"));
  port = 0;
  #settings;

  /** `settings` are lines of the configuration. */
  constructor({ settings = "" } = {}) {
    this.#settings = settings;
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
    this.#process = spawn(BINARY, args, { stdio: "ignore" });
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      const ready = await fetch(`${this.url}readyz`).catch(() => null);
      if (ready?.ok) return this;
      await new Promise((go) => setTimeout(go, 100));
    }
    throw new Error(`${BINARY} did not get ready`);
  }

  /** A command of the binary on this house's data; what it printed. */
  run(...args) {
    return execFileSync(BINARY, [...args, "--data", join(this.folder, "data")], {
      encoding: "utf8",
      stdio: "pipe",
    }).trim();
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

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** The server's own voice as a recording. */
export function spoken(words, file) {
  execFileSync(BINARY, ["speak", words, "--out", file, "--assets", ASSETS], { stdio: "ignore" });
  return file;
}
