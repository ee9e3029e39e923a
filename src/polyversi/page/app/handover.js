/** Hands a game to another view: a position to be played from, or a position or map to be edited. */
import { signal } from "./html.js";
import { go } from "./router.js";

/** @typedef {{spec?: string, map?: string, position?: string}} Setup a game, perhaps on a map of its own, and a position of it */

/** Where the play view finds what it is to start from, and the editor what it is to begin with. */
const [PLAY, EDIT] = ["polyversi.setup", "polyversi.edit"];

/** The game that the editor shows, as a specification; empty for a map that was drawn. */
export const edited = signal("");

/** Goes to the play view, to choose players for a position. @param {Setup} setup */
export function playFrom(setup) {
  sessionStorage.setItem(PLAY, JSON.stringify(setup));
  go("/play?from=editor");
}

/** Goes to the editor with a position, or with a map alone. @param {Setup} setup */
export function edit(setup) {
  sessionStorage.setItem(EDIT, JSON.stringify(setup));
  go(setup.position ? "/editor?from=game" : "/editor?mode=map&from=game");
}

/** What the editor is to begin with, which is handed over once; or null. @returns {Setup|null} */
export function takeEdited() {
  const found = JSON.parse(sessionStorage.getItem(EDIT) ?? "null");
  sessionStorage.removeItem(EDIT);
  return found;
}
