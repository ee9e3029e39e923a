/** Shows events one after the other, slowly enough to be followed; the game and its clocks never wait for that. */
import { signal } from "./html.js";
import { pace } from "./settings.js";

/** Milliseconds between two moves of computers, by the name of the pace. */
const GAPS = { instant: 0, calm: 700, slow: 1600 };
/** The most where the visitor's own clock runs meanwhile. */
const TIMED_GAP = 250;

/** The milliseconds of the visitor's pace. @param {boolean} isTimed whether the visitor's clock runs meanwhile */
export function paceGap(isTimed) {
  const gap = GAPS[pace.value] ?? GAPS.calm;
  return isTimed ? Math.min(gap, TIMED_GAP) : gap;
}

/** @template T */
export class PacedQueue {
  /** How many wait. */
  length = signal(0);
  /** @type {{item: T, isPaced: boolean}[]} */
  #waiting = [];
  #gap;
  #show;
  #timer = 0;
  #lastShown = -Infinity;

  /**
   * @param {() => number} gap milliseconds between what was shown last and an item that is paced
   * @param {(item: T) => void} show
   */
  constructor(gap, show) {
    this.#gap = gap;
    this.#show = show;
  }

  /** Shows an item when everything before it was shown; one that is paced also waits for its time. @type {(item: T, isPaced: boolean) => void} */
  push(item, isPaced) {
    this.#waiting.push({ item, isPaced });
    this.#advance();
  }

  /** Something was shown just now that did not come through the queue. */
  shown() {
    this.#lastShown = performance.now();
  }

  /** Shows everything at once. */
  flush() {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#show(next.item);
    this.#advance();
  }

  /** Shows nothing any more. */
  stop() {
    clearTimeout(this.#timer);
    this.#waiting = [];
  }

  #advance() {
    clearTimeout(this.#timer);
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      // Nobody looks at a page in the background, and its timers are late.
      const gap = next.isPaced && !document.hidden ? this.#gap() : 0;
      const wait = this.#lastShown + gap - performance.now();
      if (gap > 0 && wait > 0) {
        this.#timer = window.setTimeout(() => this.#advance(), wait);
        break;
      }
      this.#waiting.shift();
      if (next.isPaced) this.shown();
      this.#show(next.item);
    }
    this.length.value = this.#waiting.length;
  }
}
