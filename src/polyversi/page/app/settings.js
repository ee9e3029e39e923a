/** A visitor's settings, stored in this browser. */
import { effect, signal } from "./html.js";
import { load, save } from "./storage.js";

/** @import { Signal } from "./html.js" */
/** @import { Plan } from "./types.js" */

/**
 * A signal whose value is stored; what is found there is used only if it fits.
 * @type {<T>(key: string, initial: T, fits: (found: unknown) => boolean) => Signal<T>}
 */
function stored(key, initial, fits) {
  const read = () => {
    const found = load(key);
    return fits(found) ? found : initial;
  };
  const value = signal(read());
  effect(() => { if (value.value !== read()) save(key, value.value); });
  addEventListener("storage", (event) => { if (event.key === `polyversi.${key}`) value.value = read(); });
  return value;
}

/** A stored value of the same type as the first one. @type {<T>(key: string, initial: T) => Signal<T>} */
const persisted = (key, initial) => stored(key, initial, (found) => typeof found === typeof initial);
/** One of some words, stored. @type {<T extends string>(key: string, choices: readonly T[], initial: T) => Signal<T>} */
const chosen = (key, choices, initial) => stored(key, initial, (found) => choices.some((one) => one === found));

export const THEMES = /** @type {const} */ (["system", "light", "dark", "contrast"]);
/** @typedef {typeof THEMES[number]} Theme */
/** The colours of boards: those that each game comes with, or the same for all. */
export const BOARD_THEMES = /** @type {const} */ (["own", "felt", "wood", "sand", "slate", "ocean", "violet"]);
/** How stones are made. */
export const STONES = /** @type {const} */ (["domed", "flat", "glass", "turned", "coin"]);
/** How large the names of columns and rows are. */
const COORDINATES = /** @type {const} */ (["none", "small", "large"]);
/** How quickly moves that others have made are shown. */
const PACES = /** @type {const} */ (["instant", "calm", "slow"]);

/** The colours of the page. */
export const theme = chosen("theme", THEMES, "system");
/** The colours of boards. */
export const boardTheme = chosen("board-theme", BOARD_THEMES, "own");
/** The looks of stones. */
export const stones = chosen("stones", STONES, "domed");
/** Whether and how columns and rows are named round the board. */
export const coordinates = chosen("coordinates", COORDINATES, "small");
/** Whether possible moves are marked on the board. */
export const legalMoves = persisted("legal-moves", true);
/** Whether stones flip visibly; a system that wants less motion has the last word. */
export const animation = persisted("animation", true);
/** Whether stones carry patterns besides their colours. */
export const patterns = persisted("patterns", false);
/** How long moves of computers and of other people's turns are held back so that eyes can follow. */
export const pace = chosen("pace", PACES, "calm");
/** Whether moves have a sound. */
export const sound = persisted("sound", true);
/** How loud sounds are, from 0 to 1. */
export const volume = stored("volume", 0.5, (found) => typeof found === "number" && found >= 0 && found <= 1);
/** The language that was chosen; with an empty text the browser's. */
export const chosenLanguage = persisted("language", "");
/** The name that others see. */
export const name = persisted("name", "");

/** The class with the colours of a board. @param {Plan} plan */
export const themeOf = (plan) => (boardTheme.value === "own" ? plan.theme : boardTheme.value);

effect(() => { document.documentElement.dataset.theme = theme.value; });
