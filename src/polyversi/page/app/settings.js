/** A visitor's settings, stored in this browser. */
import { effect, signal } from "./html.js";
import { load, save } from "./storage.js";

/** @import { Signal } from "./html.js" */

/** A signal whose value is stored. @type {<T>(key: string, initial: T) => Signal<T>} */
function persisted(key, initial) {
  const read = () => {
    const found = load(key);
    return typeof found === typeof initial ? found : initial;
  };
  const value = signal(read());
  effect(() => { if (value.value !== read()) save(key, value.value); });
  addEventListener("storage", (event) => { if (event.key === `polyversi.${key}`) value.value = read(); });
  return value;
}

export const THEMES = /** @type {const} */ (["system", "light", "dark", "contrast"]);
/** @typedef {typeof THEMES[number]} Theme */

/** The colours of the page. */
export const theme = persisted("theme", /** @type {Theme} */ ("system"));
/** Whether moves have a sound. */
export const sound = persisted("sound", true);
/** Whether stones flip visibly; a system that wants less motion has the last word. */
export const animation = persisted("animation", true);
/** Whether stones carry patterns besides their colours. */
export const patterns = persisted("patterns", false);
/** Whether columns and rows are named round the board. */
export const coordinates = persisted("coordinates", true);
/** The name that others see. */
export const name = persisted("name", "");

effect(() => { document.documentElement.dataset.theme = theme.value; });
