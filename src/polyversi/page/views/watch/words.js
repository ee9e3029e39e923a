/** The texts of the watch view and of the replay controls, in English. */

export const words = {
  title: "Watch",
  lead: "Running games and recent games of this server.",
  filter: "Variant",
  all: "All variants",
  running: "Running games",
  recent: "Recent games",
  nothingRunning: "No game is running.",
  nothingRecent: "No game has been finished yet.",
  nothingOfVariant: (/** @type {string} */ variant) => `No game of ${variant}.`,
  startOne: "Start one",
  willCome: "The next one appears here by itself.",
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
