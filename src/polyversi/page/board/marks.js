/** Marks on cells: possible moves, the last move, a hint, and the preview of a move. */
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

/** The dots of possible moves are one path and its border, however many there are: as quick to change as one. */
const legalDots = () => {
  const paths = ["board-dots-border", "board-dots-inner"].map((name) => make("path", { class: name }));
  return make("g", { class: "board-legal" }, ...paths);
};

export class Marks {
  /** Below the stones: possible moves on free cells. */
  below = make("g", { class: "board-marks" });
  /** Above the stones. */
  above = make("g", { class: "board-marks" });
  #plan;
  #looks;
  #dots = legalDots();
  #corners = legalDots();
  #trail = make("g", { class: "board-trail" });
  #turned = make("path", { class: "board-turned" });
  #last = make("circle", { class: "board-last", r: RING, visibility: "hidden" });
  #hint;
  #hatch;
  #preview = make("g", { class: "board-preview" });

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
    this.below.append(this.#dots);
    this.above.append(hatching(prefix), this.#trail, this.#turned, this.#last, this.#corners, this.#preview, this.#hint);
  }

  /**
   * Draws the marks that changed, or all where stones were dressed; returns the cells whose mark as legal changed.
   * @type {(config: Config, drawn: Config|null, tile: (cell: number) => number, dressed: boolean) => number[]}
   */
  update(config, drawn, tile, dressed) {
    const [before, legal] = [new Set(drawn?.legal), new Set(config.legal)];
    this.#markLegal(legal, new Set([config.preview?.cell, ...config.figures.map(({ cell }) => cell)]), tile);
    const colour = config.turn ? this.#looks.fill(config.turn) : "";
    for (const group of [this.#dots, this.#corners]) attribute(group, "stroke", colour);
    attribute(this.#turned, "d", config.turned.map((cell) => this.#ring(cell)).join(""));
    if (config.trail !== drawn?.trail || dressed) this.#drawTrail(config);
    put(this.#last, this.#plan, config.last);
    put(this.#hint, this.#plan, config.hint);
    if (config.preview !== drawn?.preview || dressed) this.#draw(config.preview, tile);
    return [...before, ...legal].filter((cell) => before.has(cell) !== legal.has(cell));
  }

  /**
   * Draws a dot on every legal cell but those with a figure or a ghost, through which it would shine.
   * @type {(legal: Iterable<number>, taken: Set<number|undefined>, tile: (cell: number) => number) => void}
   */
  #markLegal(legal, taken, tile) {
    const { x, y } = this.#plan;
    let [dots, corners] = ["", ""];
    for (const cell of legal) {
      if (taken.has(cell)) continue;
      if (tile(cell) === EMPTY) dots += `M${x[cell]} ${y[cell]}h0`;
      else corners += `M${short(x[cell] + ASIDE)} ${short(y[cell] - ASIDE)}h0`;
    }
    for (const path of this.#dots.children) attribute(path, "d", dots);
    for (const path of this.#corners.children) attribute(path, "d", corners);
  }

  /** Rings round earlier moves, fainter round what they changed; a cell that the last move changed has its own. @param {Config} config */
  #drawTrail({ trail, last, turned }) {
    const taken = new Set([last, ...turned]);
    const rings = (/** @type {number[]} */ cells) => cells.filter((cell) => !taken.has(cell)).map((cell) => this.#ring(cell)).join("");
    this.#trail.replaceChildren(...trail.flatMap(({ seat, cell, turned: changed }) => [
      make("path", { class: "board-trace", stroke: this.#looks.fill(seat), d: rings([cell]) }),
      make("path", { class: "board-trace board-changed", stroke: this.#looks.fill(seat), d: rings(changed) }),
    ]));
  }

  /** @param {number} cell */
  #ring(cell) {
    const half = `a${RING} ${RING} 0 1 0`;
    return `M${short(this.#plan.x[cell] - RING)} ${this.#plan.y[cell]}${half} ${2 * RING} 0${half} ${-2 * RING} 0`;
  }

  /** @type {(preview: Preview|null, tile: (cell: number) => number) => void} */
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
