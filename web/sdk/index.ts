/** Everything a program needs to talk with Sayso. */
export { type News, type Options, Sayso, type TurnStyle } from "./client.ts";
export { Door, devicePocket, type Pocket, type Ticket, tabPocket } from "./door.ts";
export { Link, type LinkListener, type LinkState } from "./link.ts";
export { type Device, devices, Mic, type MicListener, type MicState } from "./mic.ts";
export { Onset } from "./onset.ts";
export { Outbox, type Waiting } from "./outbox.ts";
export { Sound } from "./sound.ts";
export { type Position, Speaker, type SpeakerListener } from "./speaker.ts";
export { type Trouble, type TroubleKind, trouble } from "./trouble.ts";
export type * from "./wire.ts";
export { newEventId, parse, personWords } from "./wire.ts";
