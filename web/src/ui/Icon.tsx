/** Line icons, drawn with one stroke each. They never carry meaning alone. */

const PATHS = {
  mail: "M4 6h16v12H4zm0 1 8 6 8-6",
  event: "M5 6h14v14H5zm0 5h14M9 3v5m6-5v5",
  memory: "M7 4h10v16l-5-4-5 4z",
  lines: "M6 4h12v16H6zm3 5h6m-6 4h6",
  menu: "M4 7h16M4 12h16M4 17h10",
  plus: "M12 5v14M5 12h14",
  mic: "M12 3.5a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5v3",
  micOff:
    "M4 4l16 16M9 9v2.5a3 3 0 0 0 4.6 2.5M15 11V6.5a3 3 0 0 0-5.8-1M5.5 11a6.5 6.5 0 0 0 10 5.5M18.5 11a6.4 6.4 0 0 1-.6 2.7M12 17.5v3",
  send: "M12 19V5m-6 6 6-6 6 6",
  stop: "M7 7h10v10H7z",
  copy: "M9 9h10v11H9zM6 15H5V4h10v1",
  check: "m5 12.5 4.5 4.5L19 7.5",
  replay: "M5 5v5h5M5.6 10A7 7 0 1 1 5 14",
  edit: "M5 19h4L19 9l-4-4L5 15zM13 7l4 4",
  more: "M5 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM12 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2zM19 11a1 1 0 1 1 0 2 1 1 0 0 1 0-2z",
  close: "M6 6l12 12M18 6 6 18",
  down: "m6 9 6 6 6-6",
  right: "m9 6 6 6-6 6",
  settings: "M4 8h10M18 8h2M4 16h2M10 16h10M16 6v4M8 14v4",
  brain:
    "M12 5a3.5 3.5 0 0 0-6.5 2A3.5 3.5 0 0 0 5 13.5 3.5 3.5 0 0 0 9 19a3 3 0 0 0 3-2zm0 0a3.5 3.5 0 0 1 6.5 2 3.5 3.5 0 0 1 .5 6.5A3.5 3.5 0 0 1 15 19a3 3 0 0 1-3-2z",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.5v.01",
  cloud: "M7 18a4 4 0 0 1-.5-8A6 6 0 0 1 18 9.5a4.3 4.3 0 0 1-.5 8.5z",
  chip: "M8 8h8v8H8zM10 5v3m4-3v3m-4 8v3m4-3v3M5 10h3m-3 4h3m8-4h3m-3 4h3",
  picture: "M4 5h16v14H4zm0 11 5-5 4 4 3-3 4 4M15.5 9v.01",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  info: "M12 8v.01M12 11v5M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  warn: "M12 4 21 20H3zM12 10v4M12 17v.01",
  clock: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 7v5l3 2",
  download: "M12 4v11m-5-4 5 5 5-5M5 20h14",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  speaker: "M4 10v4h4l5 4V6L8 10zM16.5 9a4 4 0 0 1 0 6M19 6.5a8 8 0 0 1 0 11",
  gauge: "M4 17a8 8 0 1 1 16 0M12 17l4-5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.7"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Sayso's own mark: a spoken yes. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        fill="var(--accent)"
        d="M10 3h12a8 8 0 0 1 8 8v6a8 8 0 0 1-8 8h-7l-7 5v-5.4A8 8 0 0 1 2 17v-6a8 8 0 0 1 8-8z"
      />
      <path
        fill="none"
        stroke="var(--on-accent)"
        stroke-width="3"
        stroke-linecap="round"
        stroke-linejoin="round"
        d="m10.5 14.5 4 4 7.5-8"
      />
    </svg>
  );
}
