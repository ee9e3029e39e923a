/** Transitions: arcs with a numbered port at either end, and the one that is being followed above the others. */
import { HOLE } from "./config.js";
import { make, onto, outline, sheet } from "./svg.js";

/** @import { Link, Plan } from "./config.js" */

/** The radius of a port. */
const PORT = 6.5;
/** Maps with more transitions than this show them faintly until one is followed. */
const DENSE = 40;

export class Links {
  /** All transitions, below the stones. */
  layer;
  /** Those that are followed, above the stones, with their two cells framed. */
  followed = make("g", { class: "board-followed" });
  #plan;
  /** @type {SVGGElement[]} */
  #nodes;
  /** The places in the plan's list of the transitions of each linked cell. @type {Map<number, number[]>} */
  #ofCell = new Map();
  /** @type {number[]} */
  #shown = [];

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
    this.#nodes = plan.links.map(drawn);
    const dense = plan.links.length > DENSE ? " board-dense" : "";
    this.layer = sheet(plan, `board-links${dense}`, ...this.#nodes);
    plan.links.forEach(({ ends }, index) => {
      for (const cell of new Set(ends.map(([end]) => end))) {
        this.#ofCell.set(cell, [...(this.#ofCell.get(cell) ?? []), index]);
      }
    });
  }

  /** The transitions of a cell in words. @param {number} cell */
  words(cell) {
    return (this.#ofCell.get(cell) ?? []).map((index) => this.#plan.links[index].title).join(", ");
  }

  /**
   * Removes the transitions of cells that were bombed, and restores them when the cells are back.
   * @type {(changes: {cell: number}[], tile: (cell: number) => number) => void}
   */
  update(changes, tile) {
    for (const { cell } of changes) {
      for (const index of this.#ofCell.get(cell) ?? []) {
        const gone = this.#plan.links[index].ends.some(([end]) => tile(end) === HOLE);
        this.#nodes[index].classList.toggle("board-gone", gone);
      }
    }
  }

  /**
   * Lifts the transitions that begin at a cell, or the one that a port belongs to, above everything.
   * @type {(cell: number|null, target?: Element|null) => void}
   */
  follow(cell, target = null) {
    const port = target?.closest?.(".board-link");
    const index = port ? this.#nodes.indexOf(/** @type {SVGGElement} */ (port)) : -1;
    const wanted = index >= 0 ? [index] : (cell !== null && this.#ofCell.get(cell)) || [];
    if (wanted.length === this.#shown.length && wanted.every((one, at) => one === this.#shown[at])) return;
    for (const one of this.#shown) this.layer.append(this.#nodes[one]);
    this.#shown = wanted;
    const ends = new Set(wanted.flatMap((one) => this.#plan.links[one].ends.map(([end]) => end)));
    const frame = { class: "board-end", d: outline(this.#plan, 1.5) };
    const frames = [...ends].map((end) => make("path", { ...frame, transform: onto(this.#plan, end) }));
    // A dark border keeps the arcs apart from the stones and lines that they run over.
    const borders = wanted.map((one) => make("path", { class: "board-border", d: this.#plan.links[one].path }));
    this.followed.replaceChildren(...frames, ...borders, ...wanted.map((one) => this.#nodes[one]));
    this.layer.classList.toggle("board-dimmed", wanted.length > 0);
  }
}

/** @param {Link} link */
function drawn({ number, path, ends, title, colour, dash }) {
  const ports = ends.flatMap(([, x, y]) =>
    [make("circle", { cx: x, cy: y, r: PORT }), make("text", { x, y, dy: "0.35em" }, String(number))]);
  const parts = [make("title", {}, title), make("path", { class: "board-arc", d: path }), ...ports];
  return make("g", { class: `board-link board-link-${colour} board-dash-${dash}` }, ...parts);
}
