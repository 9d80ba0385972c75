import { expect, test } from "vitest";
import type { Question } from "../../sdk/index.ts";
import { changes, checked, entriesOf, isChanged, rebase, write, writeZone } from "./editing.ts";

const event = {
  editable: [
    { name: "title", label: "What", kind: "text" },
    { name: "start", label: "Starts", kind: "time" },
    { name: "end", label: "Ends", kind: "time" },
    { name: "attendees", label: "With", kind: "people" },
  ],
  payload: {
    title: "Lunch",
    start: "2026-11-19T12:00:00-08:00[America/Los_Angeles]",
    end: "2026-11-19T13:00:00-08:00[America/Los_Angeles]",
    attendees: ["tom@okafor.example"],
  },
} as unknown as Question;

test("nothing touched is nothing changed", () => {
  expect(changes(entriesOf(event))).toEqual({});
});

test("what would be lost is known, also where it cannot be sent as it is", () => {
  const entries = entriesOf(event);

  expect(isChanged(entries)).toBe(false);
  expect(isChanged(write(entries, "start", ""))).toBe(true);
  expect(isChanged(writeZone(entries, "Europe/Berlin"))).toBe(true);
  expect(isChanged(write(write(entries, "title", "Tea"), "title", "Lunch"))).toBe(false);
});

test("moving the start moves the end along, in the zone of the card", () => {
  const moved = write(entriesOf(event), "start", "2026-11-19T15:30");

  expect(changes(moved)).toEqual({
    start: "2026-11-19T15:30:00-08:00[America/Los_Angeles]",
    end: "2026-11-19T16:30:00-08:00[America/Los_Angeles]",
  });
});

test("what is wrong is said beside its field", () => {
  const wrong = checked(write(write(entriesOf(event), "attendees", "tom@okafor.example, nobody"), "title", " "));

  expect(wrong.map(({ problem }) => problem)).toEqual(["This can’t be empty.", "", "", "“nobody” is not an address."]);
});

test("an end before its start is refused", () => {
  const wrong = checked(write(entriesOf(event), "end", "2026-11-19T11:00"));

  expect(wrong.find(({ field }) => field.name === "end")?.problem).toBe("It must end after it starts.");
});

test("names around an address do not matter", () => {
  const named = write(entriesOf(event), "attendees", "Tom Okafor <tom@okafor.example>; ana@example.com");

  expect(changes(named)).toEqual({ attendees: ["tom@okafor.example", "ana@example.com"] });
});

test("what was changed elsewhere shows where nothing was written here", () => {
  const written = write(entriesOf(event), "title", "Long lunch");
  const elsewhere = { ...event, payload: { ...event.payload, title: "Dinner", attendees: [] } };

  const based = rebase(written, elsewhere);

  expect(based.map(({ text }) => text)).toEqual(["Long lunch", "2026-11-19T12:00", "2026-11-19T13:00", ""]);
});

test("another zone means the same times on its clocks, start and end together", () => {
  const elsewhere = writeZone(entriesOf(event), "Europe/Berlin");

  expect(changes(elsewhere)).toEqual({
    start: "2026-11-19T12:00:00+01:00[Europe/Berlin]",
    end: "2026-11-19T13:00:00+01:00[Europe/Berlin]",
  });
  expect(changes(writeZone(elsewhere, "America/Los_Angeles"))).toEqual({});
});

test("people stand below each other, one a line", () => {
  const two = { ...event, payload: { ...event.payload, attendees: ["tom@okafor.example", "ana@example.com"] } };

  expect(entriesOf(two).at(-1)?.text).toBe("tom@okafor.example\nana@example.com");
  expect(changes(entriesOf(two))).toEqual({});
});
