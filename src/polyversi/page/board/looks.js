/** How tiles look: stones with their bevel, sign and pattern, and the symbols of special tiles. */
import { BONUS, CHOICE, EXPANSION, HOLE, INVERSION } from "./config.js";
import { make, outline } from "./svg.js";

/** @import { Paint, Plan } from "./config.js" */

/** The radius of a stone. */
export const STONE = 16;

/** Stones cast a shadow on boards with at most this many cells; on larger ones it would hardly be visible. */
const SHADED = 600;

/** Stones that belong to nobody. @type {Paint} */
const NOBODY = { name: "", fill: "#8b96a3", ink: "#10151c", sign: "X" };

/** What is drawn on special tiles, as paths from the middle of the cell. @type {Record<number, string>} */
export const SYMBOLS = {
  [CHOICE]: "m-9-4h18l-5-5m5 13h-18l5 5",
  [INVERSION]: "m9 0a9 9 0 1 1-4-7.5l-1.7-5.8m1.7 5.8l-6 .6",
  [BONUS]: "m0-8v16m-8-8h16",
  [HOLE]: "m-7-7l14 14m0-14l-14 14",
};

/** Signs as strokes: they need no font, and are quick to draw thousands of times. @type {Record<string, string>} */
const SIGNS = {
  X: "M-5-5L5 5M5-5L-5 5",
  O: "M-6 0A6 6 0 1 0 6 0A6 6 0 1 0-6 0",
  Y: "M-5-6L0 0.5L5-6M0 0.5V6.5",
  1: "M-3-4L0.5-6.5V6.5",
  2: "M-3.6-3.4C-3.2-7.4 3.8-7.6 3.8-3C3.8 0-1 2.4-3.8 6.3H4",
  3: "M-3.6-4.9C-1.6-7.6 3.6-6.9 3.3-3.3C3-0.9 0.7-0.5-1-0.5C1-0.5 4-0.1 4 2.9C4 7.2-2 7.5-4 4.7",
  4: "M2.2 6.5V-6.4L-4.4 2.9H4.6",
  5: "M3.4-6.3H-2.7L-3.3-0.6C-1.6-2 3.9-2.2 3.9 2.2C3.9 7.2-2.2 7.4-3.9 4.8",
  6: "M3.2-5.6C-0.6-8-4-4.5-4 1.4C-4 8.2 4 8 4 2.4C4-2.6-3.2-2.6-4 1.8",
  7: "M-3.9-6.3H4L-1 6.5",
  8: "M0-0.6C-4.6-1.2-4.2-6.5 0-6.5C4.2-6.5 4.6-1.2 0-0.6C-5.4 0-5.2 6.5 0 6.5C5.2 6.5 5.4 0 0-0.6",
};

/** A pattern for each seat: plain, ring, bars, dots, cross, slanted bars, uprights, diamond. */
const PATTERNS = [
  "",
  "M-11.5 0A11.5 11.5 0 1 0 11.5 0A11.5 11.5 0 1 0-11.5 0",
  "M-9.5-10H9.5M-13-4.5H13M-13 4.5H13M-9.5 10H9.5",
  "M-7-10H-7M7-10H7M0-12H0M-12-4H-12M12-4H12M-12 4H-12M12 4H12M-7 10H-7M7 10H7M0 12H0",
  "M0-13.5V13.5M-13.5 0H13.5",
  "M-12.5-4L-4-12.5M-10 10L10-10M4 12.5L12.5 4",
  "M-10-9.5V9.5M-4.5-13V13M4.5-13V13M10-9.5V9.5",
  "M0-14L14 0L0 14L-14 0Z",
];

/** How stones are made. @typedef {"domed"|"flat"|"glass"|"turned"|"coin"} Make */

/**
 * The shades of a stone from its middle to its rim, as places with black (0) or white (255) and how much of it. Light
 * comes from the upper left.
 * @type {Record<Make, [place: number, other: 0|255, share: number][]>}
 */
const SHADES = {
  domed: [[0, 255, 0.22], [0.5, 0, 0], [0.82, 0, 0.06], [1, 0, 0.24]],
  flat: [[0, 0, 0], [1, 0, 0]],
  glass: [[0, 255, 0.3], [0.45, 0, 0], [0.8, 0, 0.2], [1, 255, 0.12]],
  turned: [[0, 0, 0.1], [0.6, 0, 0], [1, 255, 0.12]],
  coin: [[0, 255, 0.1], [1, 0, 0.04]],
};

/** The grooves of a turned stone, as rings round its middle. */
const GROOVES = [12.2, 7.4].map((r) => `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0`).join("");
/** The light in a stone of glass. */
const GLINT = "M-11.5-4.5A12.4 12.4 0 0 1 4.5-11.5A17 17 0 0 0-11.5-4.5Z";
/** How far down one sees the edge of a coin. */
const EDGE = 2.4;

/** Draws the tiles of one board: every kind is made once and then copied. */
export class Looks {
  /** @type {Map<number, SVGElement>} */
  #models = new Map();
  #plan;
  #prefix;
  #defs;
  /** @type {Paint[]} */
  #paints = [];
  #patterns = false;
  /** @type {Make} */
  #make = "domed";

  /**
   * @param {Plan} plan
   * @param {string} prefix What the names of gradients begin with, different for every board of a page.
   * @param {SVGDefsElement} defs Where its gradients go.
   */
  constructor(plan, prefix, defs) {
    this.#plan = plan;
    this.#prefix = prefix;
    this.#defs = defs;
    this.dress(plan.seats, false, "domed");
  }

  /** Changes the looks. @type {(paints: Paint[], patterns: boolean, made: Make) => void} */
  dress(paints, patterns, made) {
    this.#paints = paints;
    this.#patterns = patterns;
    this.#make = made;
    this.#models.clear();
    this.#defs.replaceChildren(...[NOBODY, ...paints].map((paint, seat) => this.#gradient(paint, seat)));
  }

  /** The colour of a seat's stones. @param {number} seat */
  fill(seat) {
    return this.#paints[seat - 1]?.fill ?? NOBODY.fill;
  }

  /** What lies on a cell, drawn round 0,0. @type {(tile: number) => SVGElement} */
  draw(tile) {
    const model = this.#models.get(tile) ?? (tile in SYMBOLS ? this.#special(tile) : this.#stone(tile));
    this.#models.set(tile, model);
    return /** @type {SVGElement} */ (model.cloneNode(true));
  }

  /** @param {number} tile */
  #special(tile) {
    const symbol = make("path", { class: "board-symbol", d: `M0 0${SYMBOLS[tile]}` });
    if (tile !== HOLE) return symbol;
    return make("g", { class: "board-hole" }, make("path", { d: outline(this.#plan) }), symbol);
  }

  /** @param {number} tile */
  #stone(tile) {
    const seat = tile === EXPANSION ? 0 : tile;
    const { fill, ink, sign } = seat ? this.#paints[seat - 1] ?? NOBODY : NOBODY;
    const stone = make("g", { class: "board-stone" });
    if (this.#plan.x.length <= SHADED) stone.append(make("circle", { class: "board-shadow", cy: 1.3, r: STONE + 0.4 }));
    stone.append(...this.#body(fill, ink, seat));
    const pattern = this.#patterns && seat ? PATTERNS[(seat - 1) % PATTERNS.length] : "";
    if (pattern) {
      stone.append(make("path", { class: "board-pattern", d: pattern, stroke: ink }));
      if (sign) stone.append(make("circle", { r: 9, fill }));
    }
    if (sign in SIGNS) stone.append(make("path", { class: "board-sign", d: SIGNS[sign], stroke: ink }));
    else if (sign) stone.append(make("text", { class: "board-sign", dy: "0.35em", fill: ink }, sign));
    return stone;
  }

  /**
   * A stone without what is written on it; the style sheet mixes its rim from its colour.
   * @type {(fill: string, ink: string, seat: number) => SVGElement[]}
   */
  #body(fill, ink, seat) {
    const isDark = brightness(fill) < DARK;
    const place = `url(#${this.#prefix}stone-${seat})`;
    const disc = { class: isDark ? "board-disc board-dark" : "board-disc", r: STONE, fill: place, color: fill };
    const coin = { ...disc, r: STONE - EDGE / 4 };
    switch (this.#make) {
      case "glass": return [make("circle", disc), make("path", { class: "board-glint", d: GLINT })];
      case "turned": return [make("circle", disc), make("path", { class: "board-grooves", d: GROOVES, stroke: ink })];
      case "coin": return [
        make("circle", { ...coin, cy: EDGE / 2, fill: mixed(fill, isDark ? 255 : 0, 0.4) }),
        make("circle", { ...coin, cy: -EDGE / 2 }),
      ];
      default: return [make("circle", disc)];
    }
  }

  /** @type {(paint: Paint, seat: number) => SVGElement} */
  #gradient({ fill }, seat) {
    const stops = SHADES[this.#make].map(([offset, other, share]) =>
      make("stop", { offset, "stop-color": mixed(fill, other, share) }));
    const place = { cx: 0.5, cy: 0.5, r: 0.52, fx: 0.34, fy: 0.28 };
    return make("radialGradient", { id: `${this.#prefix}stone-${seat}`, ...place }, ...stops);
  }
}

/** Stones below this brightness would be lost on a dark board without a bright rim. */
const DARK = 0.2;

/** How bright a colour is, from 0 to 1, as WCAG measures it. @param {string} colour */
function brightness(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A colour with black (0) or white (255) in it. @type {(colour: string, other: 0|255, share: number) => string} */
function mixed(colour, other, share) {
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return `rgb(${parts.map((part) => Math.round(part + (other - part) * share)).join(" ")})`;
}
