/** The parts of a board that stay: the ground that is drawn, and the grid of cells for the pointer and screen readers. */
import { attribute, make, onto, outline, outlines, sheet } from "./svg.js";

/** @import { Plan } from "./config.js" */

export class Grid {
  /** The sheet on top of all others; the only one that is not hidden from screen readers. */
  layer;
  /** The elements of the cells. @type {SVGPathElement[]} */
  cells;
  /** @type {Map<EventTarget|null, number>} */
  #numbers;

  /**
   * @param {Plan} plan
   * @param {string} prefix What the ids of cells begin with.
   * @param {(cell: number) => string} describe What is to be added to the words of a cell, always.
   */
  constructor(plan, prefix, describe) {
    const shape = outline(plan);
    this.cells = plan.x.map((_, cell) => {
      const node = make("path", { id: `${prefix}cell-${cell}`, role: "gridcell", d: shape, transform: onto(plan, cell) });
      const words = describe(cell);
      if (words) node.setAttribute("aria-description", words);
      return node;
    });
    this.#numbers = new Map(this.cells.map((node, cell) => [node, cell]));
    const rows = plan.rows.map((row) => make("g", { role: "row" }, ...row.map((cell) => this.cells[cell])));
    this.layer = sheet(plan, "board-grid", ...rows);
    this.layer.removeAttribute("aria-hidden");
    this.layer.setAttribute("role", "grid");
    this.layer.tabIndex = 0;
  }

  /** Gives cells their words. @type {(cells: Iterable<number>, words: (cell: number) => string) => void} */
  name(cells, words) {
    for (const cell of cells) attribute(this.cells[cell], "aria-label", words(cell));
  }

  /** The cell that an element stands for, or null. @param {EventTarget|null} target */
  cellOf(target) {
    return this.#numbers.get(target) ?? null;
  }

  /** The cell at a place on the screen, or null. @type {(x: number, y: number) => number|null} */
  cellAt(x, y) {
    return this.cellOf(document.elementFromPoint(x, y));
  }
}

/** The ground of a board. All cells of a row are one path: a map of 50 by 50 is 50 elements. @param {Plan} plan */
export function ground(plan) {
  const group = (/** @type {string} */ name, /** @type {Node[]} */ parts) => make("g", { class: name }, ...parts);
  return sheet(
    plan,
    "board-ground",
    make("rect", { class: "board-frame", width: plan.width, height: plan.height, rx: 10 }),
    group("board-cells", plan.rows.map((row) => make("path", { d: outlines(plan, row) }))),
    group("board-dots", plan.dots.map(([cx, cy]) => make("circle", { cx, cy, r: 4 }))),
    group("board-joined", plan.joined.map(([x1, y1, x2, y2]) => make("line", { x1, y1, x2, y2 }))),
    group("board-labels", plan.labels.map(([x, y, name]) => make("text", { x, y, dy: "0.35em" }, name))),
  );
}
