/** The texts that all views share, in English; the texts of a view are in words.js of its folder. */

/** @type {Record<string, string>} */
const LIMITS = {
  "none": "No limit",
  "bank=180,increment=2": "3 min + 2 s a move",
  "bank=300": "5 min",
  "bank=600,increment=5": "10 min + 5 s a move",
  "bank=1800": "30 min",
  "seconds=5": "5 s a move",
  "seconds=30": "30 s a move",
};

/**
 * A time limit in words: "bank=90,increment=1" is "1.5 min + 1 s a move". A bank of one increment is that of Reversi XT.
 * @param {string} limit
 */
function limitName(limit) {
  const fields = Object.fromEntries(limit.split(",").map((field) => field.split("=", 2)));
  if (fields.bank && fields.bank === fields.increment) return `${fields.bank} s a move, unused time is saved`;
  const parts = [];
  if (fields.bank) parts.push(fields.bank < 60 ? `${fields.bank} s` : `${Math.round(fields.bank / 6) / 10} min`);
  if (fields.increment) parts.push(`${fields.increment} s a move`);
  if (fields.seconds) parts.push(`${fields.seconds} s a move`);
  if (fields.depth) parts.push(`${fields.depth} moves ahead`);
  return LIMITS[limit] ?? parts.join(" + ");
}

/** @param {string} text */
function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {number} count @param {string} noun */
function counted(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export const common = {
  capital,
  counted,
  limitName,
  limits: LIMITS,

  name: "Polyversi",
  guest: "Guest",
  windowTitle: (/** @type {string} */ view) => `${view} · Polyversi`,
  skip: "Skip to the content",
  navigation: "Main",
  theme: (/** @type {string} */ now) => `Theme: ${now}`,
  themes: { system: "as the system", light: "light", dark: "dark", contrast: "high contrast" },
  loading: "Loading…",
  reconnecting: "Reconnecting…",
  close: "Close",
  cancel: "Cancel",
  copy: "Copy",
  copied: "Copied",
  copyThis: "Copy this",
  defaultValue: "default",
  optionsOf: (/** @type {string} */ name) => `Options of ${name}`,

  notFound: { title: "Not found", text: "There is nothing at this address.", play: "Play a game", watch: "Watch games" },
  problems: {
    unreachable: "The server cannot be reached. Is it still running?",
    refused: (/** @type {number} */ status) => `The server refused this (${status}).`,
    unexpected: "Something unexpected went wrong; loading the page again may help.",
    view: "This view could not be loaded. Is the server still running?",
  },
  zoom: { label: "Size of the board", in: "Larger", out: "Smaller", fit: "The whole board" },
  replay: {
    title: "Replay",
    slider: "Position",
    at: (/** @type {number} */ ply, /** @type {number} */ last) =>
      ply > 0 ? `Move ${ply} of ${last}` : last > 0 ? `Start of ${last === 1 ? "one move" : `${last} moves`}` : "Start",
    play: "Play the moves",
    pause: "Pause",
    speed: "Speed",
    speeds: { slow: "Slow", normal: "Normal", fast: "Fast", faster: "Very fast" },
    toStart: "To the start",
    back: "One move back",
    forward: "One move forward",
    toEnd: "To the last move",
  },
  record: {
    open: "Open a record file",
    opening: "Reading the file…",
    opened: (/** @type {number} */ count) => (count === 1 ? "One game was read." : `${count} games were read.`),
    games: "Games of the file",
    game: (/** @type {number} */ number) => `Game ${number}`,
  },

  help: "Keyboard shortcuts",
  shortcutGroups: { everywhere: "Everywhere", board: "On the board", game: "In a game" },
  shortcuts: {
    everywhere: [
      ["?", "this list"],
      ["Tab", "next control"],
      ["Escape", "close a dialog or menu"],
    ],
    board: [
      ["Arrow keys", "move from cell to cell"],
      ["Home, End", "first and last cell of the row"],
      ["Ctrl + Home, Ctrl + End", "first and last cell of the board"],
      ["Enter, Space", "play there"],
    ],
    game: [
      ["← →", "one move back or forward (outside the board)"],
      ["Home, End", "the start, the current position (outside the board)"],
      ["[ ]", "one move back or forward, anywhere"],
      ["B", "go to the board"],
      ["P", "pass, where it is allowed"],
      ["H", "hint"],
      ["U", "take back"],
      ["M", "sound on or off"],
    ],
  },
};
