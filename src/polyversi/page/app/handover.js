/** Hands a game to another view: a position to be played from, a position or map to be edited, or something to be analysed. */
import { signal } from "./html.js";
import { go } from "./router.js";

/** @typedef {{spec?: string, map?: string, position?: string}} Setup a game, perhaps on a map of its own, and a position of it */

/** Where the play view finds what it is to start from, the editor what it is to begin with, and the analysis what it is about. */
const [PLAY, EDIT, ANALYSE] = ["polyversi.setup", "polyversi.edit", "polyversi.analyse"];

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

/** Goes to the analysis of a position, or of a record as a line of JSON. @param {Setup & {record?: string}} what */
export function analyse(what) {
  const { spec = "", position = "", map, record } = what;
  sessionStorage.setItem(ANALYSE, JSON.stringify(what));
  go(map || record ? "/analysis?from=here" : `/analysis?${new URLSearchParams({ spec, position })}`);
}

/** What the analysis is about, which stays until something else is; or null. @returns {(Setup & {record?: string})|null} */
export const analysed = () => JSON.parse(sessionStorage.getItem(ANALYSE) ?? "null");
