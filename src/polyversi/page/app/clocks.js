/** The clocks of a game: the server runs them, this counts in between. */
import { signal } from "./html.js";

/** @import { RequestMessage } from "./types.js" */

/** @typedef {{bank: number|null, seconds: number|null, increment: number}} ClockLimit */

/**
 * Reads a limit such as "bank=300,increment=2".
 * @param {string} text
 * @returns {ClockLimit}
 */
function readLimit(text) {
  const facts = Object.fromEntries(text.split(",").map((fact) => fact.split("=", 2)));
  /** @param {string} name */
  const number = (name) => (facts[name] === undefined ? null : Number(facts[name]));
  return { bank: number("bank"), seconds: number("seconds"), increment: number("increment") ?? 0 };
}

export class Clocks {
  constructor() {
    /** @type {ClockLimit[]} */
    this.limits = [];
    /** Goes up whenever a clock was set, so that its views are drawn again. */
    this.version = signal(0);
    /** @type {(number|null)[]} */
    this._left = [];
    this._since = 0;
    this._thinkingSince = 0;
  }

  /** The game begins with these limits. @param {string[]} limits */
  start(limits) {
    this.limits = limits.map(readLimit);
    this._left = this.limits.map(({ bank }) => bank);
  }

  /** The seat to move has thought for that long already. @param {number} thinking seconds */
  welcome(thinking) {
    this._thinkingSince = performance.now() - thinking * 1000;
    this._since = this._thinkingSince;
    this.version.value += 1;
  }

  /**
   * A turn is over, and from now on the clock of the next seat runs.
   * @param {(number|null)[]|undefined} left
   * @param {boolean} isLastOfBacklog whether this was the last event before one came in
   */
  moved(left, isLastOfBacklog) {
    if (left) this._left = left;
    this._since = isLastOfBacklog ? this._thinkingSince : performance.now();
    this.version.value += 1;
  }

  /** A request says exactly what is left. @param {RequestMessage} request */
  asked({ seat = 0, limit, seconds }) {
    const limits = this.limits[seat - 1];
    if (!limits) return;
    const full = limits.bank !== null ? this._left[seat - 1] : limits.seconds;
    const left = limits.bank !== null ? limit.bank : seconds;
    if (typeof full === "number" && typeof left === "number") {
      this._since = performance.now() - Math.max(0, full - left) * 1000;
    }
    this.version.value += 1;
  }

  /** A seat has used up its time. @param {number} seat */
  ranOut(seat) {
    if (this.limits[seat - 1]?.bank !== null) this._left = this._left.map((left, index) => (index === seat - 1 ? 0 : left));
    this.version.value += 1;
  }

  /**
   * Seconds a seat has left now, or null where nobody counts.
   * @param {number} seat
   * @param {boolean} isRunning
   */
  left(seat, isRunning) {
    const limit = this.limits[seat - 1];
    if (!limit) return null;
    const full = limit.bank !== null ? this._left[seat - 1] ?? null : limit.seconds;
    if (full === null) return null;
    const spent = isRunning ? (performance.now() - this._since) / 1000 : 0;
    return Math.max(0, full - spent);
  }
}
