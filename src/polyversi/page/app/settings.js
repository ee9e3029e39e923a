/** A visitor's settings, stored in this browser. */
import { effect, signal } from "./html.js";
import { load, save } from "./storage.js";

/**
 * A signal whose value is stored.
 * @template T
 * @param {string} key
 * @param {T} initial
 * @param {(value: any) => boolean} valid
 */
function persisted(key, initial, valid) {
  const found = load(key);
  const value = signal(valid(found) ? /** @type {T} */ (found) : initial);
  let first = true;
  effect(() => {
    const now = value.value;
    if (!first) save(key, now);
    first = false;
  });
  addEventListener("storage", (event) => {
    if (event.key === `polyversi.${key}` && valid(load(key))) value.value = load(key);
  });
  return value;
}

/** @param {any} value */
const isFlag = (value) => typeof value === "boolean";

export const THEMES = /** @type {const} */ (["system", "light", "dark", "contrast"]);
/** @typedef {typeof THEMES[number]} Theme */

/** The colours of the page. */
export const theme = persisted("theme", /** @type {Theme} */ ("system"), (value) => THEMES.includes(value));
/** Whether moves have a sound. */
export const sound = persisted("sound", true, isFlag);
/** Whether stones flip visibly; a system that wants less motion has the last word. */
export const animation = persisted("animation", true, isFlag);
/** Whether stones carry patterns besides their colours. */
export const patterns = persisted("patterns", false, isFlag);
/** Whether columns and rows are named round the board. */
export const coordinates = persisted("coordinates", true, isFlag);
/** The name that others see. */
export const name = persisted("name", "", (value) => typeof value === "string");

const lessMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether boards should animate now. */
export function animates() {
  return animation.value && !lessMotion.matches;
}

effect(() => { document.documentElement.dataset.theme = theme.value; });
