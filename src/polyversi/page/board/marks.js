/** Marks on cells: possible moves, the last move, a hint, and what a move that is thought of would do. */
import { EMPTY, isStone } from "./config.js";
import { STONE } from "./looks.js";
import { attribute, make, onto, outline, outlines, put, short } from "./svg.js";

/** @import { Config, Plan, Preview } from "./config.js" */
/** @import { Looks } from "./looks.js" */

const RING = STONE + 2;
/** An arrow that points at the middle of a cell from above. */
const ARROW = "M0-10.5L-4.5-17.5H4.5Z";
/** How far right of and above the middle of a cell that is not free its mark as a possible move lies. */
const ASIDE = 12.5;

/** The dots of possible moves are one path, however many there are: as quick to change as a single one. */
class Dots {
  #border = make("path", { class: "board-dots-border" });
  #inner = make("path", { class: "board-dots-inner" });
  group = make("g", { class: "board-legal" }, this.#border, this.#inner);

  /** @param {string} path */
  draw(path) {
    attribute(this.#border, "d", path);
    attribute(this.#inner, "d", path);
  }
}

export class Marks {
  /** Below the stones: possible moves on free cells. */
  below = make("g", { class: "board-marks" });
  /** Above the stones. */
  above = make("g", { class: "board-marks" });
  #plan;
  #looks;
  #dots = new Dots();
  #corners = new Dots();
  #turned = make("path", { class: "board-turned" });
  #last = make("circle", { class: "board-last", r: RING, visibility: "hidden" });
  #hint;
  #hatch;
  #preview = make("g", { class: "board-preview" });
  /** The cells that are marked as possible moves. @type {Set<number>} */
  #legal = new Set();
  /** @type {Preview|null} */
  #previewed = null;

  /**
   * @param {Plan} plan
   * @param {Looks} looks
   * @param {string} prefix What the name of the hatching begins with.
   */
  constructor(plan, looks, prefix) {
    this.#plan = plan;
    this.#looks = looks;
    const arrows = [0, 90, 180, 270].map((turn) => make("path", { d: ARROW, transform: `rotate(${turn})` }));
    this.#hint = make("g", { class: "board-hint", visibility: "hidden" }, make("path", { d: outline(plan, 2) }), ...arrows);
    this.#hatch = `url(#${prefix}hatch)`;
    this.below.append(this.#dots.group);
    this.above.append(hatching(prefix), this.#turned, this.#last, this.#corners.group, this.#preview, this.#hint);
  }

  /**
   * Draws the marks that changed.
   * @param {Config} config
   * @param {(cell: number) => number} tile What lies on a cell now.
   * @param {boolean} dressed Whether stones look otherwise than before.
   * @returns {number[]} The cells whose mark as legal changed.
   */
  update(config, tile, dressed) {
    const before = this.#legal;
    this.#legal = new Set(config.legal);
    this.#markLegal(config.preview?.cell ?? null, tile);
    const colour = config.turn ? this.#looks.fill(config.turn) : "";
    for (const { group } of [this.#dots, this.#corners]) attribute(group, "stroke", colour);
    attribute(this.#turned, "d", config.turned.map((cell) => this.#ring(cell)).join(""));
    put(this.#last, config.last === null ? null : onto(this.#plan, config.last));
    put(this.#hint, config.hint === null ? null : onto(this.#plan, config.hint));
    if (config.preview !== this.#previewed || dressed) this.#draw(config.preview, tile);
    this.#previewed = config.preview;
    return [...before, ...this.#legal].filter((cell) => before.has(cell) !== this.#legal.has(cell));
  }

  /** Whether a cell is marked as a possible move. @param {number} cell */
  isLegal(cell) {
    return this.#legal.has(cell);
  }

  /**
   * @param {number|null} covered The cell of a ghost, through which a dot would shine.
   * @param {(cell: number) => number} tile
   */
  #markLegal(covered, tile) {
    const { x, y } = this.#plan;
    let [dots, corners] = ["", ""];
    for (const cell of this.#legal) {
      if (cell === covered) continue;
      if (tile(cell) === EMPTY) dots += `M${x[cell]} ${y[cell]}h0`;
      else corners += `M${short(x[cell] + ASIDE)} ${short(y[cell] - ASIDE)}h0`;
    }
    this.#dots.draw(dots);
    this.#corners.draw(corners);
  }

  /** @param {number} cell */
  #ring(cell) {
    const half = `a${RING} ${RING} 0 1 0`;
    return `M${short(this.#plan.x[cell] - RING)} ${this.#plan.y[cell]}${half} ${2 * RING} 0${half} ${-2 * RING} 0`;
  }

  /**
   * @param {Preview|null} preview
   * @param {(cell: number) => number} tile
   */
  #draw(preview, tile) {
    /** @type {SVGElement[]} */
    const parts = [];
    if (preview?.bomb) {
      const area = outlines(this.#plan, new Set([preview.cell, ...preview.turned]));
      parts.push(make("path", { class: "board-reach", d: area }), make("path", { d: area, fill: this.#hatch }));
    } else if (preview) {
      if (preview.seat) {
        const place = { class: "board-ghost", transform: onto(this.#plan, preview.cell) };
        parts.push(make("g", place, this.#looks.draw(preview.seat)));
      }
      const fill = preview.seat ? this.#looks.fill(preview.seat) : "none";
      for (const cell of preview.turned) {
        const r = isStone(tile(cell)) ? 7 : 5;
        parts.push(make("circle", { class: "board-would", r, fill, transform: onto(this.#plan, cell) }));
      }
    }
    this.#preview.replaceChildren(...parts);
  }
}

/** @param {string} prefix */
function hatching(prefix) {
  const size = { width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  const lines = make("path", { class: "board-hatch", d: "M2 0V8" });
  return make("defs", {}, make("pattern", { id: `${prefix}hatch`, ...size }, lines));
}
