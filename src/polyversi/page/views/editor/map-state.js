/** The map being drawn: its history, the selected tool, and what the tools do. */
import { announce } from "../../app/announcer.js";
import { computed, effect, signal } from "../../app/html.js";
import {
  areaOf, mapText, defaultMap, isFreeSide, join, paint, parseMap, sameSide, tileAt, tileSymbol, transitionAt,
} from "./map-model.js";
import { History } from "./shared.js";
import { words } from "./words.js";

/** @import { XtMap, Side } from "./map-model.js" */

/** @typedef {"paint"|"fill"|"join"} Tool */

/** Where the map is stored when the page is loaded again. */
const STORAGE_KEY = "polyversi.map";

export const history = new History(parseMap(sessionStorage.getItem(STORAGE_KEY) ?? "") ?? defaultMap());
export const xtMap = computed(() => history.now.value);
export const text = computed(() => mapText(xtMap.value));
effect(() => sessionStorage.setItem(STORAGE_KEY, text.value));

/** What is written in the text field while it differs from the drawing, or null. */
export const draft = signal(/** @type {string | null} */ (null));
export const tool = signal(/** @type {Tool} */ ("paint"));
/** The tile that is put down, by its number. */
export const brush = signal(0);
/** The first side of a transition, while the second is awaited. */
export const firstSide = signal(/** @type {Side | null} */ (null));
/** What was said last, and of which map. */
const said = signal({ sentence: "", of: xtMap.peek() });
/** What the last change led to, in a sentence; empty once the map has changed again. */
export const notice = computed(() => (said.value.of === xtMap.value ? said.value.sentence : ""));

/**
 * Replaces the map and announces which transitions were removed.
 * @param {XtMap} next
 * @param {boolean} [same] whether this belongs to the step before
 */
export function change(next, same = false) {
  const gone = xtMap.value.transitions.filter((one) => !next.transitions.includes(one)).length;
  const isLost = gone > 0 && next.transitions.length < xtMap.value.transitions.length;
  draft.value = null;
  firstSide.value = null;
  history.set(next, same);
  say(isLost ? words.map.dropped(gone) : "");
}

/** @param {string} sentence */
function say(sentence) {
  said.value = { sentence, of: xtMap.value };
  announce(sentence);
}

/**
 * Puts the selected tile on a cell, or on the area of equal tiles around it.
 * @param {number} cell
 * @param {boolean} same whether this belongs to the stroke before
 */
export function put(cell, same) {
  const symbol = tileSymbol(brush.value);
  if (xtMap.value.tiles[cell] === symbol) return;
  change(paint(xtMap.value, tool.value === "fill" ? areaOf(xtMap.value, cell) : [cell], symbol), same);
}

/** Selects a side for a transition: the first one waits for the second. @param {Side} side */
export function pick(side) {
  const { map, side: named } = words;
  const name = named(side.x, side.y, side.direction);
  const used = transitionAt(xtMap.value, side);
  if (tileAt(xtMap.value, side.x, side.y) === "-") say(map.isHole(name));
  else if (!isFreeSide(xtMap.value, side)) say(map.notFree(name));
  else if (used >= 0) say(map.used(name, used + 1));
  else if (!firstSide.value) {
    firstSide.value = side;
    say(map.pickSecond(name));
  } else if (sameSide(firstSide.value, side)) {
    firstSide.value = null;
    say(map.same);
  } else connect(firstSide.value, side);
}

/**
 * Joins two sides.
 * @param {Side} from
 * @param {Side} to
 */
export function connect(from, to) {
  const next = join(xtMap.value, from, to);
  if (next) {
    change(next);
    say(words.map.joined(next.transitions.length));
    return;
  }
  firstSide.value = null;
  if (sameSide(from, to)) say(words.map.same);
  else {
    const isBad = (/** @type {Side} */ side) => !isFreeSide(xtMap.value, side) || transitionAt(xtMap.value, side) >= 0;
    pick(isBad(from) ? from : to);
  }
}
