/** The frame of the keyboard's cursor, the shade under the pointer, and the sides of a cell that can be chosen. */
import { directions, side } from "./compass.js";
import { make, onto, outline, put } from "./svg.js";

/** @import { Plan } from "./config.js" */

/** How far the knob of a side is on the way from the cell's middle to the side. */
const KNOB = 0.68;

export class Cursor {
  /** Below the stones. */
  below;
  /** Above everything. */
  above;
  #plan;
  #shade;
  #frame;
  #sides;
  #chosen = make("circle", { class: "board-side-chosen", r: 6 });

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
    this.#shade = make("path", { class: "board-shade", d: outline(plan) });
    const frames = ["board-cursor-ground", "board-cursor-line"].map((name) => make("path", { class: name, d: outline(plan, 2) }));
    this.#frame = make("g", { class: "board-cursor" }, ...frames);
    const knobs = directions(plan).map(() => make("circle", { class: "board-side", r: 3.6 }));
    knobs.forEach((knob, direction) => this.#moveToSide(knob, direction));
    this.#sides = make("g", {}, ...knobs);
    this.below = make("g", { visibility: "hidden" }, this.#shade);
    this.above = make("g", { visibility: "hidden" }, this.#frame, this.#sides, this.#chosen);
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
    put(this.#shade, this.#plan, cell);
  }

  /** Offers a cell's sides, one being pointed at. @type {(cell: number|null, direction: number|null) => void} */
  offer(cell, direction) {
    put(this.#sides, this.#plan, cell);
    [...this.#sides.children].forEach((knob, index) => knob.classList.toggle("board-near", index === direction));
  }

  /** Marks a side as chosen. @param {{cell: number, direction: number}|null} chosen */
  mark(chosen) {
    put(this.#chosen, this.#plan, chosen?.cell ?? null);
    if (chosen) this.#moveToSide(this.#chosen, chosen.direction);
  }

  /** @type {(knob: SVGCircleElement, direction: number) => void} */
  #moveToSide(knob, direction) {
    const [dx, dy] = side(this.#plan, direction);
    knob.setAttribute("cx", String(dx * KNOB));
    knob.setAttribute("cy", String(dy * KNOB));
  }
}
