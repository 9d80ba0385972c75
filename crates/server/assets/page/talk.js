// @ts-check
/**
 * The microphone: one button opens it, the same one closes it. While it is open,
 * Sayso listens all the time and answers aloud.
 */

import { link } from "./link.js";
import { announce, part } from "./parts.js";
import { player } from "./player.js";
import { newEventId } from "./wire.js";

/** Why there is no sound, and what to do about it. @type {Record<string, string>} */
const TROUBLE = {
  NotAllowedError: "Your browser keeps the microphone closed. Allow it for this page, then press the button again.",
  NotFoundError: "No microphone was found. Connect one, then press the button again.",
  NotReadableError: "Another program is using the microphone. Close it there, then press the button again.",
  OverconstrainedError: "That microphone is gone. Press the button again to use another one.",
};
/** What the server takes. */
const FASTEST_HZ = 48_000;
const NO_SECURE_PAGE = "Browsers open the microphone only on https or on this machine itself.";
const NO_MICROPHONE = "The microphone could not be opened.";

const button = part("mic", HTMLButtonElement);
const trouble = part("mic-trouble", HTMLElement);

/** @type {{ context: AudioContext, stream: MediaStream } | null} */
let open = null;
let isOpening = false;

export function isTalking() {
  return open !== null;
}

/** The server can hear, or cannot. @param {boolean} hears */
export function canHear(hears) {
  button.hidden = !hears;
}

/** Says what we do with sound; to be said again on every connection. */
export function greet() {
  const binary_audio = open ? { sample_rate: open.context.sampleRate, channels: 1 } : undefined;
  link.send(newEventId(), "session.hello", {
    client: "page", binary_audio, plays_audio: open !== null, cancels_echo: true,
  });
}

async function start() {
  if (!navigator.mediaDevices) return complain(NO_SECURE_PAGE);
  isOpening = true;
  draw();
  /** @type {MediaStream | undefined} */
  let stream;
  try {
    stream = await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    });
    const context = await newContext();
    await context.audioWorklet.addModule("/capture.js");
    await context.resume();
    open = { context, stream };
    player.use(context);
    greet();
    const capture = new AudioWorkletNode(context, "capture", { numberOfOutputs: 0 });
    capture.port.onmessage = ({ data }) => hand(data);
    context.createMediaStreamSource(stream).connect(capture);
    for (const track of stream.getTracks()) track.onended = stop;
    complain("");
    announce("Microphone on. Just talk.");
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    for (const track of stream?.getTracks() ?? []) track.stop();
    complain(TROUBLE[name] ?? NO_MICROPHONE);
  }
  isOpening = false;
  draw();
}

/** As the sound card likes it, unless that is faster than anybody hears. */
async function newContext() {
  const context = new AudioContext({ latencyHint: "interactive" });
  if (context.sampleRate <= FASTEST_HZ && context.sampleRate % 25 === 0) return context;
  await context.close();
  return new AudioContext({ latencyHint: "interactive", sampleRate: FASTEST_HZ });
}

function stop() {
  if (!open) return;
  for (const track of open.stream.getTracks()) track.stop();
  open.context.close();
  open = null;
  player.flush();
  link.send(newEventId(), "audio.end", { reason: "manual_stop" });
  greet();
  announce("Microphone off.");
  draw();
}

/** @param {{ pcm: ArrayBuffer, loudest: number }} heard */
function hand({ pcm, loudest }) {
  if (!open) return;
  link.sendSound(pcm);
  button.style.setProperty("--loud", Math.min(1, loudest * 3).toFixed(2));
}

/** @param {string} words */
function complain(words) {
  trouble.textContent = words;
  trouble.hidden = !words;
}

function draw() {
  button.ariaPressed = String(open !== null);
  button.ariaBusy = String(isOpening);
  button.ariaLabel = open ? "Stop talking" : "Talk";
  button.title = open ? "Stop talking" : "Talk";
  if (!open) button.style.removeProperty("--loud");
}

button.addEventListener("click", () => {
  if (open) stop();
  else if (!isOpening) start();
});
