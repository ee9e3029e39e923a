/** The texts of the arena view. */

const SEATS = ["X", "Y"];
const COLOURS = ["red", "blue"];

export const arena = {
  title: "Arena",
  lead: "Two players, game after game: choose them, start, and see who is better.",
  versus: (/** @type {string} */ one, /** @type {string} */ other) => `${one} against ${other}`,

  setUp: "Set-up",
  variant: "Variant",
  seats: SEATS,
  colours: COLOURS,
  seat: (/** @type {number} */ at) => `${SEATS[at]} (${COLOURS[at]})`,
  playerOf: (/** @type {string} */ seat) => `Player of ${seat}`,
  options: (/** @type {string} */ spec) => `Options of ${spec}`,
  delay: "Delay (ms)",
  nextDelay: "Delay for the next round (ms)",
  rounds: "Number of rounds",

  controls: "Controls",
  start: "Start",
  goOn: "Go on",
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
  onlyLooking: "Whoever set this up has the controls; you are watching.",
  another: "Set up one of your own",
  lost: "The connection was lost; trying again …",
  share: "Copy the link",
  shared: "The link is copied. Whoever opens it can watch.",

  credits: "Result so far",
  creditsHint: "Wins and stones count for the player, whichever seat it had.",
  chosenFor: (/** @type {string} */ seat) => `chosen for ${seat}`,
  wins: "Wins",
  stones: "Stones gathered",
  now: "Seat now",
  draws: "Draws",
  winner: "Winner",
  undecided: "open",
  drawn: "draw",
  broken: "broken off",

  board: "The running game",
  startPosition: "Start position",
  toMove: "to move",
  moves: "Moves",

  played: "Rounds played",
  nonePlayed: "The first round is not over yet.",
  columns: { round: "Round", x: "X, red", y: "Y, blue", result: "Won by" },
  openGame: (/** @type {number} */ round) => `Round ${round}`,
  all: (/** @type {number} */ count) => `All ${count} rounds`,
  running: "Also going on",
};
