/** A seat's clock: the server's, counted on between its words. */
import { announce } from "../../app/announce.js";
import { html, useEffect, useRef, useState } from "../../app/html.js";
import { play } from "../../app/sound.js";
import { seatWord } from "../../app/tell.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

/** Seconds below which time is short; of a little time at most this share of it. */
const LOW = 10;
const LOW_SHARE = 0.3;
/** Milliseconds between two looks at a clock that runs. */
const TICK = 100;

/**
 * Time as clocks show it: 1:05:00, 4:59, and the last ten seconds of a clock that runs with their tenths.
 * @param {number} seconds
 * @param {boolean} isRunning
 */
function clockText(seconds, isRunning) {
  if (seconds < LOW && isRunning) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(seconds);
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/**
 * Draws anew every moment while something runs.
 * @param {boolean} isRunning
 */
function useTicks(isRunning) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK);
    return () => clearInterval(timer);
  }, [isRunning]);
}

/** @param {{model: GameModel, seat: number}} props */
export function Clock({ model, seat }) {
  const warned = useRef(false);
  const isRunning = model.turn.value === seat;
  const limit = model.clocks.limits[seat - 1];
  const left = model.clocks.version.value ? model.clocks.left(seat, isRunning) : null;
  const isLow = left !== null && left < Math.min(LOW, (limit?.bank ?? limit?.seconds ?? 0) * LOW_SHARE);
  const isWarning = isLow && isRunning && limit?.bank !== null && model.seats.value.includes(seat);
  useTicks(isRunning);
  useEffect(() => {
    const description = model.description.value;
    if (!isWarning || warned.current || !description) return;
    warned.current = true;
    announce(words.game.lowTime(seatWord(description, seat)));
    play("low");
  }, [isWarning]);
  if (left === null) return null;
  const text = clockText(left, isRunning);
  return html`
    <span class=${`clock number ${isRunning ? "running" : ""} ${isLow ? "low" : ""}`} role="timer"
      aria-label=${words.game.clock(text)}>${text}</span>`;
}
