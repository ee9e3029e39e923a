/** What lies on the cells: stones above, special tiles and bombed cells below the transitions. */
import { EMPTY, isStone } from "./config.js";
import { onto, sheet } from "./svg.js";

/** @import { Plan } from "./config.js" */
/** @import { Looks } from "./looks.js" */

/**
 * A cell whose tile changed, with the element that was drawn there, now off the board, and the element that is now.
 * @typedef {{cell: number, before: number, after: number, old: SVGElement|null, now: SVGElement|null}} Change
 */

/** About how many cells share a sheet of stones. A browser repaints only the sheets on which a stone changed. */
const SHEET = 250;

export class Tiles {
  /** Special tiles and bombed cells. */
  specials;
  /** Sheets of stones. @type {SVGSVGElement[]} */
  stones = [];
  /** The sheet on which the stone of each cell lies. @type {SVGSVGElement[]} */
  #sheets = [];
  #plan;
  #looks;
  /** @type {Uint8Array} */
  #drawn;
  /** @type {(SVGElement|null)[]} */
  #nodes;

  /** @param {Plan} plan @param {Looks} looks */
  constructor(plan, looks) {
    this.#plan = plan;
    this.#looks = looks;
    this.specials = sheet(plan, "board-specials");
    let room = 0;
    for (const row of plan.rows) {
      if (room <= 0) {
        this.stones.push(sheet(plan, "board-stones"));
        room = SHEET;
      }
      for (const cell of row) this.#sheets[cell] = this.stones[this.stones.length - 1];
      room -= row.length;
    }
    this.#drawn = new Uint8Array(plan.x.length);
    this.#nodes = new Array(plan.x.length).fill(null);
  }

  /** The tile that is drawn on a cell. @param {number} cell */
  at(cell) {
    return this.#drawn[cell];
  }

  /** Draws the cells on which something changed. @type {(tiles: ArrayLike<number>) => Change[]} */
  update(tiles) {
    const changes = [];
    for (let cell = 0; cell < this.#drawn.length; cell++) {
      const before = this.#drawn[cell];
      const after = tiles[cell] ?? EMPTY;
      if (before === after) continue;
      const old = this.#nodes[cell];
      old?.remove();
      changes.push({ cell, before, after, old, now: this.#place(cell, after) });
    }
    return changes;
  }

  /** Redraws everything, after the looks of the stones have changed. */
  redraw() {
    for (let cell = 0; cell < this.#drawn.length; cell++) {
      this.#nodes[cell]?.remove();
      this.#place(cell, this.#drawn[cell]);
    }
  }

  /** @type {(cell: number, tile: number) => SVGElement|null} */
  #place(cell, tile) {
    this.#drawn[cell] = tile;
    if (tile === EMPTY) return (this.#nodes[cell] = null);
    const node = this.#looks.draw(tile);
    node.setAttribute("transform", onto(this.#plan, cell));
    (isStone(tile) ? this.#sheets[cell] : this.specials).append(node);
    return (this.#nodes[cell] = node);
  }
}
