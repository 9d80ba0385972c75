/** Debian's Chromium, headless, with nothing leaving this machine. */
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--autoplay-policy=no-user-gesture-required",
];

export function open(args = []) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: [...QUIET, ...args] });
}

/** Nobody talks before they see that the microphone is open; a file would. */
const QUIET_FIRST_S = 2;

/** A microphone that says what is in a file, once, after a moment. */
export function microphone(wav) {
  return [
    "--use-fake-device-for-media-stream",
    "--use-fake-ui-for-media-stream",
    `--use-file-for-fake-audio-capture=${quietFirst(wav)}%noloop`,
  ];
}

/** The same recording with silence before it. */
function quietFirst(wav) {
  const sound = readFileSync(wav);
  const data = sound.indexOf("data") + 8;
  const silence = Buffer.alloc(QUIET_FIRST_S * sound.readUInt32LE(28));
  const longer = Buffer.concat([sound.subarray(0, data), silence, sound.subarray(data)]);
  longer.writeUInt32LE(longer.length - 8, 4);
  longer.writeUInt32LE(longer.length - data, data - 4);
  const file = wav.replace(/\.wav$/, ".later.wav");
  writeFileSync(file, longer);
  return file;
}

/** A microphone that says something when it is told to, into a quiet room: `cue(page, wav)`. */
export function cuedMicrophone(context) {
  return context.addInitScript(() => {
    let sound = null;
    let out = null;
    const room = () => {
      const noise = new AudioBuffer({ length: sound.sampleRate, sampleRate: sound.sampleRate });
      const samples = noise.getChannelData(0);
      for (let at = 0; at < samples.length; at += 1) samples[at] = (Math.random() - 0.5) * 0.002;
      const source = new AudioBufferSourceNode(sound, { buffer: noise, loop: true });
      source.connect(out);
      source.start();
    };
    navigator.mediaDevices.getUserMedia = async () => {
      sound ??= new AudioContext({ sampleRate: 48_000 });
      out = sound.createMediaStreamDestination();
      room();
      return out.stream;
    };
    globalThis.isMicOn = () => out?.stream.getTracks().some(({ readyState }) => readyState === "live") ?? false;
    globalThis.cue = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      const buffer = await sound.decodeAudioData(bytes.buffer);
      const samples = buffer.getChannelData(0);
      const onset = samples.findIndex((sample) => Math.abs(sample) > 0.03);
      const source = new AudioBufferSourceNode(sound, { buffer });
      source.connect(out);
      source.start();
      performance.mark("e2e.onset", { startTime: performance.now() + (onset / buffer.sampleRate) * 1000 });
      return new Promise((go) => {
        source.onended = () => go();
      });
    };
  });
}

/** Remembers which answers the server has spoken to their end, and each telling from where to where. */
export function watchVoice(context) {
  return context.addInitScript(() => {
    globalThis.spokenOut = new Set();
    globalThis.tellings = [];
    const Socket = WebSocket;
    globalThis.WebSocket = class extends Socket {
      constructor(...args) {
        super(...args);
        this.addEventListener("message", ({ data }) => {
          if (typeof data !== "string" || !data.includes("assistant_audio.")) return;
          const { event_type, message_id, payload } = JSON.parse(data);
          if (event_type === "assistant_audio.start") globalThis.tellings.push({ message_id, isOver: false });
          const telling = globalThis.tellings.at(-1);
          if (event_type === "assistant_audio.end") {
            globalThis.spokenOut.add(message_id);
            if (telling) telling.isOver = true;
          }
          if (event_type !== "assistant_audio.chunk" || payload.text_start === payload.text_end) return;
          telling.from ??= payload.text_start;
          telling.to = payload.text_end;
        });
      }
    };
  });
}

/** Resolves when it has been said. */
export function cue(page, wav) {
  return page.evaluate((base64) => globalThis.cue(base64), readFileSync(wav).toString("base64"));
}

/** Whether the microphone is really on: what makes the browser's own sign light up. */
export function isMicOn(page) {
  return page.evaluate(() => globalThis.isMicOn());
}

/** Another tab is in front, or this one again. */
export function turnAway(page, isHidden) {
  return page.evaluate((hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, isHidden);
}

/** Lets a scenario hang up on the page: `comeBack(page)`. */
export function breakable(context) {
  return context.addInitScript(() => {
    const Socket = WebSocket;
    globalThis.dialled = 0;
    globalThis.WebSocket = class extends Socket {
      constructor(...args) {
        super(...args);
        globalThis.dialled += 1;
        globalThis.hangUp = () => this.close();
      }
    };
  });
}

/** Hangs up, and is there again without the patience that a real break would need: live, on another connection. */
export async function comeBack(page) {
  const before = await page.evaluate(() => {
    globalThis.hangUp();
    return globalThis.dialled;
  });
  await page.waitForFunction(
    (count) => {
      // Told before the break is noticed, it would change nothing.
      if (globalThis.dialled === count) dispatchEvent(new Event("online"));
      return globalThis.dialled > count && document.querySelector('[data-link="live"]') !== null;
    },
    before,
    { timeout: 40_000 },
  );
}
