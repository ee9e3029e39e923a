/** The map being drawn: its history, the selected tool, and what the tools do. */
import { announce } from "../../app/announcer.js";
import { computed, effect, signal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { defaultMap, HOLE, isSameSide, sideName, SYMBOLS, XtMap } from "./map-model.js";
import { History } from "./shared.js";

/** @import { Side } from "./map-model.js" */

/** Where the map is kept for when the page is reloaded. */
const STORAGE_KEY = "polyversi.map";

export const history = new History(XtMap.parse(sessionStorage.getItem(STORAGE_KEY) ?? "") ?? defaultMap());
export const xtMap = history.now;
export const text = computed(() => String(xtMap.value));
effect(() => sessionStorage.setItem(STORAGE_KEY, text.value));

/** What is written in the text field while it differs from the drawing, or null. */
export const draft = signal(/** @type {string|null} */ (null));
export const tool = signal(/** @type {"paint"|"fill"|"join"} */ ("paint"));
/** The tile that is put down, by its number. */
export const brush = signal(0);
/** The first side of a transition, while the second is awaited. */
export const firstSide = signal(/** @type {Side|null} */ (null));
/** The last announcement, and the map it was about. */
const announced = signal({ sentence: "", of: xtMap.peek() });
/** What the last change led to, in a sentence; empty once the map has changed again. */
export const notice = computed(() => (announced.value.of === xtMap.value ? announced.value.sentence : ""));

/**
 * Replaces the map and announces which transitions were removed.
 * @param {XtMap} next
 * @param {boolean} [same] whether this belongs to the step before
 */
export function change(next, same = false) {
  const { transitions } = xtMap.value;
  const gone = transitions.filter((one) => !next.transitions.includes(one)).length;
  const isLost = gone > 0 && next.transitions.length < transitions.length;
  draft.value = null;
  firstSide.value = null;
  history.set(next, same);
  say(isLost ? plural(gone, "One transition lost its side and was removed; Undo brings it back.",
    "{count} transitions lost their sides and were removed; Undo brings them back.") : "");
}

/** @param {string} sentence */
function say(sentence) {
  announced.value = { sentence, of: xtMap.value };
  announce(sentence);
}

/**
 * Puts the selected tile on a cell, or on the area of equal tiles around it.
 * @param {number} cell
 * @param {boolean} same whether this belongs to the stroke before
 */
export function put(cell, same) {
  const symbol = SYMBOLS[brush.value];
  if (xtMap.value.tiles[cell] === symbol) return;
  change(xtMap.value.painted(tool.value === "fill" ? xtMap.value.areaOf(cell) : [cell], symbol), same);
}

/** Why a transition cannot have this end, or an empty text. @param {Side} side */
function obstacle(side) {
  const [name, used] = [sideName(side), xtMap.value.transitionAt(side)];
  if (xtMap.value.tileAt(side.x, side.y) === HOLE) return t("{side} is on a hole; both ends must be tiles.", { side: name });
  if (!xtMap.value.isFree(side)) {
    return t("{side} is next to a tile; transitions start at a hole or the map's edge.", { side: name });
  }
  return used ? t("{side} already belongs to transition {number}.", { side: name, number: used }) : "";
}

/** Selects a side for a transition: the first one waits for the second. @param {Side} side */
export function pick(side) {
  const problem = obstacle(side);
  if (problem) say(problem);
  else if (firstSide.value) connect(firstSide.value, side);
  else {
    firstSide.value = side;
    say(t("From {side}: now pick the second side.", { side: sideName(side) }));
  }
}

/** Joins two sides. @param {Side} from @param {Side} to */
export function connect(from, to) {
  const problem = isSameSide(from, to) ? t("A transition needs two different sides.") : obstacle(from) || obstacle(to);
  firstSide.value = null;
  if (!problem) change(xtMap.value.with({ transitions: [...xtMap.value.transitions, { from, to }] }));
  say(problem || t("Transition {number} added.", { number: xtMap.value.transitions.length }));
}
