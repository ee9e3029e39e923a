/** Zoom and pan: which part of the board is on the screen. */

/** @import { Plan } from "./config.js" */

/** How wide a cell may become, in pixels of the screen. */
const MAX_CELL = 88;
/** Boards whose cells are wide enough as they are do not zoom: the page scrolls over them. */
const MIN_GAIN = 1.6;
/** Milliseconds after a gesture in which the picture is still expected to move. */
const RESTING = 200;

export class View {
  #box;
  #stack;
  #plan;
  #changed;
  /** How much larger than the whole board fitted in; only this class sets it. */
  scale = 1;
  /** The largest scale. */
  maxScale = 1;
  #x = 0;
  #y = 0;
  #width = 0;
  #height = 0;
  #observer;
  #rest = 0;

  /**
   * @param {HTMLElement} box The window through which the board is seen.
   * @param {HTMLElement} stack The whole board.
   * @param {Plan} plan
   * @param {(scale: number, maxScale: number) => void} changed
   */
  constructor(box, stack, plan, changed) {
    this.#box = box;
    this.#stack = stack;
    this.#plan = plan;
    this.#changed = changed;
    this.#observer = new ResizeObserver(() => this.#measure());
    this.#observer.observe(box);
    this.#measure();
  }

  /** Pixels of the screen for a unit of the plan. */
  get unit() {
    return this.scale * Math.min(this.#width / this.#plan.width, this.#height / this.#plan.height);
  }

  /**
   * Zooms by a factor about a place on the screen, or the middle of the window.
   * @type {(factor: number, clientX?: number, clientY?: number) => void}
   */
  zoomBy(factor, clientX, clientY) {
    const box = this.#box.getBoundingClientRect();
    const x = clientX === undefined ? this.#width / 2 : clientX - box.left;
    const y = clientY === undefined ? this.#height / 2 : clientY - box.top;
    const scale = Math.min(this.maxScale, Math.max(1, this.scale * factor));
    const by = scale / this.scale;
    this.#show(scale, x - (x - this.#x) * by, y - (y - this.#y) * by);
  }

  /** Moves the board across the window, by pixels right and down. @type {(dx: number, dy: number) => void} */
  panBy(dx, dy) {
    this.#show(this.scale, this.#x + dx, this.#y + dy);
  }

  /** Moves a part of the board into the window. @param {DOMRect} part Where it is on the screen. */
  reveal(part) {
    const box = this.#box.getBoundingClientRect();
    const margin = Math.min(part.width, box.width / 8);
    const right = Math.max(0, box.left + margin - part.left) || Math.min(0, box.right - margin - part.right);
    const down = Math.max(0, box.top + margin - part.top) || Math.min(0, box.bottom - margin - part.bottom);
    if (right || down) this.panBy(right, down);
  }

  destroy() {
    this.#observer.disconnect();
    clearTimeout(this.#rest);
  }

  #measure() {
    const { clientWidth, clientHeight } = this.#box;
    const [across, down] = this.#width ? [clientWidth / this.#width, clientHeight / this.#height] : [1, 1];
    [this.#width, this.#height] = [clientWidth, clientHeight];
    const fitted = (this.unit / this.scale) * 40;
    const maxScale = fitted > 0 ? MAX_CELL / fitted : 1;
    const before = this.maxScale;
    this.maxScale = maxScale < MIN_GAIN ? 1 : maxScale;
    this.#show(Math.min(this.scale, this.maxScale), this.#x * across, this.#y * down, before !== this.maxScale);
  }

  /** @type {(scale: number, x: number, y: number, notify?: boolean) => void} */
  #show(scale, x, y, notify = false) {
    const other = scale !== this.scale;
    this.scale = scale;
    this.#x = Math.min(0, Math.max(this.#width * (1 - scale), x));
    this.#y = Math.min(0, Math.max(this.#height * (1 - scale), y));
    this.#stack.style.transform = scale === 1 ? "" : `translate(${this.#x}px, ${this.#y}px) scale(${scale})`;
    this.#box.classList.toggle("board-zooms", this.maxScale > 1);
    this.#box.classList.toggle("board-zoomed", scale > 1);
    this.#box.classList.add("board-moving");
    clearTimeout(this.#rest);
    this.#rest = window.setTimeout(() => this.#box.classList.remove("board-moving"), RESTING);
    if (other || notify) this.#changed(scale, this.maxScale);
  }
}
