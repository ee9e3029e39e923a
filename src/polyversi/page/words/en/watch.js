/** The texts of the watch view and of the replay controls, in English. */

/** The controls under a game that is looked at again. */
const replay = {
  title: "Replay",
  slider: "Position",
  at: (/** @type {number} */ ply, /** @type {number} */ last) =>
    ply > 0 ? `Move ${ply} of ${last}` : last > 0 ? `Start of ${last === 1 ? "one move" : `${last} moves`}` : "Start",
  play: "Play the moves",
  pause: "Pause",
  speed: "Speed",
  speeds: { slow: "Slow", usual: "Usual", fast: "Fast", faster: "Very fast" },
};

export const watch = {
  replay,
  title: "Watch",
  lead: "Games going on here, and those that were played before.",
  filter: "Variant",
  all: "All variants",
  running: "Going on",
  recent: "Recent games",
  nothingRunning: "No game is going on.",
  nothingRecent: "No game has been finished yet.",
  nothingOfVariant: (/** @type {string} */ variant) => `No game of ${variant}.`,
  startOne: "Start one",
  willCome: "The next one will be here by itself.",
  open: "Open a record file",
  opening: "Reading the file …",
  opened: (/** @type {number} */ count) => (count === 1 ? "One game was read." : `${count} games were read.`),
  openedGames: "Games of the file",
  gameOfFile: (/** @type {number} */ number) => `Game ${number}`,
  against: " – ",
  plies: (/** @type {number} */ count) => (count === 1 ? "1 move" : `${count} moves`),
  unit: (/** @type {number} */ count) => (count === 1 ? "move" : "moves"),
  waiting: "waiting for a player",
  somebody: "somebody",
  boardLabel: (/** @type {string} */ variant) => `Board of a game of ${variant}`,
  columns: { game: "Variant", players: "Players", result: "Result", moves: "Moves", when: "When" },
  nobody: "No winner",
  draw: "Draw",
  won: (/** @type {string} */ player) => `${player} won`,
  ago: (/** @type {number} */ seconds) => {
    if (seconds < 60) return "just now";
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
    if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
    const days = Math.floor(seconds / 86400);
    return days === 1 ? "yesterday" : `${days} days ago`;
  },
};
