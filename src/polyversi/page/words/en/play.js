/** The texts of the view in which a game is set up. */

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
 * Any limit in words: "bank=90,increment=1" is "1.5 min + 1 s a move". A bank of one increment is that of Reversi XT.
 * @param {string} limit
 */
function time(limit) {
  const facts = Object.fromEntries(limit.split(",").map((fact) => fact.split("=", 2)));
  if (facts.bank && facts.bank === facts.increment) return `${facts.bank} s a move, what is left is saved`;
  const parts = [];
  if (facts.bank) parts.push(facts.bank < 60 ? `${facts.bank} s` : `${Math.round(facts.bank / 6) / 10} min`);
  if (facts.increment) parts.push(`${facts.increment} s a move`);
  if (facts.seconds) parts.push(`${facts.seconds} s a move`);
  if (facts.depth) parts.push(`${facts.depth} moves ahead`);
  return LIMITS[limit] ?? parts.join(" + ");
}

export const play = {
  title: "Play",
  lead: "Choose a board and who plays, or just begin.",
  quick: "Play Othello against the computer",
  quickHint: "You are black and move first. No clock, and a computer of moderate strength.",
  goOn: "Go on with your game",
  goOnAgainst: (/** @type {string} */ spec, /** @type {string[]} */ players) => {
    const who = players.length > 2 ? `${players.length} players` : players.map((player) => player || "…").join(" – ");
    return `${spec}: ${who}`;
  },
  variants: "Variant",
  seatsOf: (/** @type {number} */ count) => `${count} seats`,
  options: "Options of this variant",
  setup: "Your game",
  seats: "Seats",
  who: (/** @type {string} */ seat) => `Who plays ${seat}`,
  kinds: { me: "You", friend: "A friend", computer: "Computer" },
  friendHint: "You get a link to send.",
  player: (/** @type {string} */ seat) => `Player of ${seat}`,
  level: (/** @type {{low?: number|null, high?: number|null}} */ { low, high }) =>
    (typeof high === "number" ? `Level, ${low} to ${high}` : "Level"),
  playerOptions: "Options of the player",
  sameForAll: "The same for all computers",
  swap: "Swap",
  rotate: "Move everybody on",
  lot: "Draw lots for the seats",
  limit: "Time",
  limits: { ...LIMITS, custom: "Other…" },
  time,
  minutes: "Minutes",
  increment: "Seconds added a move",
  secondsAMove: "Seconds a move",
  customKinds: { bank: "A clock for the game", seconds: "A limit for each move" },
  customKind: "Kind of limit",
  name: "Your name",
  namePlaceholder: "Guest",
  begin: "Play",
  watchIt: "Let them play",
  invite: "Play with friends",
  beginning: "One moment…",
  picture: (/** @type {string} */ name) => `The start of ${name}`,
  nobody: "No computer player plays this variant.",
};
