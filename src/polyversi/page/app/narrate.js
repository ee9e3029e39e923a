/** Says and sounds what happens in a game. */
import { announce } from "./announce.js";
import { play } from "./sound.js";
import { moveWords, offenceWords, resultWords, seatWord } from "./tell.js";
import { words } from "../words/words.js";

/** @typedef {import("./game.js").GameModel} GameModel */
/** @typedef {import("./game.js").Happening} Happening */
/** @typedef {import("./types.js").Description} Description */

/**
 * What has happened, in words.
 * @param {GameModel} model
 * @param {Description} description
 * @param {Happening} happening
 */
function said(model, description, happening) {
  const { speech } = words;
  if (happening.kind === "undo") return speech.takenBack(seatWord(description, happening.seat), happening.plies);
  if (happening.kind === "verdict") return offenceWords(description, model.players.value, happening.offence);
  if (happening.kind === "end") {
    const { title, why } = resultWords(description, happening.result);
    return `${title}: ${happening.result.scores.join("–")}. ${why}`;
  }
  if (happening.kind === "next" && !model.seats.value.length) return words.game.nextBegins;
  if (happening.kind === "declined") return words.game.declined[happening.what];
  if (happening.kind === "offer") {
    const { what, seat } = happening.offer;
    const isMine = model.seats.value.includes(seat);
    return isMine ? words.game.waitingFor[what] : words.game.offers[what](seatWord(description, seat));
  }
  return "";
}

/**
 * A move in words, and whose turn it is if nothing has happened since.
 * @param {GameModel} model
 * @param {Description} description
 * @param {Happening & {kind: "move"}} happening
 * @returns {() => string}
 */
function saidLater(model, description, { ply, turned }) {
  const plies = model.plies.value.length;
  const text = moveWords(description, ply, turned, model.position(plies - 1)?.phase === "bomb");
  return () => {
    const turn = model.plies.value.length === plies ? model.turn.value : 0;
    const isBombing = model.position(plies)?.phase === "bomb";
    return turn ? `${text}; ${words.speech.toMove(seatWord(description, turn), isBombing)}` : text;
  };
}

/**
 * Lets a game be heard; returns how to stop.
 * @param {GameModel} model
 */
export function narrate(model) {
  return model.listen((happening) => {
    const description = model.description.value;
    if (!description) return;
    announce(happening.kind === "move" ? saidLater(model, description, happening) : said(model, description, happening));
    if (happening.kind === "move") play(happening.ply.cell < 0 ? "pass" : "move");
    else if (happening.kind === "end") play("end");
    else if (happening.kind === "offer" || happening.kind === "undo") play("offer");
  });
}
