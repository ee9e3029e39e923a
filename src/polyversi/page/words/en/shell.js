/** The texts round every view: header, navigation, help, and what can go wrong anywhere. */

export const shell = {
  name: "Polyversi",
  skip: "Skip to the content",
  navigation: "Main",
  title: (/** @type {string} */ view) => (view ? `${view} · Polyversi` : "Polyversi"),
  missingTitle: "Nothing here",
  theme: (/** @type {string} */ now) => `Theme: ${now}`,
  themes: { system: "as the system", light: "light", dark: "dark", contrast: "high contrast" },
  help: "Keyboard shortcuts",
  close: "Close",
  loading: "Loading…",
  missing: "There is nothing at this address.",
  missingWay: "Go and play instead",
  missingShow: "See what is played",
  shortcuts: {
    everywhere: [
      ["?", "this list"],
      ["Tab", "from one thing to the next"],
      ["Escape", "close what has opened"],
    ],
    board: [
      ["Arrow keys", "from cell to cell"],
      ["Home, End", "to the ends of the row"],
      ["Ctrl + Home, Ctrl + End", "to the ends of the board"],
      ["Enter, Space", "move there"],
    ],
    game: [
      ["← →", "one move back or on (outside the board)"],
      ["Home, End", "to the start, to the game as it stands (outside the board)"],
      ["[ ]", "one move back or on, anywhere"],
      ["B", "to the board"],
      ["P", "pass, where it is allowed"],
      ["H", "a hint"],
      ["U", "take back"],
      ["M", "sound on or off"],
    ],
  },
  shortcutGroups: { everywhere: "Everywhere", board: "On the board", game: "In a game" },
};

export const problems = {
  unreachable: "The server cannot be reached. Is it still running?",
  refused: (/** @type {number} */ status) => `The server refused this (${status}).`,
  unexpected: "Something unexpected went wrong; loading the page again may help.",
  view: "This view could not be loaded. Is the server still running?",
};
