/** Short, soft sounds made on the spot; silent until somebody has touched the page, as browsers want it. */
import { sound } from "./settings.js";

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
