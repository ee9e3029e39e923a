/** Announces what happens in a game to screen readers, and plays sounds. */
import { announce } from "../../app/announcer.js";
import { plural, t } from "../../app/i18n.js";
import { sound, volume } from "../../app/settings.js";
import { common } from "../../app/words.js";
import { declinedText, moveText, offenceText, offerText, resultText, seatName } from "./text.js";

/** @import { GameModel, GameNews } from "../../app/game.js" */

/** Frequency in hertz, start and length in seconds, loudness. @typedef {[number, number, number, number]} Tone */

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
  for (const [hertz, start, length, strength] of SOUNDS[name]) {
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = "triangle";
    tone.frequency.value = hertz;
    loudness.gain.setValueAtTime(2 * volume.value * strength, begin + start);
    loudness.gain.exponentialRampToValueAtTime(0.0005, begin + start + length);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin + start);
    tone.stop(begin + start + length);
  }
}

/**
 * News as a text; that of a move is completed when it is announced: whose turn it is, if nothing has happened since.
 * @param {GameModel} model
 * @param {GameNews} news
 * @returns {string|(() => string)}
 */
function newsText(model, news) {
  switch (news.kind) {
    case "move": {
      const plies = model.plies.value.length;
      const text = moveText(model, news.ply, news.turned, model.position(plies - 1)?.phase === "bomb");
      return () => {
        const turn = model.plies.value.length === plies ? model.turn.value : 0;
        const isBomb = model.position(plies)?.phase === "bomb";
        const name = seatName(model, turn);
        if (!turn) return text;
        return isBomb ? t("{move}; {name} to bomb", { move: text, name }) : t("{move}; {name} to move", { move: text, name });
      };
    }
    case "undo": return plural(news.plies, "{name} takes back {count} move", "{name} takes back {count} moves",
      { name: seatName(model, news.seat) });
    case "verdict": return offenceText(model, news.offence);
    case "end": {
      const { title, why } = resultText(model, news.result);
      return `${common.ended(title)} ${why}`;
    }
    case "offer": return offerText(model, news.offer);
    case "declined": return declinedText(news.what);
    case "next": return model.seats.value.length ? "" : t("The next game has started");
  }
}

/** Announces a game's news and plays its sounds; returns a function that stops it. @param {GameModel} model */
export function announceGame(model) {
  return model.listen((news) => {
    announce(newsText(model, news));
    if (news.kind === "move") play(news.ply.cell < 0 ? "pass" : "move");
    else if (news.kind === "end") play("end");
    else if (news.kind === "offer" || news.kind === "undo") play("offer");
  });
}
