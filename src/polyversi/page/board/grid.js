/** The board for those who hear it: a grid of rows and cells with words; its cells also catch the pointer. */
import { make, onto, outline, sheet } from "./svg.js";

/** @import { Plan } from "./config.js" */

export class Grid {
  /** The sheet on top of all others; the only one that is not hidden from screen readers. */
  layer;
  /** The elements of the cells. @type {SVGPathElement[]} */
  cells;
  /** @type {string[]} */
  #words;
  /** @type {Map<Element, number>} */
  #numbers;

  /**
   * @param {Plan} plan
   * @param {string} prefix What the ids of cells begin with.
   * @param {(cell: number) => string} more What is to be added to the words of a cell, always.
   */
  constructor(plan, prefix, more) {
    const shape = outline(plan);
    this.cells = plan.x.map((_, cell) => {
      const node = make("path", { id: `${prefix}cell-${cell}`, role: "gridcell", d: shape, transform: onto(plan, cell) });
      const words = more(cell);
      if (words) node.setAttribute("aria-description", words);
      return node;
    });
    this.#words = new Array(plan.x.length).fill("");
    this.#numbers = new Map(this.cells.map((node, cell) => [node, cell]));
    const rows = plan.rows.map((row) => make("g", { role: "row" }, ...row.map((cell) => this.cells[cell])));
    this.layer = sheet(plan, "board-grid", ...rows);
    this.layer.removeAttribute("aria-hidden");
    this.layer.setAttribute("role", "grid");
    this.layer.tabIndex = 0;
  }

  /**
   * Gives cells their words.
   *
   * @param {Iterable<number>} cells
   * @param {(cell: number) => string} words
   */
  name(cells, words) {
    for (const cell of cells) {
      const told = words(cell);
      if (told === this.#words[cell]) continue;
      this.#words[cell] = told;
      this.cells[cell].setAttribute("aria-label", told);
    }
  }

  /**
   * The cell that an element stands for, or null.
   *
   * @param {EventTarget|null} target
   */
  cellOf(target) {
    return this.#numbers.get(/** @type {Element} */ (target)) ?? null;
  }

  /**
   * The cell at a place on the screen, or null.
   *
   * @param {number} x
   * @param {number} y
   */
  cellAt(x, y) {
    return this.cellOf(document.elementFromPoint(x, y));
  }
}
