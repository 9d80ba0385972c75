/** Why there is no sound, and the one thing to do about it. */

export type TroubleKind =
  | "insecure_context"
  | "denied"
  | "denied_by_system"
  | "no_device"
  | "device_in_use"
  | "device_gone"
  | "silent_input"
  | "no_frames"
  | "worklet_failed"
  | "unknown";

export type Trouble = { kind: TroubleKind; words: string; device?: string };

const WORDS: Record<TroubleKind, string> = {
  insecure_context: "Microphones need https or localhost. Start Sayso with --tls, or open it at http://localhost:8787.",
  denied: "The microphone is blocked for this page. Allow it beside the address, then press the button again.",
  denied_by_system: "Your system keeps the microphone from this browser. Allow it in its privacy settings.",
  no_device: "No microphone was found. Connect one, or type.",
  device_in_use: "Another program is using the microphone. Close it there, then press the button again.",
  device_gone: "That microphone is gone. The usual one is used instead.",
  silent_input: "Nothing comes from the microphone. Is it muted, or another one meant?",
  no_frames: "Nothing comes from the microphone. Choose another one, or type.",
  worklet_failed: "This browser cannot handle live sound here. Typing works.",
  unknown: "The microphone could not be opened. Typing works.",
};

export function trouble(kind: TroubleKind, device?: string): Trouble {
  return { kind, words: WORDS[kind], device };
}

/** What a browser's refusal means. */
export function troubleOf(error: unknown): Trouble {
  const { name, message } = error instanceof Error ? error : { name: "", message: "" };
  switch (name) {
    case "NotAllowedError":
    case "SecurityError":
      return trouble(/system/i.test(message) ? "denied_by_system" : "denied");
    case "NotFoundError":
      return trouble("no_device");
    case "NotReadableError":
    case "AbortError":
      return trouble("device_in_use");
    case "OverconstrainedError":
      return trouble("device_gone");
    default:
      return trouble("unknown");
  }
}
