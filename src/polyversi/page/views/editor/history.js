/** Undo and redo for a value that is replaced as a whole. */

import { computed, signal } from "../../app/html.js";

/** How many steps can be taken back. */
const DEPTH = 200;

/**
 * A value with its past and its future.
 * @template T
 */
export class History {
  /** @param {T} first */
  constructor(first) {
    this.now = signal(first);
    this.past = signal(/** @type {T[]} */ ([]));
    this.future = signal(/** @type {T[]} */ ([]));
    this.canUndo = computed(() => this.past.value.length > 0);
    this.canRedo = computed(() => this.future.value.length > 0);
  }

  /**
   * Replaces the value.
   * @param {T} value
   * @param {boolean} [same] whether this belongs to the step before, as the cells of one stroke do
   */
  set(value, same = false) {
    if (value === this.now.value) return;
    if (!same) this.past.value = [...this.past.value.slice(1 - DEPTH), this.now.value];
    this.future.value = [];
    this.now.value = value;
  }

  undo() {
    const last = this.past.value.at(-1);
    if (last === undefined) return;
    this.future.value = [...this.future.value, this.now.value];
    this.past.value = this.past.value.slice(0, -1);
    this.now.value = last;
  }

  redo() {
    const next = this.future.value.at(-1);
    if (next === undefined) return;
    this.past.value = [...this.past.value, this.now.value];
    this.future.value = this.future.value.slice(0, -1);
    this.now.value = next;
  }
}
