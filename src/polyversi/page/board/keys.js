/** The keyboard: moves the cursor on the board, chooses cells and sides, and zooms. */
import { nearestDirection, nextCell, nextRow } from "./compass.js";

/** @import { Plan } from "./config.js" */
/** @import { View } from "./view.js" */

/**
 * What keys can do.
 * @typedef {object} Acts
 * @property {() => number} cursor The cell that the cursor is on.
 * @property {() => boolean} isPointedAt Whether a pointer was used last, which hides the cursor.
 * @property {(cell: number) => void} moveTo
 * @property {(cell: number) => void} choose
 * @property {(cell: number, direction: number) => boolean} chooseSide False where sides cannot be chosen.
 */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Diagonal steps, as on the keypad. @type {Record<string, [dx: number, dy: number]>} */
const SLANTED = {
  Numpad7: [-1, -1], Numpad9: [1, -1], Numpad1: [-1, 1], Numpad3: [1, 1],
  PageUp: [1, -1], PageDown: [1, 1], "Shift+PageUp": [-1, -1], "Shift+PageDown": [-1, 1],
};
const WALKING = /^(Arrow|Home$|End$|Page)/;
const ZOOM = 1.5;

export class Keys {
  #plan;
  #view;
  #acts;
  /** The column that going up and down keeps to. @type {number|null} */
  #column = null;

  /**
   * @param {Plan} plan
   * @param {View} view
   * @param {SVGElement} grid What has the focus.
   * @param {Acts} acts
   * @param {AbortSignal} signal Ends all listening.
   */
  constructor(plan, view, grid, acts, signal) {
    this.#plan = plan;
    this.#view = view;
    this.#acts = acts;
    grid.addEventListener("keydown", (event) => this.#press(event) && event.preventDefault(), { signal });
  }

  /** Handles a key; returns whether it means something to the board. @param {KeyboardEvent} event */
  #press(event) {
    const { key, code, ctrlKey, shiftKey } = event;
    if (event.altKey || event.metaKey) return false;
    // After a click the cursor is hidden: the keys that move it are left to the page.
    const isSide = shiftKey && key in ARROWS;
    if (WALKING.test(key) && !isSide && this.#acts.isPointedAt()) return false;
    const cell = this.#acts.cursor();
    if (key === "Home" || key === "End") return this.#goToEnd(cell, key === "Home" ? 0 : -1, ctrlKey);
    if (ctrlKey) return false;
    const digit = /^Digit([1-8])$/.exec(code)?.[1];
    if (digit && !shiftKey) return this.#acts.chooseSide(cell, Number(digit) - 1);
    if (key in ARROWS) return this.#arrow(cell, key, shiftKey);
    if (key === "Enter" || key === " ") this.#acts.choose(cell);
    else if (key === "+" || key === "=") this.#view.zoomBy(ZOOM);
    else if (key === "-") this.#view.zoomBy(1 / ZOOM);
    else if (key === "0") this.#view.zoomBy(1 / this.#view.scale);
    else return this.#slanted(cell, SLANTED[(shiftKey ? "Shift+" : "") + code]);
    return true;
  }

  /** @type {(from: number, key: string, shifted: boolean) => boolean} */
  #arrow(from, key, shifted) {
    const [dx, dy] = ARROWS[key];
    // A hexagon has no side straight up or down: the right one of the two nearest is meant.
    if (shifted && this.#acts.chooseSide(from, nearestDirection(this.#plan, dx || 0.01, dy))) return true;
    if (dx) return this.#go(nextCell(this.#plan, from, dx, 0));
    const column = this.#column ?? this.#plan.x[from];
    this.#go(nextRow(this.#plan, from, dy > 0 ? 1 : -1, column));
    this.#column = column;
    return true;
  }

  /** @type {(from: number, step: [dx: number, dy: number]|undefined) => boolean} */
  #slanted(from, step) {
    if (!step) return false;
    const lift = this.#plan.layout === "hexagon" ? Math.sqrt(3) : 1;
    const length = Math.hypot(1, lift);
    return this.#go(nextCell(this.#plan, from, step[0] / length, (step[1] * lift) / length));
  }

  /** The first (0) or last (-1) cell of the row or board. @type {(from: number, end: 0|-1, far: boolean) => boolean} */
  #goToEnd(from, end, far) {
    const { rows } = this.#plan;
    const row = far ? rows.at(end) : rows.find((cells) => cells.includes(from));
    return this.#go(row?.at(end) ?? null);
  }

  /** @param {number|null} cell */
  #go(cell) {
    this.#column = null;
    if (cell !== null) this.#acts.moveTo(cell);
    return true;
  }
}
