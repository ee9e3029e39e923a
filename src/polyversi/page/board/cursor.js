/** The frame of the keyboard's cursor, the shade under the pointer, and the sides of a cell that can be chosen. */
import { directions, nearestDirection, side } from "./compass.js";
import { make, onto, outline, put } from "./svg.js";

/** @import { Plan } from "./config.js" */

/** @typedef {{cell: number, direction: number}} Side */

/** How far from a cell's middle, in units, its sides begin. */
const MIDDLE = 10;
/** Where on the way from a cell's middle to its side the knob of the side is. */
const KNOB = 0.68;

export class Cursor {
  /** Below the stones. */
  below = make("g");
  /** Above everything. */
  above = make("g");
  #plan;
  #shade;
  #frame;
  #sides;
  #chosen = make("circle", { class: "board-side-chosen", r: 6, visibility: "hidden" });

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
    this.#shade = make("path", { class: "board-shade", d: outline(plan), visibility: "hidden" });
    const frames = ["board-cursor-ground", "board-cursor-line"].map((name) => make("path", { class: name, d: outline(plan, 2) }));
    this.#frame = make("g", { class: "board-cursor", visibility: "hidden" }, ...frames);
    const knobs = directions(plan).map((_, direction) => {
      const [dx, dy] = side(plan, direction);
      return make("circle", { class: "board-side", cx: dx * KNOB, cy: dy * KNOB, r: 3.6 });
    });
    this.#sides = make("g", { visibility: "hidden" }, ...knobs);
    this.below.append(this.#shade);
    this.above.append(this.#frame, this.#sides, this.#chosen);
  }

  /** The cell that the keyboard is on. @param {number} cell */
  moveTo(cell) {
    this.#frame.setAttribute("transform", onto(this.#plan, cell));
  }

  /** Whether the keyboard's frame is to be seen. @param {boolean} shown */
  show(shown) {
    this.#frame.setAttribute("visibility", shown ? "visible" : "hidden");
  }

  /** The cell that the pointer is on. @param {number|null} cell */
  shade(cell) {
    put(this.#shade, cell === null ? null : onto(this.#plan, cell));
  }

  /**
   * Offers the sides of a cell, one of them under the pointer.
   * @param {number|null} cell
   * @param {number|null} direction
   */
  offer(cell, direction) {
    put(this.#sides, cell === null ? null : onto(this.#plan, cell));
    [...this.#sides.children].forEach((knob, index) => knob.classList.toggle("board-near", index === direction));
  }

  /** @param {Side|null} chosen */
  mark(chosen) {
    if (!chosen) return put(this.#chosen, null);
    const [dx, dy] = side(this.#plan, chosen.direction);
    put(this.#chosen, `translate(${this.#plan.x[chosen.cell] + dx * KNOB} ${this.#plan.y[chosen.cell] + dy * KNOB})`);
  }

  /**
   * The direction of the side at a place within a cell, or null in its middle.
   * @param {number} dx How far right of the cell's middle, in units.
   * @param {number} dy
   */
  sideAt(dx, dy) {
    return Math.hypot(dx, dy) < MIDDLE ? null : nearestDirection(this.#plan, dx, dy);
  }
}
