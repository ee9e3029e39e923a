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
  /** @type {Animation[]} */
  #moving = [];
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
  }

  /**
   * Shows how the board came to be what it is; flips start from the origin, and all stones are on the sheets.
   * @type {(changes: Change[], origin: number|null, sheets: Element[]) => void}
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

  /** Ends all animations. */
  stop() {
    for (const motion of this.#moving) motion.cancel();
    this.#moving = [];
    this.layer.replaceChildren();
  }

  /** @type {(cell: number, origin: number|null) => number} */
  #delay(cell, origin) {
    if (origin === null) return 0;
    const { x, y } = this.#plan;
    const away = Math.hypot(x[cell] - x[origin], y[cell] - y[origin]) / 40;
    return Math.min(LATEST, Math.max(0, away - 1) * STEP);
  }

  /** @type {(change: Change, delay: number) => void} */
  #move({ cell, before, after, old, now }, delay) {
    const at = `translate(${this.#plan.x[cell]}px, ${this.#plan.y[cell]}px)`;
    const flat = `${at} scaleX(0)`;
    if (isStone(before) && isStone(after)) {
      this.#leave(old, { transform: [at, flat] }, { delay, easing: "ease-in" });
      this.#play(now, { transform: [flat, at] }, { delay: delay + HALF, easing: "ease-out" });
    } else if (isStone(after)) {
      this.#play(now, { transform: [`${at} scale(0.5)`, at], opacity: [0.3, 1] }, { easing: "ease-out" });
    } else if (isStone(before)) {
      this.#leave(old, { opacity: [1, 0] }, { delay });
    }
  }

  /**
   * Moves a stone for half a flip.
   * @type {(node: SVGElement|null, frames: PropertyIndexedKeyframes, timing: EffectTiming) => Animation|undefined}
   */
  #play(node, frames, timing) {
    const motion = node?.animate(frames, { duration: HALF, fill: "backwards", ...timing });
    if (motion) this.#moving.push(motion);
    return motion;
  }

  /**
   * Moves a stone that was on the board, and forgets it.
   * @type {(node: SVGElement|null, frames: PropertyIndexedKeyframes, timing: EffectTiming) => void}
   */
  #leave(node, frames, timing) {
    if (!node) return;
    this.layer.append(node);
    const motion = this.#play(node, frames, { ...timing, fill: "both" });
    if (motion) motion.onfinish = () => node.remove();
  }
}
