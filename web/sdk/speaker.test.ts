/** How the voice falls silent, and who hears of it. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Sound } from "./sound.ts";
import { type Position, Speaker } from "./speaker.ts";

type Order = { do: string; id?: number };

/** The far end of the port: what it was told to do, and what it says. */
class Player {
  static last: Player;
  readonly orders: Order[] = [];
  readonly port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: (order: Order) => this.orders.push(order),
  };

  constructor() {
    Player.last = this;
  }

  connect(): void {}

  tell(data: unknown): void {
    this.port.onmessage?.({ data });
  }

  get cuts(): number[] {
    return this.orders.flatMap((order) => (order.do === "cut" ? [order.id ?? 0] : []));
  }
}

const sinks: string[] = [];

class FakeAudio {
  paused = true;
  srcObject: unknown = null;

  async play(): Promise<void> {
    this.paused = false;
  }

  async setSinkId(id: string): Promise<void> {
    sinks.push(id);
  }
}

beforeEach(() => {
  sinks.length = 0;
  vi.useFakeTimers();
  vi.stubGlobal("AudioWorkletNode", Player);
  vi.stubGlobal("Audio", FakeAudio);
});

async function scene() {
  const context = Object.assign(new EventTarget(), {
    state: "running",
    createMediaStreamDestination: () => ({ stream: {} }),
  });
  const sound = { context: async () => context, made: context } as unknown as Sound;
  const stopped: Position[] = [];
  const blocked: boolean[] = [];
  const speaker = new Speaker(sound, {
    moved() {},
    stopped: (position) => stopped.push(position),
    stalled() {},
    blocked: (isBlocked) => blocked.push(isBlocked),
  });
  const unlock = async () => {
    await speaker.unlock();
    return Player.last;
  };
  return { context, speaker, stopped, blocked, unlock };
}

/** A second of it, of which so much was heard. */
function speak(speaker: Speaker, player: Player, message: string, heardMs: number): void {
  speaker.begin(message, { sample_rate: 24_000 } as Parameters<Speaker["begin"]>[1]);
  speaker.play(message, {
    pcm16_b64: btoa("\0\0".repeat(10)),
    start_ms: 0,
    duration_ms: 1000,
    text_start: 0,
    text_end: 10,
  } as Parameters<Speaker["play"]>[1]);
  player.tell({ told: "position", message, heardMs, loudest: 0.1 });
}

test("everybody who cuts the voice is told where it was", async () => {
  const { speaker, unlock, stopped } = await scene();
  const player = await unlock();
  speak(speaker, player, "m1", 400);

  const both = Promise.all([speaker.cut(), speaker.cut()]);
  player.tell({ told: "cut", id: 1, message: "m1", heardMs: 500 });

  const where = { message: "m1", heardMs: 500, heardChars: 5 };
  expect(await both).toEqual([where, where]);
  expect([player.cuts, stopped]).toEqual([[1], [where]]);
});

test("whoever cuts a voice that does not answer waits no longer than a moment", async () => {
  const { speaker, unlock } = await scene();
  speak(speaker, await unlock(), "m1", 400);

  const cut = speaker.cut();
  await vi.advanceTimersByTimeAsync(100);

  expect(await cut).toEqual({ message: "m1", heardMs: 400, heardChars: 4 });
  expect(speaker.isPlaying).toBe(false);
});

test("where the sound stands still, the voice is cut at once", async () => {
  const { context, speaker, unlock } = await scene();
  speak(speaker, await unlock(), "m1", 400);
  context.state = "suspended";

  const cut = speaker.cut();
  await vi.advanceTimersByTimeAsync(0);

  expect((await cut).heardMs).toBe(400);
});

test("a late answer to an earlier cut does not silence what is said now", async () => {
  const { speaker, unlock, stopped } = await scene();
  const player = await unlock();
  speak(speaker, player, "m1", 400);
  void speaker.cut();
  await vi.advanceTimersByTimeAsync(100);
  speak(speaker, player, "m2", 100);

  player.tell({ told: "cut", id: 1, message: "m1", heardMs: 410 });

  expect([speaker.isPlaying, stopped.length]).toEqual([true, 1]);
});

test("what is here is played to its end over a break, and told as far as it came", async () => {
  const { speaker, unlock, stopped } = await scene();
  const player = await unlock();
  speak(speaker, player, "m1", 400);

  speaker.lost();
  player.tell({ told: "position", message: "m1", heardMs: 600, loudest: 0.1 });
  player.tell({ told: "finished", message: "m1" });

  expect([player.cuts, player.orders.at(-1)]).toEqual([[], { do: "end", message: "m1" }]);
  expect(stopped).toEqual([{ message: "m1", heardMs: 600, heardChars: 6 }]);
  expect([speaker.isPlaying, speaker.isComing, speaker.has("m1")]).toEqual([false, false, false]);
});

test("sound that a call takes away is told, and that it is back", async () => {
  const { context, blocked, unlock } = await scene();
  await unlock();

  for (const state of ["interrupted", "running"]) {
    context.state = state;
    context.dispatchEvent(new Event("statechange"));
  }

  expect(blocked).toEqual([false, true, false]);
});

test("a speaker that was chosen before anything was heard is used", async () => {
  const { speaker, unlock } = await scene();
  await speaker.sendTo("kitchen");

  await unlock();

  expect(sinks).toEqual(["kitchen"]);
});
