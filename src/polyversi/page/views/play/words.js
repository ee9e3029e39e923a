/** The texts of the view in which a game is set up. */
import { common } from "../../app/words.js";

export const words = {
  edited: {
    map: "Your map",
    position: "From the position that you set up.",
    back: "Back to the editor",
  },
  title: "Play",
  lead: "Choose a board and the players, or just start.",
  quick: "Play Othello against the computer",
  quickHint: "You are black and move first. No clock; the computer plays at moderate strength.",
  resume: "Continue your game",
  resumeGame: (/** @type {string} */ spec, /** @type {string[]} */ players) => {
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
  rotate: "Rotate",
  drawLots: "Draw lots for the seats",
  limit: "Time",
  limits: { ...common.limits, custom: "Other…" },
  minutes: "Minutes",
  increment: "Seconds added per move",
  secondsAMove: "Seconds per move",
  customKinds: { bank: "A clock for the game", seconds: "A limit for each move" },
  customKind: "Kind of limit",
  name: "Your name",
  start: "Play",
  watch: "Start and watch",
  invite: "Play with friends",
  starting: "Starting…",
  picture: (/** @type {string} */ name) => `Start position of ${name}`,
  noComputer: "No computer player plays this variant.",
};
