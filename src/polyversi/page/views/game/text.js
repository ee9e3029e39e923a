/** Moves, offences, offers and results in words. */
import { language, number, plural, t } from "../../app/i18n.js";
import { playerName as shownName } from "../../app/players.js";
import { common } from "../../app/words.js";

/** @import { GameModel, Offence, Ply } from "../../app/game.js" */
/** @import { Offer, Result } from "../../app/types.js" */

const { capital } = common;

/** Why a game ended on the board. @type {Record<string, () => string>} */
const REASONS = {
  "no moves": () => t("Nobody has a legal move left."),
  "board full": () => t("The board is full."),
  "passes": () => t("Everybody passed."),
  "bombs used": () => t("No bombs are left."),
  "no tiles left": () => t("No tiles are left."),
  "one seat left": () => t("Only one player is left."),
  "no seat left": () => t("No player is left."),
};

/** What somebody did, by the verdict. @type {Record<string, (name: string) => string>} */
const OFFENCES = {
  "resigned": (name) => t("{name} resigned", { name }),
  "illegal move": (name) => t("{name} made an illegal move", { name }),
  "timeout": (name) => t("{name} ran out of time", { name }),
  "crash": (name) => t("{name} crashed", { name }),
  "stall": (name) => t("{name} did not answer", { name }),
  "disconnect": (name) => t("{name} left", { name }),
  "disqualified": (name) => t("{name} was disqualified", { name }),
};

/** The same of a seat that is out of the game by it. @type {Record<string, (name: string) => string>} */
const OUT = {
  "illegal move": (name) => t("{name} made an illegal move and is out of the game", { name }),
  "timeout": (name) => t("{name} ran out of time and is out of the game", { name }),
  "crash": (name) => t("{name} crashed and is out of the game", { name }),
  "stall": (name) => t("{name} did not answer and is out of the game", { name }),
  "disconnect": (name) => t("{name} left and is out of the game", { name }),
};

/** How the visitor lost otherwise than on the board. @type {Record<string, () => string>} */
const OWN_OFFENCES = {
  "resigned": () => t("You resigned"),
  "illegal move": () => t("You lost: your move was illegal"),
  "timeout": () => t("You lost on time"),
  "disconnect": () => t("You lost: you were away for too long"),
  "disqualified": () => t("You were disqualified"),
};

/** A seat in a word: "black", "seat 3". @param {GameModel} model @param {number} seat */
export function seatName(model, seat) {
  const name = model.description.value?.plan.seats[seat - 1]?.name;
  return name ? t(name) : "";
}

/**
 * What a player is called: the name, or the seat where there is no name or several have the same.
 * @param {GameModel} model
 * @param {number} seat
 */
export function playerName(model, seat) {
  const players = model.players.value;
  const name = players[seat - 1];
  const isShared = players.filter((other) => other === name).length > 1;
  return name && !isShared ? elided(shownName(name)) : capital(seatName(model, seat));
}

/** Letters of a name in a sentence. */
const MAX_LETTERS = 24;

/** A name that is short enough for a sentence. @param {string} name */
export function elided(name) {
  const letters = [...name];
  return letters.length > MAX_LETTERS ? `${letters.slice(0, MAX_LETTERS - 1).join("").trimEnd()}…` : name;
}

/** A place in a ranking: "1st". @param {number} rank */
export function ordinal(rank) {
  return [
    t("1st"), t("2nd"), t("3rd"), t("4th"), t("5th"), t("6th"), t("7th"), t("8th"),
  ][rank - 1] ?? number(rank);
}

/**
 * A move in words: "black f5, turns 1".
 * @param {GameModel} model
 * @param {Ply} ply
 * @param {number[]} turned
 * @param {boolean} isBomb
 */
export function moveText(model, { seat, move, cell, forced }, turned, isBomb) {
  const who = seatName(model, seat);
  if (cell < 0) return forced ? t("{name} has no legal move and passes", { name: who }) : t("{name} passes", { name: who });
  const [name, choice] = move.split(":");
  if (isBomb) {
    return plural(turned.length + 1, "{name} bombs {cell}: {count} cell gone", "{name} bombs {cell}: {count} cells gone",
      { name: who, cell: name });
  }
  const parts = [t("{name} {cell}", { name: who, cell: name })];
  if (turned.length) parts.push(t("turns {count}", { count: number(turned.length) }));
  if (choice === "20") parts.push(t("takes a bomb"));
  else if (choice === "21") parts.push(t("takes an override stone"));
  else if (choice) parts.push(t("swaps with {name}", { name: seatName(model, Number(choice)) }));
  return parts.join(", ");
}

/** What a seat did wrong, what it cost, and the referee's reason. @param {GameModel} model @param {Offence} offence */
export function offenceText(model, { seat, verdict, detail }) {
  const texts = model.description.value?.bad_move === "disqualify" ? { ...OFFENCES, ...OUT } : OFFENCES;
  const name = playerName(model, seat);
  const what = texts[verdict]?.(name) ?? `${name}: ${verdict}`;
  return capital(detail ? `${what}: ${detail}` : what);
}

/** An offer in words. @param {GameModel} model @param {Offer} offer */
export function offerText(model, { what, seat }) {
  const isMine = model.seats.value.includes(seat);
  const name = playerName(model, seat);
  if (what === "undo") return isMine ? t("You asked to take a move back.") : t("{name} asks to take a move back.", { name });
  return isMine ? t("You asked for a rematch.") : t("{name} would like a rematch.", { name });
}

/** @param {Offer["what"]} what */
export const declinedText = (what) => (what === "undo"
  ? t("Your request to take a move back was declined.")
  : t("The rematch was declined."));

/** The seat of whoever is addressed as "you", or 0: somebody with several seats plays against nobody. @param {GameModel} model */
export const ownSeat = (model) => (model.seats.value.length === 1 ? model.seats.value[0] : 0);

/**
 * How a game ended, for whoever looks at it: a title, and the reason.
 * @param {GameModel} model
 * @param {Result} result
 * @returns {{title: string, why: string}}
 */
export function resultText(model, result) {
  const { verdict, reason } = result;
  if (verdict.kind === "aborted") return { title: t("Not finished"), why: common.ended(capital(verdict.detail)) };
  const loser = verdict.kind === "win" || verdict.kind === "draw" ? 0 : verdict.seat ?? 0;
  const goal = model.description.value?.fewest_wins ? t("Fewest stones win.") : "";
  if (loser && result.ranks.length === 2) return { title: beatenText(model, result, loser), why: scoreText(model, result) };
  const how = verdict.kind === "adjudicated"
    ? t("Adjudicated: {reason}.", { reason: verdict.detail })
    : REASONS[reason]?.() ?? common.ended(capital(reason));
  return { title: boardText(model, result), why: [goal, how].filter(Boolean).join(" ") };
}

/** The title of a game that one of two players lost otherwise than on the board. @type {(model: GameModel, result: Result, loser: number) => string} */
function beatenText(model, { verdict }, loser) {
  const own = ownSeat(model);
  const winner = playerName(model, 3 - loser);
  if (own === loser) return OWN_OFFENCES[verdict.kind]?.() ?? t("You lost");
  if (verdict.kind === "timeout") return own ? t("You won on time") : t("{name} won on time", { name: winner });
  const reason = OFFENCES[verdict.kind]?.(playerName(model, loser)) ?? verdict.kind;
  return own ? t("You won: {reason}", { reason }) : t("{name} won: {reason}", { name: winner, reason });
}

/** The score of a game that did not end on the board. @type {(model: GameModel, result: Result) => string} */
function scoreText(model, { scores }) {
  const own = ownSeat(model) || 1;
  return t("The score was {score}.", { score: scoreOf(scores[own - 1], scores[2 - own]) });
}

/** @type {(one: number, other: number) => string} */
const scoreOf = (one, other) => `${number(one)}–${number(other)}`;

/** The title of a game that ended on the board. @type {(model: GameModel, result: Result) => string} */
function boardText(model, { ranks, scores }) {
  const own = ownSeat(model);
  const winners = ranks.flatMap((rank, index) => (rank === 1 ? [index + 1] : []));
  if (ranks.length === 2) {
    const first = own || winners[0];
    const score = scoreOf(scores[first - 1], scores[2 - first]);
    if (winners.length > 1) return t("Draw, {score}", { score });
    if (!own) return t("{name} won {score}", { name: playerName(model, first), score });
    return ranks[own - 1] === 1 ? t("You won {score}", { score }) : t("You lost {score}", { score });
  }
  if (!winners.length) return t("Nobody won");
  if (own && ranks[own - 1] > 1) {
    return t("You came {place} of {count}", { place: ordinal(ranks[own - 1]), count: number(ranks.length) });
  }
  if (winners.length === 1) return own ? t("You won") : t("{name} won", { name: playerName(model, winners[0]) });
  if (winners.length === ranks.length) return t("Draw");
  const names = winners.map((seat) => (seat === own ? t("you") : playerName(model, seat)));
  return t("Draw between {names}", { names: new Intl.ListFormat(language.value).format(names) });
}
