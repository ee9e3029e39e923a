/** Mouse, finger and pen: hovering, choosing, painting, long taps, dragging and pinching. */

/** @import { Grid } from "./grid.js" */
/** @import { View } from "./view.js" */

/** @typedef {{x: number, y: number}} Place on the screen */

/**
 * What gestures can do.
 * @typedef {object} Acts
 * @property {() => boolean} paints Whether dragging paints.
 * @property {(cell: number|null, place?: Place, target?: EventTarget|null) => void} hover
 * @property {(cell: number, place?: Place) => void} choose Without a place the cell as such, none of its sides.
 */

/** How far a pointer may stray in a click, in pixels. */
const STRAY = 6;
/** Milliseconds until a tap is a long one. */
const LONG = 420;
/** The factor of one notch of a wheel. */
const NOTCH = 1.2;

export class Pointer {
  #box;
  #view;
  #grid;
  #acts;
  /** @type {Map<number, Place>} */
  #down = new Map();
  /** @type {Place} */
  #start = { x: 0, y: 0 };
  /** What the pointer that is down does. @type {"nothing"|"press"|"pan"|"paint"|"look"} */
  #doing = "nothing";
  #timer = 0;
  /** Whether to ignore the click that ends a gesture. */
  #spent = false;

  /**
   * @param {HTMLElement} box The window through which the board is seen.
   * @param {View} view
   * @param {Grid} grid
   * @param {Acts} acts
   * @param {AbortSignal} signal Ends all listening.
   */
  constructor(box, view, grid, acts, signal) {
    this.#box = box;
    this.#view = view;
    this.#grid = grid;
    this.#acts = acts;
    box.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    box.addEventListener("pointermove", (event) => this.#move(event), { signal });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      box.addEventListener(name, (event) => this.#release(event), { signal });
    }
    box.addEventListener("pointerleave", () => this.#down.size || this.#acts.hover(null), { signal });
    box.addEventListener("click", (event) => this.#click(event), { signal });
    box.addEventListener("wheel", (event) => this.#wheel(event), { signal, passive: false });
    // A finger that moves the board, or looks about after a long tap, does not scroll the page.
    box.addEventListener("touchmove", (event) => this.#keepPage(event), { signal, passive: false });
    box.addEventListener("contextmenu", (event) => this.#doing === "look" && event.preventDefault(), { signal });
  }

  /** @param {PointerEvent} event */
  #press(event) {
    const middle = event.button === 1;
    if (event.button !== 0 && !middle) return;
    this.#down.set(event.pointerId, placeOf(event));
    clearTimeout(this.#timer);
    if (this.#down.size === 2) {
      this.#doing = "pan";
      this.#spent = true;
      return;
    }
    this.#start = placeOf(event);
    this.#spent = false;
    this.#doing = middle ? "pan" : "press";
    if (middle) event.preventDefault();
    const cell = this.#grid.cellOf(event.target);
    if (cell === null || middle) return;
    if (this.#acts.paints()) this.#doing = "paint";
    else if (event.pointerType === "touch") this.#timer = window.setTimeout(() => this.#look(cell), LONG);
  }

  /** @param {number} cell */
  #look(cell) {
    this.#doing = "look";
    this.#spent = true;
    this.#acts.hover(cell, this.#start);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#down.get(event.pointerId);
    const here = placeOf(event);
    if (!before) {
      if (event.pointerType !== "touch") this.#acts.hover(this.#grid.cellOf(event.target), here, event.target);
      return;
    }
    if (this.#down.size >= 2) this.#pinch(event.pointerId, before, here);
    else if (this.#doing === "look") this.#acts.hover(this.#grid.cellAt(here.x, here.y), here);
    else if (this.#doing === "paint") this.#paint(before, here);
    else if (this.#doing === "pan") this.#view.panBy(here.x - before.x, here.y - before.y);
    else if (Math.hypot(here.x - this.#start.x, here.y - this.#start.y) > STRAY) this.#drag(event);
    this.#down.set(event.pointerId, here);
  }

  /** @param {PointerEvent} event */
  #drag(event) {
    clearTimeout(this.#timer);
    if (this.#view.scale === 1) return;
    this.#doing = "pan";
    this.#spent = true;
    this.#box.setPointerCapture(event.pointerId);
    this.#view.panBy(event.clientX - this.#start.x, event.clientY - this.#start.y);
  }

  /** @type {(pointer: number, before: Place, here: Place) => void} */
  #pinch(pointer, before, here) {
    const other = [...this.#down].find(([id]) => id !== pointer)?.[1];
    if (!other) return;
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    const factor = apart ? Math.hypot(here.x - other.x, here.y - other.y) / apart : 1;
    // What was between the fingers stays between them.
    this.#view.zoomBy(factor, (before.x + other.x) / 2, (before.y + other.y) / 2);
    this.#view.panBy((here.x - before.x) / 2, (here.y - before.y) / 2);
  }

  /** Every cell on the way, however fast it was. @type {(from: Place, to: Place) => void} */
  #paint(from, to) {
    const first = this.#grid.cellAt(this.#start.x, this.#start.y);
    const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / (this.#view.unit * 12));
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      const cell = this.#grid.cellAt(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share);
      // The first cell waits until the pointer leaves it: until then this may be a click.
      if (cell === null || (!this.#spent && cell === first)) continue;
      if (!this.#spent && first !== null) this.#acts.choose(first);
      this.#spent = true;
      this.#acts.choose(cell);
    }
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (!this.#down.delete(event.pointerId)) return;
    clearTimeout(this.#timer);
    if (this.#doing === "look") this.#acts.hover(null);
    // After a pinch, the remaining finger continues to move the board.
    if (!this.#down.size) this.#doing = "nothing";
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const cell = this.#grid.cellOf(event.target);
    if (cell === null) return;
    // Screen readers click without a pointer.
    if (event.detail === 0) this.#acts.choose(cell);
    else if (!this.#spent) this.#acts.choose(cell, placeOf(event));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const notches = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? event.deltaY / 100 : event.deltaY / 3;
    // A pinch on a touchpad comes as small steps with Ctrl held.
    const factor = NOTCH ** (-notches * (event.ctrlKey ? 4 : 1));
    const possible = factor > 1 ? this.#view.scale < this.#view.maxScale : this.#view.scale > 1;
    if (!possible) return;
    event.preventDefault();
    this.#view.zoomBy(factor, event.clientX, event.clientY);
  }

  /** @param {TouchEvent} event */
  #keepPage(event) {
    const pinching = event.touches.length > 1 && this.#view.maxScale > 1;
    if ((pinching || this.#doing === "look" || this.#doing === "pan") && event.cancelable) event.preventDefault();
  }
}

/** @type {(event: MouseEvent) => Place} */
const placeOf = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
