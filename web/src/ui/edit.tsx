/** Changing what stands there: the fields of a card, words that were misheard. It comes after the chat itself. */
export { ConfirmEdit } from "./ConfirmEdit.tsx";
export { Correction } from "./Correction.tsx";
export * from "./editing.ts";
