/** Moves and results in words. */
import { common } from "../../app/words.js";
import { words } from "./words.js";

/** @import { Offence, Ply } from "../../app/game.js" */
/** @import { Description, Result } from "../../app/types.js" */

/**
 * A seat in a word: "black", "seat 3".
 * @param {Description} description
 * @param {number} seat
 */
export function seatName(description, seat) {
  return description.plan.seats[seat - 1]?.name ?? "";
}

/**
 * What a player is called: the name, or the seat where there is no name or several have the same.
 * @param {Description} description
 * @param {string[]} players
 * @param {number} seat
 */
export function playerName(description, players, seat) {
  const name = players[seat - 1];
  const isShared = players.filter((other) => other === name).length > 1;
  return name && !isShared ? name : common.capital(seatName(description, seat));
}

/** @param {Description} description */
function seatNames(description) {
  return description.plan.seats.map(({ name }) => name);
}

/**
 * A move in words: "black f5, turns 1".
 * @param {Description} description
 * @param {Ply} ply
 * @param {number[]} turned
 * @param {boolean} isBomb
 */
export function moveText(description, { seat, move, cell, forced }, turned, isBomb) {
  const who = seatName(description, seat);
  const { speech } = words;
  if (cell < 0) return forced ? speech.mustPass(who) : speech.passed(who);
  const name = description.plan.names[cell];
  if (isBomb) return speech.bombed(who, name, turned.length + 1);
  const special = Number(move.split(":")[1] ?? 0);
  return speech.moved(who, name, turned.length) + (special ? `, ${speech.special(special, seatNames(description))}` : "");
}

/**
 * What a seat did wrong, what that cost it, and the referee's reason.
 * @param {Description} description
 * @param {string[]} players
 * @param {Offence} offence
 */
export function offenceText(description, players, { seat, verdict, detail }) {
  const { speech } = words;
  const what = common.capital(speech.offence(verdict, playerName(description, players, seat)));
  return speech.punished(what, description.bad_move === "disqualify" && verdict !== "disqualified", detail);
}

/**
 * How a game ended: in a title, and why.
 * @param {Description} description
 * @param {Result} result
 * @returns {{title: string, why: string}}
 */
export function resultText(description, { ranks, verdict, reason }) {
  const { speech } = words;
  const winners = ranks.flatMap((rank, index) => (rank === 1 ? [seatName(description, index + 1)] : []));
  const isOnBoard = verdict.kind === "win" || verdict.kind === "draw";
  const offender = verdict.seat && !isOnBoard ? seatName(description, verdict.seat) : "";
  const why = common.capital(offender ? speech.offence(verdict.kind, offender) : speech.because(reason));
  if (verdict.kind === "aborted") return { title: speech.aborted, why: common.capital(verdict.detail) };
  if (winners.length === 1) return { title: common.capital(speech.wins(winners[0])), why };
  return { title: winners.length === description.seats ? speech.draw : speech.drawBetween(winners), why };
}
