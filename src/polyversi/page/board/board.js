/**
 * A board that draws the cells, stones and marks it is given, and reports which cell was chosen.
 *
 * It knows nothing of rules and needs nothing but this folder and `style/board.css`.
 */
import { nearestDirection } from "./compass.js";
import { DEFAULTS, SEATS } from "./config.js";
import { Cursor } from "./cursor.js";
import { Figures } from "./figures.js";
import { Grid, ground } from "./grid.js";
import { Keys } from "./keys.js";
import { Links } from "./links.js";
import { Looks } from "./looks.js";
import { Marks } from "./marks.js";
import { Motion } from "./motion.js";
import { Pointer } from "./pointer.js";
import { make, sheet } from "./svg.js";
import { Tiles } from "./tiles.js";
import { View } from "./view.js";

/** @import { Config, Plan } from "./config.js" */

/** How far from a cell's middle, in units, its sides begin. */
const MIDDLE = 10;
/** How many boards this page has had, so that each has unique names. */
let count = 0;

export class Board {
  #plan;
  /** @type {Config} */
  #config;
  /** The window through which the board is seen. */
  #box = document.createElement("div");
  /** The sheets of the board, one upon the other. */
  #stack = document.createElement("div");
  #looks;
  #tiles;
  #links;
  #marks;
  #figures;
  #cursor;
  #grid;
  #motion;
  #view;
  #listening = new AbortController();
  /** The animation frame in which the next drawing is due, or 0. */
  #frame = 0;
  /** What was drawn last, or null before the first time. @type {Config|null} */
  #drawn = null;
  /** The cell that the keyboard is on. */
  #at;
  /** @type {number|null} */
  #hovered = null;
  /** Whether a pointer was used last, and not the keyboard. */
  #isPointedAt = false;

  /** An empty board inside an element; it is as wide as the element. @param {Element} element @param {Plan} plan */
  constructor(element, plan) {
    const prefix = `board-${++count}-`;
    this.#plan = plan;
    this.#config = { ...DEFAULTS, tiles: [] };
    this.#at = middle(plan);
    const defs = make("defs");
    this.#looks = new Looks(plan, prefix, defs);
    this.#tiles = new Tiles(plan, this.#looks);
    this.#links = new Links(plan);
    this.#marks = new Marks(plan, this.#looks, prefix);
    this.#figures = new Figures(plan);
    this.#cursor = new Cursor(plan);
    this.#motion = new Motion(plan);
    this.#grid = new Grid(plan, prefix, (cell) => this.#links.words(cell));
    this.#stack.className = "board-stack";
    this.#stack.append(
      ground(plan),
      this.#tiles.specials,
      this.#links.layer,
      sheet(plan, "board-below", defs, this.#cursor.below, this.#marks.below),
      ...this.#tiles.stones,
      sheet(plan, "board-above", this.#motion.layer, this.#marks.above, this.#figures.layer, this.#links.followed, this.#cursor.above),
      this.#grid.layer,
    );
    this.#box.className = "board";
    this.#box.style.setProperty("--board-ratio", String(plan.width / plan.height));
    this.#box.append(this.#stack);
    element.append(this.#box);
    this.#view = new View(this.#box, this.#stack, plan, (scale, maxScale) => this.#config.onZoom?.(scale, maxScale));
    this.#listen();
    this.moveTo(this.#at);
    this.set({});
  }

  /**
   * Changes what is shown; whatever is not mentioned stays. Any number of calls are drawn together in the next
   * animation frame, and only what differs from before is touched.
   * @param {Partial<Config>} config
   */
  set(config) {
    const isFirst = !this.#config.onZoom;
    this.#config = { ...this.#config, ...config };
    this.#frame ||= requestAnimationFrame(() => this.#draw());
    if (isFirst) this.#config.onZoom?.(this.#view.scale, this.#view.maxScale);
  }

  /** Puts the keyboard on the board. */
  focus() {
    const { layer } = this.#grid;
    // A board that was clicked on already has the focus, but its cursor is hidden.
    if (document.activeElement === layer) this.#walk(this.#at);
    else layer.focus({ preventScroll: true });
  }

  /** How much the board is enlarged; 1 shows the whole of it. */
  get scale() {
    return this.#view.scale;
  }

  /** The cell that the keyboard is on. */
  get cursor() {
    return this.#at;
  }

  /** Puts the keyboard's cursor on a cell. @param {number} cell */
  moveTo(cell) {
    this.#at = cell;
    this.#cursor.moveTo(cell);
    this.#grid.layer.setAttribute("aria-activedescendant", this.#grid.cells[cell].id);
  }

  /** Where a cell is on the screen, for what is to appear beside it. @param {number} cell */
  place(cell) {
    return this.#grid.cells[cell].getBoundingClientRect();
  }

  /** Enlarges what is in the middle, never beyond the limits; below 1 it shrinks. @param {number} factor */
  zoomBy(factor) {
    this.#view.zoomBy(factor);
  }

  /**
   * Shows the board at a scale, where 1 or "fit" is the whole of it, with a given cell in view.
   * @type {(scale: number|"fit", cell?: number|null) => void}
   */
  zoomTo(scale, cell = null) {
    this.#view.zoomBy((scale === "fit" ? 1 : scale) / this.#view.scale);
    if (cell !== null) this.#view.reveal(this.place(cell));
  }

  /** Takes the board off the page. */
  destroy() {
    cancelAnimationFrame(this.#frame);
    this.#listening.abort();
    this.#motion.stop();
    this.#view.destroy();
    this.#box.remove();
  }

  #listen() {
    const { signal } = this.#listening;
    const { layer } = this.#grid;
    new Pointer(this.#box, this.#view, this.#grid, {
      paints: () => this.#config.selectable && this.#config.paint,
      hover: (cell, place, target) => {
        this.#hover(cell, this.#sideAt(cell, place));
        this.#links.follow(cell, target instanceof Element ? target : null);
      },
      choose: (cell, place) => this.#choose(cell, this.#sideAt(cell, place)),
    }, signal);
    new Keys(this.#plan, this.#view, layer, {
      cursor: () => this.#at,
      isPointedAt: () => this.#isPointedAt,
      moveTo: (cell) => this.#walk(cell),
      choose: (cell) => this.#choose(cell, null),
      chooseSide: (cell, direction) => this.#config.edges && this.#choose(cell, direction),
    }, signal);
    layer.addEventListener("focus", () => layer.matches(":focus-visible") && this.#walk(this.#at), { signal });
    this.#box.addEventListener("pointerdown", () => {
      this.#isPointedAt = true;
      this.#cursor.show(false);
    }, { signal });
    layer.addEventListener("blur", () => {
      this.#cursor.show(false);
      this.#links.follow(null);
      this.#hover(null, null);
    }, { signal });
  }

  /** The pointer, or the cursor, is on another cell or side. @type {(cell: number|null, side: number|null) => void} */
  #hover(cell, side) {
    const { selectable, edges, onHover } = this.#config;
    this.#cursor.offer(selectable && edges ? cell : null, side);
    if (cell === this.#hovered) return;
    this.#hovered = cell;
    this.#invite();
    onHover?.(cell);
  }

  /** Shows whether the cell under the pointer can be chosen. */
  #invite() {
    const { selectable, edges, paint, legal } = this.#config;
    const cell = selectable ? this.#hovered : null;
    this.#cursor.shade(cell);
    const wanted = cell !== null && (edges || paint || legal.includes(cell));
    this.#stack.classList.toggle("board-choosable", wanted);
  }

  /** The keyboard goes to a cell. @param {number} cell */
  #walk(cell) {
    this.#isPointedAt = false;
    this.moveTo(cell);
    this.#cursor.show(true);
    if (this.#view.scale > 1) this.#view.reveal(this.place(cell));
    this.#links.follow(cell);
    this.#hover(cell, null);
  }

  /** Whether cells can be chosen. @type {(cell: number, side: number|null) => boolean} */
  #choose(cell, side) {
    const { selectable, onSelect, onEdge } = this.#config;
    this.moveTo(cell);
    if (!selectable) return false;
    if (side === null) onSelect?.(cell);
    else onEdge?.(cell, side);
    return true;
  }

  /**
   * The side of a cell at a place on the screen, where sides can be chosen and it is not the cell's middle.
   * @type {(cell: number|null, place?: {x: number, y: number}) => number|null}
   */
  #sideAt(cell, place) {
    if (!this.#config.edges || cell === null || !place) return null;
    const { left, top, width, height } = this.place(cell);
    const [dx, dy] = [place.x - left - width / 2, place.y - top - height / 2];
    return Math.hypot(dx, dy) < MIDDLE * this.#view.unit ? null : nearestDirection(this.#plan, dx, dy);
  }

  #draw() {
    this.#frame = 0;
    const [config, drawn] = [this.#config, this.#drawn];
    this.#drawn = config;
    const dressed = !drawn || config.patterns !== drawn.patterns || config.stones !== drawn.stones
      || JSON.stringify(config.paints) !== JSON.stringify(drawn.paints);
    if (dressed) this.#looks.dress(config.paints ?? this.#plan.seats, config.patterns, config.stones);
    const changes = this.#tiles.update(config.tiles);
    if (dressed) this.#tiles.redraw();
    else if (changes.length && config.animate) this.#motion.show(changes, config.last, this.#tiles.stones);
    else if (changes.length) this.#motion.stop();
    const tile = (/** @type {number} */ cell) => this.#tiles.at(cell);
    this.#links.update(changes, tile);
    const legal = this.#marks.update(config, drawn, tile, dressed);
    if (config.figures !== drawn?.figures) this.#figures.update(config.figures);
    if (config.edge !== drawn?.edge) this.#cursor.mark(config.edge);
    if (!config.selectable || !config.edges) this.#cursor.offer(null, null);
    this.#invite();
    this.#colour(config, drawn);
    this.#box.classList.toggle("board-paints", config.selectable && config.paint);
    if (config.title !== drawn?.title) this.#grid.layer.setAttribute("aria-label", config.title);
    const marked = [config.last, drawn?.last ?? null].flatMap((cell) => cell ?? []);
    const everywhere = dressed || config.label !== drawn.label;
    const renamed = everywhere ? this.#plan.x.keys() : new Set([...changes.map(({ cell }) => cell), ...legal, ...marked]);
    this.#grid.name(renamed, (cell) => (config.label ?? this.#plainLabel)(cell, tile(cell)));
  }

  /** Chooses the colours, and what is hidden from the eye. @type {(config: Config, drawn: Config|null) => void} */
  #colour({ theme, coordinates, showsLegal }, drawn) {
    const { classList } = this.#stack;
    const [now, before] = [theme || this.#plan.theme, drawn && (drawn.theme || this.#plan.theme)];
    if (before && before !== now) classList.remove(before);
    if (before !== now) classList.add(now);
    classList.toggle("board-unnamed", coordinates === "none");
    classList.toggle("board-named-large", coordinates === "large");
    classList.toggle("board-unmarked", !showsLegal);
  }

  /** @type {(cell: number, tile: number) => string} */
  #plainLabel = (cell, tile) => {
    const paint = tile <= SEATS ? (this.#config.paints ?? this.#plan.seats)[tile - 1] : null;
    return paint ? `${this.#plan.names[cell]}, ${paint.name}` : this.#plan.names[cell];
  };
}

/** The cell nearest to the middle of a board. @param {Plan} plan */
function middle({ x, y, width, height }) {
  const away = x.map((at, cell) => Math.hypot(at - width / 2, y[cell] - height / 2));
  return away.indexOf(Math.min(...away));
}
