/** A wire and a pocket that are made up, for tests. */

type Frame = { event_type: string; payload: Record<string, unknown> };

/** A server that answers pings. */
export class Socket {
  static readonly OPEN = 1;
  static last: Socket;
  /** What a new one says before it answers. */
  static greets: object[] = [];
  readonly frames: (Frame | "sound")[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  readonly address: string;

  constructor(address: URL) {
    this.address = address.href;
    Socket.last = this;
    queueMicrotask(() => {
      this.readyState = Socket.OPEN;
      this.onopen?.();
    });
  }

  send(data: string | ArrayBuffer): void {
    if (typeof data !== "string") return void this.frames.push("sound");
    const frame = JSON.parse(data) as Frame;
    this.frames.push(frame);
    const server_ts = new Date().toISOString();
    if (frame.event_type !== "session.ping") return;
    queueMicrotask(() => {
      for (const envelope of Socket.greets) this.tell(envelope);
      this.tell({ event_type: "session.pong", payload: { server_ts } });
    });
  }

  tell(envelope: object): void {
    this.onmessage?.({ data: JSON.stringify(envelope) });
  }

  close(): void {
    this.readyState = 3;
  }

  /** What was sent, without what only keeps the connection. */
  get said(): string[] {
    const names = this.frames.map((one) => (one === "sound" ? one : one.event_type));
    return names.filter((name) => !name.startsWith("session."));
  }
}

/** Holds what is put into it for as long as the test lasts. */
export const pocket = (value = "") => ({
  read: () => value,
  write: (next: string) => {
    value = next;
  },
});
