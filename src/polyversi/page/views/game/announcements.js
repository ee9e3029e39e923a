/** Announces what happens in a game to screen readers, and plays sounds. */
import { announce } from "../../app/announcer.js";
import { sound } from "../../app/settings.js";
import { words } from "../../words/words.js";
import { moveWords, offenceWords, resultWords, seatWord } from "./text.js";

/** @import { GameModel, Happening } from "../../app/game.js" */
/** @import { Description } from "../../app/types.js" */

/**
 * Frequency in hertz, start and length in seconds, loudness.
 * @typedef {[hertz: number, start: number, length: number, volume: number]} Tone
 */

/** @type {Record<string, Tone[]>} */
const SOUNDS = {
  move: [[420, 0, 0.07, 0.16], [210, 0, 0.11, 0.12]],
  pass: [[260, 0, 0.12, 0.08]],
  offer: [[520, 0, 0.12, 0.07], [660, 0.1, 0.16, 0.07]],
  end: [[392, 0, 0.22, 0.08], [523, 0.14, 0.28, 0.08], [659, 0.28, 0.42, 0.07]],
  low: [[880, 0, 0.06, 0.06], [880, 0.12, 0.06, 0.06]],
};

/** @type {AudioContext|null} */
let context = null;

/**
 * Plays a sound by its name, unless sound is off.
 * @param {"move"|"pass"|"offer"|"end"|"low"} name
 */
export function play(name) {
  if (!sound.value || !navigator.userActivation?.hasBeenActive || typeof AudioContext === "undefined") return;
  context ??= new AudioContext();
  const begin = context.currentTime + 0.005;
  for (const [hertz, start, length, volume] of SOUNDS[name]) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(volume, begin + start);
    loudness.gain.exponentialRampToValueAtTime(0.0005, begin + start + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin + start);
    tone.stop(begin + start + length);
  }
}

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
