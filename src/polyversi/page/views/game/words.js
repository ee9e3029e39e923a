/** The texts of the view of a game. */
import { common } from "../../app/words.js";

const { counted } = common;

/** @param {string[]} names */
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** @param {number} number */
const ordinal = (number) => {
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${teen ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th"}`;
};

/** @type {Record<string, string>} */
const REASONS = {
  "no moves": "no seat has a legal move",
  "board full": "the board is full",
  "passes": "everybody passed",
  "bombs used": "no bomb is left",
  "no tiles left": "no tile is left",
  "one seat left": "one seat is left",
};

/** @type {Record<string, (who: string) => string>} */
const ENDINGS = {
  "resigned": (who) => `${who} resigned`,
  "illegal move": (who) => `${who} made an illegal move`,
  "timeout": (who) => `${who} ran out of time`,
  "crash": (who) => `${who} crashed`,
  "stall": (who) => `${who} did not answer`,
  "disconnect": (who) => `${who} disconnected`,
  "disqualified": (who) => `${who} was disqualified`,
};

const speech = {
  ordinal,
  toMove: (/** @type {string} */ who, /** @type {boolean} */ bombs) => `${who} to ${bombs ? "bomb" : "move"}`,
  moved: (/** @type {string} */ who, /** @type {string} */ cell, /** @type {number} */ turned) =>
    `${who} ${cell}${turned ? `, turns ${turned}` : ""}`,
  bombed: (/** @type {string} */ who, /** @type {string} */ cell, /** @type {number} */ count) =>
    `${who} bombs ${cell}, ${counted(count, "cell")} gone`,
  passed: (/** @type {string} */ who) => `${who} passes`,
  mustPass: (/** @type {string} */ who) => `${who} has no legal move and passes`,
  special: (/** @type {number} */ value, /** @type {string[]} */ seats) =>
    value === 20 ? "takes a bomb" : value === 21 ? "takes an override stone" : `swaps with ${seats[value - 1]}`,
  takenBack: (/** @type {string} */ who, /** @type {number} */ plies) => `${who} takes back ${counted(plies, "move")}`,
  offence: (/** @type {string} */ kind, /** @type {string} */ who) => ENDINGS[kind]?.(who) ?? `${who}: ${kind}`,
  punished: (/** @type {string} */ what, /** @type {boolean} */ isOut, /** @type {string} */ detail) =>
    `${what}${isOut ? " and is out of the game" : ""}${detail ? `: ${detail}` : ""}`,
  wins: (/** @type {string} */ who) => `${who} wins`,
  draw: "A draw",
  drawBetween: (/** @type {string[]} */ names) => `A draw between ${listed(names)}`,
  aborted: "Not finished",
  because: (/** @type {string} */ reason) => REASONS[reason] ?? reason,
};

export const words = {
  speech,
  title: (/** @type {string} */ spec, /** @type {string[]} */ players) =>
    (players.length === 2 ? `${players.join(" – ")} · ${spec}` : spec),
  game: "Game",
  board: "Board",
  seats: "Players",
  you: "you",
  nobody: "waiting…",
  toMove: "to move",
  out: "out",
  here: "here",
  away: "away",
  stones: (/** @type {number} */ count) => counted(count, "stone"),
  clock: (/** @type {string} */ time) => `${time} left`,
  overrides: (/** @type {number} */ count) => counted(count, "override stone"),
  bombs: (/** @type {number} */ count) => counted(count, "bomb"),
  watching: (/** @type {number} */ count) => `${count} watching`,
  status: {
    waiting: "Waiting for the others",
    yours: "Your move",
    yoursAs: (/** @type {string} */ seat) => `Your move, ${seat}`,
    bomb: "Throw a bomb",
    bombAs: (/** @type {string} */ seat) => `Throw a bomb, ${seat}`,
    theirs: (/** @type {string} */ who) => `${who} to move`,
    thinks: (/** @type {string} */ who) => `${who} is thinking`,
    sent: "Sent…",
    between: "Waiting for the server…",
  },
  forcedPass: (/** @type {string} */ who) => `${who} has no legal move and passes.`,
  yourPass: "You have no legal move: your turn is passed.",
  lookingAt: (/** @type {number} */ ply, /** @type {number} */ of) =>
    (ply ? `You are looking at move ${ply} of ${of}` : "You are looking at the start"),
  backToGame: "Back to the game",
  moves: "Moves",
  noMoves: "No move yet.",
  ply: "Move",
  seat: "Seat",
  cell: "Cell",
  pass: "Pass",
  passed: "pass",
  moveOf: (/** @type {number} */ ply, /** @type {string} */ seat) => `Move ${ply}, ${seat}:`,
  turns: "turns",
  forced: "no legal move",
  hint: "Hint",
  hinted: (/** @type {string} */ move) => `The hint is ${move}`,
  undo: "Take back",
  askUndo: "Ask to take back",
  resign: "Resign",
  resignSure: "Resign the game?",
  no: "No",
  claim: "Claim the game",
  claimable: (/** @type {string} */ who) => `${who} left and has not come back.`,
  offers: {
    undo: (/** @type {string} */ who) => `${who} asks to take a move back.`,
    rematch: (/** @type {string} */ who) => `${who} wants a rematch.`,
  },
  waitingFor: { undo: "You asked to take a move back.", rematch: "You asked for a rematch." },
  declined: { undo: "Your request to take a move back was declined.", rematch: "The rematch was declined." },
  accept: "Accept",
  decline: "Decline",
  rematch: "Rematch",
  toRematch: "Go to the rematch",
  toNext: "Go to the next game",
  nextStarted: "The next game has started",
  newGame: "New game",
  mute: "Sound off",
  unmute: "Sound on",
  share: "Share and save",
  shareLink: "Copy a link to this position",
  shareGame: "Copy a link to the game",
  files: /** @type {Record<string, string>} */ ({
    txt: "Moves as text",
    jsonl: "Record (JSON Lines)",
    ggf: "Record (GGF)",
    svg: "Picture (SVG)",
    png: "Picture (PNG)",
    gif: "The game as GIF",
  }),
  invitation: "Send each friend the link for a seat. The game starts when everybody is here.",
  linkFor: (/** @type {string} */ seat) => `Link for ${seat}`,
  shareIt: "Share",
  invitationText: "Play a game of Reversi with me",
  taken: "taken",
  special: (/** @type {string} */ cell) => `Special tile ${cell}`,
  specialSwap: (/** @type {string} */ seat) => `Swap stones with ${seat}`,
  specialKeep: "Keep the stones as they are",
  specialBomb: "Take a bomb",
  specialOverride: "Take an override stone",
  result: "Result",
  points: (/** @type {number} */ points) => counted(points, "point"),
  lowTime: (/** @type {string} */ who) => `${who} is short of time`,
  cellWords: (/** @type {string} */ cell, /** @type {string} */ what) => `${cell}, ${what}`,
  cellLegal: (/** @type {number|null} */ turned) => (turned ? `legal, turns ${turned}` : "legal"),
  cellLast: "last move",
};
