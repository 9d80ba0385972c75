/** What a program hears and sends, over a wire and a sound card that are made up. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sayso } from "./client.ts";
import { pocket, Socket } from "./pretend.ts";

/** Plays nothing; says that it fell silent when it is asked to. */
class Player {
  static readonly made: Player[] = [];
  readonly port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    close() {},
    postMessage: (order: { do?: string; id?: number }) => {
      if (order.do !== "cut") return;
      const data = { told: "cut", id: order.id, message: "m1", heardMs: 300 };
      setTimeout(() => this.port.onmessage?.({ data }), 5);
    },
  };

  constructor() {
    Player.made.push(this);
  }

  connect(): void {}
}

class Context extends EventTarget {
  state = "running";
  sampleRate = 48_000;
  audioWorklet = { addModule: async () => undefined };
  createMediaStreamDestination() {
    return { stream: {} };
  }
  createMediaStreamSource() {
    return { connect() {}, disconnect() {} };
  }
}

class FakeAudio {
  paused = true;
  async play(): Promise<void> {
    this.paused = false;
  }
}

const track = { stop() {}, label: "Desk" };
const stream = { getTracks: () => [track], getAudioTracks: () => [track] };

beforeEach(() => {
  vi.useFakeTimers();
  Player.made.length = 0;
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("AudioWorkletNode", Player);
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("Audio", FakeAudio);
  vi.stubGlobal("navigator", { mediaDevices: { getUserMedia: async () => stream } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function live() {
  const pockets = { key: pocket(), session: pocket("s1"), thread: pocket("t1"), outbox: pocket() };
  const sayso = new Sayso({ url: "http://localhost/", pockets });
  sayso.connect();
  await vi.advanceTimersByTimeAsync(10);
  return sayso;
}

/** Sayso is in the middle of a message. */
async function speaking() {
  const sayso = await live();
  await sayso.speaker.unlock();
  const chunk = { pcm16_b64: btoa("\0\0"), start_ms: 0, duration_ms: 900, text_start: 0, text_end: 9 };
  for (const [event_type, payload] of Object.entries({
    "assistant_audio.start": { sample_rate: 24_000 },
    "assistant_audio.chunk": chunk,
  }))
    Socket.last.tell({ event_type, payload, message_id: "m1", session_id: "s1", epoch: 1 });
  expect(sayso.speaker.isPlaying).toBe(true);
  return sayso;
}

test("what works is told to stop, also where new words cut the voice at the same time", async () => {
  const sayso = await speaking();

  void sayso.interrupt("turn_1");
  sayso.say("No, Friday");
  await vi.advanceTimersByTimeAsync(200);

  expect(Socket.last.said).toContain("user.interrupt");
});

test("whoever lets go while the connection is away is still heard to the end", async () => {
  const sayso = await live();
  sayso.style("hold");
  await sayso.talk();
  const capture = Player.made[0];
  const hear = () => capture?.port.onmessage?.({ data: { pcm: new ArrayBuffer(2), loudest: 0.1 } });
  sayso.begin();
  hear();
  Socket.last.onclose?.({ code: 1006 });
  hear();
  sayso.end();

  await vi.advanceTimersByTimeAsync(2000);

  expect(sayso.link.state).toBe("live");
  expect(Socket.last.said).toEqual(["sound", "audio.end"]);
  sayso.hush();
});
