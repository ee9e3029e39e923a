/** The keyboard: a cursor that walks the board, chooses cells and sides, and zooms. */
import { nearestDirection, nextCell, nextRow } from "./compass.js";

/** @import { Plan } from "./config.js" */

/**
 * What keys lead to.
 *
 * @typedef {object} Acts
 * @property {() => number} cursor The cell that the cursor is on.
 * @property {() => boolean} isPointedAt Whether a pointer was used last, which hides the cursor.
 * @property {(cell: number) => void} moveTo
 * @property {(cell: number) => void} choose
 * @property {(cell: number, direction: number) => boolean} chooseSide False where sides cannot be chosen.
 * @property {(factor: number) => void} zoomBy
 * @property {() => void} fit
 */

/** @type {Record<string, [dx: number, dy: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
/** Slanted ways, as on the keypad. @type {Record<string, [dx: number, dy: number]>} */
const SLANTED = {
  Numpad7: [-1, -1], Numpad9: [1, -1], Numpad1: [-1, 1], Numpad3: [1, 1],
  PageUp: [1, -1], PageDown: [1, 1], "Shift+PageUp": [-1, -1], "Shift+PageDown": [-1, 1],
};
const WALKING = /^(Arrow|Home$|End$|Page)/;
const ZOOM = 1.5;

export class Keys {
  #plan;
  #acts;
  /** The column that going up and down keeps to. @type {number|null} */
  #column = null;

  /**
   * @param {Plan} plan
   * @param {SVGElement} grid What has the focus.
   * @param {Acts} acts
   * @param {AbortSignal} signal Ends all listening.
   */
  constructor(plan, grid, acts, signal) {
    this.#plan = plan;
    this.#acts = acts;
    grid.addEventListener("keydown", (event) => this.#press(event) && event.preventDefault(), { signal });
  }

  /** Whether the key meant something here. @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.metaKey) return false;
    // After a click the cursor is hidden: the keys that walk are left to the page.
    const isSide = event.shiftKey && event.key in ARROWS;
    if (WALKING.test(event.key) && !isSide && this.#acts.isPointedAt()) return false;
    if (event.ctrlKey) return this.#far(event.key);
    const digit = /^Digit([1-8])$/.exec(event.code)?.[1];
    if (digit && !event.shiftKey) return this.#acts.chooseSide(this.#acts.cursor(), Number(digit) - 1);
    if (event.key in ARROWS) return this.#arrow(event.key, event.shiftKey);
    if (event.key === "Enter" || event.key === " ") this.#acts.choose(this.#acts.cursor());
    else if (event.key === "Home" || event.key === "End") this.#rowEnd(event.key === "Home");
    else if (event.key === "+" || event.key === "=") this.#acts.zoomBy(ZOOM);
    else if (event.key === "-") this.#acts.zoomBy(1 / ZOOM);
    else if (event.key === "0") this.#acts.fit();
    else return this.#slanted(event);
    return true;
  }

  /**
   * @param {string} key
   * @param {boolean} shifted
   */
  #arrow(key, shifted) {
    const [dx, dy] = ARROWS[key];
    const from = this.#acts.cursor();
    // Straight up and down there is no side of a hexagon: the right one of the two is meant.
    if (shifted && this.#acts.chooseSide(from, nearestDirection(this.#plan, dx || 0.01, dy))) return true;
    if (dx) {
      this.#go(nextCell(this.#plan, from, dx, 0));
    } else {
      this.#column ??= this.#plan.x[from];
      const column = this.#column;
      this.#go(nextRow(this.#plan, from, dy > 0 ? 1 : -1, column));
      this.#column = column;
    }
    return true;
  }

  /** @param {KeyboardEvent} event */
  #slanted(event) {
    const step = SLANTED[(event.shiftKey ? "Shift+" : "") + event.code];
    if (!step) return false;
    const lift = this.#plan.layout === "hexagon" ? Math.sqrt(3) : 1;
    const length = Math.hypot(1, lift);
    this.#go(nextCell(this.#plan, this.#acts.cursor(), step[0] / length, (step[1] * lift) / length));
    return true;
  }

  /** @param {boolean} first */
  #rowEnd(first) {
    const row = this.#plan.rows.find((cells) => cells.includes(this.#acts.cursor())) ?? [];
    this.#go(row.at(first ? 0 : -1) ?? null);
  }

  /** @param {string} key */
  #far(key) {
    if (key !== "Home" && key !== "End") return false;
    this.#go(key === "Home" ? this.#plan.rows[0][0] : this.#plan.rows.at(-1)?.at(-1) ?? null);
    return true;
  }

  /** @param {number|null} cell */
  #go(cell) {
    this.#column = null;
    if (cell !== null) this.#acts.moveTo(cell);
  }
}
