/** Figures on cells: what a move there is worth. */
import { make, onto } from "./svg.js";

/** @import { Figure, Plan } from "./config.js" */

/** Half the height of the plate under a figure, and half its width by the letters of the figure. */
const HEIGHT = 9.5;
const widthOf = (/** @type {string} */ text) => Math.min(18.5, 8 + 3.4 * text.length);
/** Longer figures are written smaller. */
const LONG = 3;

export class Figures {
  layer = make("g", { class: "board-figures" });
  #plan;
  /** What is drawn, by cell. @type {Map<number, {figure: Figure, node: SVGElement}>} */
  #drawn = new Map();

  /** @param {Plan} plan */
  constructor(plan) {
    this.#plan = plan;
  }

  /** Draws what changed. @param {Figure[]} figures */
  update(figures) {
    const wanted = new Set(figures.map(({ cell }) => cell));
    for (const [cell, { node }] of this.#drawn) {
      if (wanted.has(cell)) continue;
      node.remove();
      this.#drawn.delete(cell);
    }
    for (const figure of figures) {
      const before = this.#drawn.get(figure.cell);
      if (before && isSame(before.figure, figure)) continue;
      const node = this.#draw(figure);
      if (before) before.node.replaceWith(node);
      else this.layer.append(node);
      this.#drawn.set(figure.cell, { figure, node });
    }
  }

  /** @param {Figure} figure */
  #draw({ cell, text, tone, exact }) {
    const width = widthOf(text);
    const place = { class: `board-figure board-tone-${tone}`, transform: onto(this.#plan, cell) };
    const plate = make("rect", { x: -width, y: -HEIGHT, width: 2 * width, height: 2 * HEIGHT, rx: 6 });
    const letters = make("text", { y: 4.8, class: text.length > LONG ? "board-figure-long" : "" }, text);
    const line = exact ? [make("path", { d: `M${6 - width} ${HEIGHT - 2.6}H${width - 6}` })] : [];
    return make("g", place, plate, letters, ...line);
  }
}

/** @type {(one: Figure, other: Figure) => boolean} */
const isSame = (one, other) => one.text === other.text && one.tone === other.tone && one.exact === other.exact;
