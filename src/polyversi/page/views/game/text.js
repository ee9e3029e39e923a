/** Moves, offences, offers and results in words. */
import { playerName as nameOf } from "../../app/players.js";
import { common } from "../../app/words.js";

/** @import { GameModel, Offence, Ply } from "../../app/game.js" */
/** @import { Offer, Result } from "../../app/types.js" */

const { capital, counted } = common;

/** @type {Record<string, string>} */
const REASONS = {
  "no moves": "No seat has a legal move",
  "board full": "The board is full",
  "passes": "Everybody passed",
  "bombs used": "No bombs are left",
  "no tiles left": "No tiles are left",
  "one seat left": "Only one seat is left",
  "no seat left": "No seat is left",
};

/** What a seat did, by its verdict. @type {Record<string, string>} */
const OFFENCES = {
  "illegal move": "made an illegal move",
  "timeout": "ran out of time",
  "crash": "crashed",
  "stall": "did not answer",
  "disconnect": "disconnected",
  "disqualified": "was disqualified",
};

/** What is taken on a bonus tile; on other special tiles the choice is a seat. @type {Record<string, string>} */
const CHOICES = { 20: "takes a bomb", 21: "takes an override stone" };

const OFFERS = {
  undo: {
    mine: "You asked to take a move back.",
    theirs: "asks to take a move back.",
    declined: "Your request to take a move back was declined.",
  },
  rematch: { mine: "You asked for a rematch.", theirs: "wants a rematch.", declined: "The rematch was declined." },
};

/** A seat in a word: "black", "seat 3". @param {GameModel} model @param {number} seat */
export function seatName(model, seat) {
  return model.description.value?.plan.seats[seat - 1]?.name ?? "";
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
  return name && !isShared ? nameOf(name) : capital(seatName(model, seat));
}

/** A place in a ranking: "1st". @param {number} rank */
export const ordinal = (rank) => `${rank}${["th", "st", "nd", "rd"][rank] ?? "th"}`;

/**
 * A move in words: "black f5, turns 1".
 * @param {GameModel} model
 * @param {Ply} ply
 * @param {number[]} turned
 * @param {boolean} isBomb
 */
export function moveText(model, { seat, move, cell, forced }, turned, isBomb) {
  const who = seatName(model, seat);
  if (cell < 0) return forced ? `${who} has no legal move and passes` : `${who} passes`;
  const [name, choice] = move.split(":");
  if (isBomb) return `${who} bombs ${name}, ${counted(turned.length + 1, "cell")} gone`;
  const parts = [`${who} ${name}`];
  if (turned.length) parts.push(`turns ${turned.length}`);
  if (choice) parts.push(CHOICES[choice] ?? `swaps with ${seatName(model, Number(choice))}`);
  return parts.join(", ");
}

/** What a seat did wrong, what it cost, and the referee's reason. @param {GameModel} model @param {Offence} offence */
export function offenceText(model, { seat, verdict, detail }) {
  const isOut = model.description.value?.bad_move === "disqualify" && verdict !== "disqualified";
  const what = `${playerName(model, seat)} ${OFFENCES[verdict] ?? verdict}`;
  return `${capital(what)}${isOut ? " and is out of the game" : ""}${detail ? `: ${detail}` : ""}`;
}

/** An offer in words. @param {GameModel} model @param {Offer} offer */
export function offerText(model, { what, seat }) {
  return model.seats.value.includes(seat) ? OFFERS[what].mine : `${playerName(model, seat)} ${OFFERS[what].theirs}`;
}

/** @param {Offer["what"]} what */
export const declinedText = (what) => OFFERS[what].declined;

/**
 * How a game ended: a title, and the reason.
 * @param {GameModel} model
 * @param {Result} result
 * @returns {{title: string, why: string}}
 */
export function resultText(model, { ranks, verdict, reason }) {
  if (verdict.kind === "aborted") return { title: "Not finished", why: capital(verdict.detail) };
  const isOnBoard = !verdict.seat || verdict.kind === "win" || verdict.kind === "draw";
  const why = isOnBoard
    ? REASONS[reason] ?? (verdict.kind === "adjudicated" ? `Adjudicated: ${verdict.detail}` : capital(reason))
    : `${capital(seatName(model, verdict.seat ?? 0))} ${OFFENCES[verdict.kind] ?? verdict.kind}`;
  const winners = ranks.flatMap((rank, index) => (rank === 1 ? [seatName(model, index + 1)] : []));
  if (winners.length < 2) return { title: `${winners.length ? capital(winners[0]) : "Nobody"} wins`, why };
  const between = winners.length < ranks.length ? ` between ${new Intl.ListFormat("en-GB").format(winners)}` : "";
  return { title: `Draw${between}`, why };
}
