/** Announces what happens in a game to screen readers, and plays sounds. */
import { announce } from "../../app/announcer.js";
import { sound } from "../../app/settings.js";
import { moveText, offenceText, resultText, seatName } from "./text.js";
import { words } from "./words.js";

/** @import { GameModel, GameNews } from "../../app/game.js" */
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

/** Plays a sound by its name, unless sound is off. @param {"move"|"pass"|"offer"|"end"|"low"} name */
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
 * News in words.
 * @param {GameModel} model
 * @param {Description} description
 * @param {GameNews} news
 */
function newsText(model, description, news) {
  const { speech } = words;
  if (news.kind === "undo") return speech.takenBack(seatName(description, news.seat), news.plies);
  if (news.kind === "verdict") return offenceText(description, model.players.value, news.offence);
  if (news.kind === "end") {
    const { title, why } = resultText(description, news.result);
    return `${title}: ${news.result.scores.join("–")}. ${why}`;
  }
  if (news.kind === "next" && !model.seats.value.length) return words.nextStarted;
  if (news.kind === "declined") return words.declined[news.what];
  if (news.kind === "offer") {
    const { what, seat } = news.offer;
    const isMine = model.seats.value.includes(seat);
    return isMine ? words.waitingFor[what] : words.offers[what](seatName(description, seat));
  }
  return "";
}

/**
 * A move in words, and whose turn it is if nothing has happened since.
 * @param {GameModel} model
 * @param {Description} description
 * @param {GameNews & {kind: "move"}} news
 * @returns {() => string}
 */
function moveNews(model, description, { ply, turned }) {
  const plies = model.plies.value.length;
  const text = moveText(description, ply, turned, model.position(plies - 1)?.phase === "bomb");
  return () => {
    const turn = model.plies.value.length === plies ? model.turn.value : 0;
    const isBombing = model.position(plies)?.phase === "bomb";
    return turn ? `${text}; ${words.speech.toMove(seatName(description, turn), isBombing)}` : text;
  };
}

/** Announces a game's news and plays its sounds; returns a function that stops it. @param {GameModel} model */
export function announceGame(model) {
  return model.listen((news) => {
    const description = model.description.value;
    if (!description) return;
    announce(news.kind === "move" ? moveNews(model, description, news) : newsText(model, description, news));
    if (news.kind === "move") play(news.ply.cell < 0 ? "pass" : "move");
    else if (news.kind === "end") play("end");
    else if (news.kind === "offer" || news.kind === "undo") play("offer");
  });
}
