/** The clocks of a game: the server runs them, this counts in between. */
import { signal } from "./html.js";
import { limitFields } from "./words.js";

/** @import { RequestMessage } from "./types.js" */

export class Clocks {
  constructor() {
    /** The seconds of each seat for the game, or for a move; null where there is no such limit. */
    this.limits = /** @type {{bank: number|null, seconds: number|null}[]} */ ([]);
    /** Goes up whenever a clock was set, so that its views are drawn again. */
    this.version = signal(0);
    /** @type {(number|null)[]} */
    this._left = [];
    /** The seats whose time is used up. @type {Set<number>} */
    this._out = new Set();
    this._since = 0;
    this._thinkingSince = 0;
  }

  /** The game begins with these limits. @param {string[]} limits */
  start(limits) {
    this.limits = limits.map((limit) => {
      const { bank, seconds } = limitFields(limit);
      return { bank: bank ? Number(bank) : null, seconds: seconds ? Number(seconds) : null };
    });
    this._left = this.limits.map(({ bank }) => bank);
    this._out.clear();
  }

  /** The seat to move has thought for that long already. @param {number} thinking seconds */
  welcome(thinking) {
    this._thinkingSince = performance.now() - thinking * 1000;
    this._since = this._thinkingSince;
    this.version.value += 1;
  }

  /**
   * A turn is over and the next seat's clock runs: from now, or at the end of a backlog from when the seat began to think.
   * @type {(left: (number|null)[]|undefined, isLastOfBacklog: boolean) => void}
   */
  moved(left, isLastOfBacklog) {
    if (left) this._left = left;
    this._since = isLastOfBacklog ? this._thinkingSince : performance.now();
    this.version.value += 1;
  }

  /** A request says exactly what is left. @param {RequestMessage} request */
  asked({ seat = 0, limit, seconds }) {
    const full = this._full(seat);
    const left = this.limits[seat - 1]?.bank === null ? seconds : limit.bank;
    if (full !== null && left !== undefined) this._since = performance.now() - Math.max(0, full - left) * 1000;
    this.version.value += 1;
  }

  /** A seat has used up its time. @param {number} seat */
  ranOut(seat) {
    this._out.add(seat);
    this.version.value += 1;
  }

  /** Seconds a seat has left; null without a time limit. @type {(seat: number, isRunning: boolean) => number|null} */
  left(seat, isRunning) {
    const full = this._out.has(seat) ? 0 : this._full(seat);
    const spent = isRunning ? (performance.now() - this._since) / 1000 : 0;
    return full === null ? null : Math.max(0, full - spent);
  }

  /** Seconds a seat has at the beginning of its turn. @type {(seat: number) => number|null} */
  _full(seat) {
    const { bank = null, seconds = null } = this.limits[seat - 1] ?? {};
    return bank === null ? seconds : this._left[seat - 1] ?? null;
  }
}
