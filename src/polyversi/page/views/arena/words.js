/** The texts of the arena view. */

const SEATS = ["X", "Y"];
const COLOURS = ["red", "blue"];

export const words = {
  title: "Arena",
  lead: "A series of games between two players: choose them and start.",
  versus: (/** @type {string} */ one, /** @type {string} */ other) => `${one} against ${other}`,

  setUp: "Set-up",
  variant: "Variant",
  seats: SEATS,
  colours: COLOURS,
  seat: (/** @type {number} */ at) => `${SEATS[at]} (${COLOURS[at]})`,
  playerOf: (/** @type {string} */ seat) => `Player of ${seat}`,
  delay: "Delay (ms)",
  nextDelay: "Delay for the next round (ms)",
  rounds: "Number of rounds",

  controls: "Controls",
  start: "Start",
  resume: "Resume",
  pause: "Pause",
  step: "Step",
  stop: "Stop",
  tournament: "Tournament",
  tournamentHint: "Tournament: ten games, the players change seats after five.",
  round: (/** @type {number} */ round, /** @type {number} */ rounds) =>
    round === 0 ? `Before the first of ${rounds === 1 ? "one round" : `${rounds} rounds`}` : `Round ${round} of ${rounds}`,
  phases: {
    none: "Nothing is running yet.",
    ready: "Ready to start.",
    running: "Running.",
    paused: "Paused.",
    stopped: "Stopped.",
    over: "Finished.",
  },
  swapped: "seats changed",
  watching: "You are watching: only the browser that started this series has its controls.",
  another: "Start a series of your own",
  share: "Copy the link",

  totals: "Result so far",
  totalsHint: "Wins and stones count for the player, whichever seat it had.",
  chosenFor: (/** @type {string} */ seat) => `chosen for ${seat}`,
  wins: "Wins",
  stones: "Stones",
  now: "Seat now",
  draws: "Draws",
  winner: "Winner",
  undecided: "undecided",
  drawn: "draw",
  aborted: "aborted",

  board: "The running game",
  startPosition: "Start position",
  toMove: "to move",
  moves: "Moves",

  played: "Rounds played",
  nonePlayed: "The first round is not over yet.",
  columns: { round: "Round", x: "X, red", y: "Y, blue", result: "Won by" },
  openGame: (/** @type {number} */ round) => `Round ${round}`,
  all: (/** @type {number} */ count) => `All ${count} rounds`,
  others: "Other running series",
};
