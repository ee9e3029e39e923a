/** The map being drawn: its history, the selected tool, and what the tools do. */
import { announce } from "../../app/announcer.js";
import { computed, effect, signal } from "../../app/html.js";
import {
  areaOf, chartText, firstChart, isFreeSide, join, paint, readChart, sameSide, tileAt, tileSymbol, transitionAt,
} from "./map-model.js";
import { History } from "./shared.js";
import { words } from "./words.js";

/** @import { Chart, Side } from "./map-model.js" */

/** @typedef {"paint"|"fill"|"join"} Tool */

/** Where a map outlives the page being loaded again. */
const KEPT = "polyversi.map";

export const history = new History(readChart(sessionStorage.getItem(KEPT) ?? "") ?? firstChart());
export const chart = computed(() => history.now.value);
export const text = computed(() => chartText(chart.value));
effect(() => sessionStorage.setItem(KEPT, text.value));

/** What is written in the text field while it differs from the drawing, or null. */
export const draft = signal(/** @type {string | null} */ (null));
export const tool = signal(/** @type {Tool} */ ("paint"));
/** The tile that is put down, by its number. */
export const brush = signal(0);
/** The first side of a transition, while the second is awaited. */
export const firstSide = signal(/** @type {Side | null} */ (null));
/** What was said last, and of which map. */
const said = signal({ sentence: "", of: chart.peek() });
/** What the last deed led to, in a sentence; nothing once the map is another one. */
export const notice = computed(() => (said.value.of === chart.value ? said.value.sentence : ""));

/**
 * Replaces the map and says which transitions had to go.
 * @param {Chart} next
 * @param {boolean} [same] whether this belongs to the step before
 */
export function change(next, same = false) {
  const gone = chart.value.transitions.filter((one) => !next.transitions.includes(one)).length;
  const isLost = gone > 0 && next.transitions.length < chart.value.transitions.length;
  draft.value = null;
  firstSide.value = null;
  history.set(next, same);
  say(isLost ? words.map.dropped(gone) : "");
}

/** @param {string} sentence */
function say(sentence) {
  said.value = { sentence, of: chart.value };
  announce(sentence);
}

/**
 * Puts the tile in hand on a place, or on all of its kind around it.
 * @param {number} cell
 * @param {boolean} same whether this belongs to the stroke before
 */
export function put(cell, same) {
  const symbol = tileSymbol(brush.value);
  if (chart.value.tiles[cell] === symbol) return;
  change(paint(chart.value, tool.value === "fill" ? areaOf(chart.value, cell) : [cell], symbol), same);
}

/** Takes a side for a transition: the first one waits for the second. @param {Side} side */
export function pick(side) {
  const { map, side: named } = words;
  const name = named(side.x, side.y, side.direction);
  const used = transitionAt(chart.value, side);
  if (tileAt(chart.value, side.x, side.y) === "-") say(map.isHole(name));
  else if (!isFreeSide(chart.value, side)) say(map.notFree(name));
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
  const next = join(chart.value, from, to);
  if (next) {
    change(next);
    say(words.map.joined(next.transitions.length));
    return;
  }
  firstSide.value = null;
  if (sameSide(from, to)) say(words.map.same);
  else {
    const isBad = (/** @type {Side} */ side) => !isFreeSide(chart.value, side) || transitionAt(chart.value, side) >= 0;
    pick(isBad(from) ? from : to);
  }
}
