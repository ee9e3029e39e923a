/** Stones that flip, appear and fade. The board itself is always up to date: only pictures move over it. */
import { isStone } from "./config.js";
import { make } from "./svg.js";

/** @import { Plan } from "./config.js" */
/** @import { Change } from "./tiles.js" */

/** Milliseconds that half a flip takes. */
const HALF = 130;
/** Milliseconds by which a stone flips later for every cell between it and the move. */
const STEP = 35;
/** The longest such delay. */
const LATEST = 245;
/** With more changes than this, all stones fade in at once. */
const MANY = 60;

export class Motion {
  /** Old stones on their way out; above the stones. */
  layer = make("g");
  #plan;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
  }

  /**
   * Shows how the board came to be what it is.
   * @param {Change[]} changes
   * @param {number|null} origin The cell that flips start from.
   * @param {Element[]} sheets All stones.
   */
  show(changes, origin, sheets) {
    this.stop();
    if (this.#calm.matches) return;
    if (changes.length > MANY) {
      for (const sheet of sheets) this.#moving.push(sheet.animate({ opacity: [0.35, 1] }, { duration: 2 * HALF }));
    } else {
      for (const change of changes) this.#move(change, this.#delay(change.cell, origin));
    }
  }

  /** Ends whatever still moves. */
  stop() {
    for (const motion of this.#moving) motion.cancel();
    this.#moving = [];
    this.layer.replaceChildren();
  }

  /** @type {Animation[]} */
  #moving = [];

  /**
   * @param {number} cell
   * @param {number|null} origin
   */
  #delay(cell, origin) {
    if (origin === null) return 0;
    const { x, y } = this.#plan;
    const away = Math.hypot(x[cell] - x[origin], y[cell] - y[origin]) / 40;
    return Math.min(LATEST, Math.max(0, away - 1) * STEP);
  }

  /**
   * @param {Change} change
   * @param {number} delay
   */
  #move({ cell, before, after, old, now }, delay) {
    const at = `translate(${this.#plan.x[cell]}px, ${this.#plan.y[cell]}px)`;
    const flat = `${at} scaleX(0)`;
    if (isStone(before) && isStone(after)) {
      this.#leave(old, { transform: [at, flat] }, { delay, duration: HALF, easing: "ease-in" });
      this.#play(now, { transform: [flat, at] }, { delay: delay + HALF, duration: HALF, easing: "ease-out" });
    } else if (isStone(after)) {
      const frames = { transform: [`${at} scale(0.5)`, at], opacity: [0.3, 1] };
      this.#play(now, frames, { duration: HALF, easing: "ease-out" });
    } else if (isStone(before)) {
      this.#leave(old, { opacity: [1, 0] }, { delay, duration: HALF });
    }
  }

  /**
   * Moves a stone that is on the board.
   * @param {SVGElement|null} node
   * @param {PropertyIndexedKeyframes} frames
   * @param {KeyframeAnimationOptions} timing
   */
  #play(node, frames, timing) {
    if (node) this.#moving.push(node.animate(frames, { ...timing, fill: "backwards" }));
  }

  /**
   * Moves a stone that was on the board, and forgets it.
   * @param {SVGElement|null} node
   * @param {PropertyIndexedKeyframes} frames
   * @param {KeyframeAnimationOptions} timing
   */
  #leave(node, frames, timing) {
    if (!node) return;
    this.layer.append(node);
    const motion = node.animate(frames, { ...timing, fill: "both" });
    motion.onfinish = () => node.remove();
    this.#moving.push(motion);
  }
}
