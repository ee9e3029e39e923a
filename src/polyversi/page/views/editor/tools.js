/** What map authors do to many tiles at once: resize, fill, mirror. Each takes a chart and gives another. */

import { FREE, HOLE, tidy, tileAt } from "./chart.js";

/** @typedef {import("./chart.js").Chart} Chart */
/** @typedef {import("./chart.js").Side} Side */

/** How a map is made symmetric: its left half to the right, its upper half down, or its upper half turned round. */
export const MIRRORS = /** @type {const} */ (["right", "down", "turn"]);
/** @typedef {typeof MIRRORS[number]} Mirror */

/**
 * The chart in another size: what lies beyond the new edges is cut off, new places are free.
 * @param {Chart} chart
 * @param {number} width
 * @param {number} height
 * @returns {Chart}
 */
export function resize(chart, width, height) {
  const tiles = places(width, height, (x, y) => (x < chart.width && y < chart.height ? tileAt(chart, x, y) : FREE));
  return tidy({ ...chart, width, height, tiles });
}

/**
 * The places one reaches from here without leaving the tiles of the same kind, as they lie in the chart.
 * @param {Chart} chart
 * @param {number} start
 * @returns {Set<number>}
 */
export function areaOf(chart, start) {
  const wanted = chart.tiles[start];
  const area = new Set([start]);
  for (const at of area) {
    const x = at % chart.width;
    const beside = [x > 0 ? at - 1 : -1, x < chart.width - 1 ? at + 1 : -1, at - chart.width, at + chart.width];
    for (const next of beside) {
      if (next >= 0 && next < chart.tiles.length && chart.tiles[next] === wanted) area.add(next);
    }
  }
  return area;
}

/**
 * The chart with one tile put on many places.
 * @param {Chart} chart
 * @param {Iterable<number>} cells
 * @param {string} symbol
 * @returns {Chart}
 */
export function paint(chart, cells, symbol) {
  const tiles = [...chart.tiles];
  for (const cell of cells) tiles[cell] = symbol;
  return tidy({ ...chart, tiles: tiles.join("") });
}

/**
 * The chart made symmetric; the transitions of the half that is kept are mirrored with it.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @param {boolean} pass whether a mirrored stone goes to the next player, so that both halves are alike but for the seats
 * @returns {Chart}
 */
export function mirrored(chart, mirror, pass) {
  const image = imageOf(chart, mirror);
  const tiles = places(chart.width, chart.height, (x, y) => {
    if (isKept(chart, mirror, x, y)) return tileAt(chart, x, y);
    const there = image({ x, y, direction: 0 });
    return passed(tileAt(chart, there.x, there.y), chart.players, pass);
  });
  // First those within the kept half, then those that cross to the other one: of two that want a side the first has it.
  const kept = (/** @type {number} */ ends) => chart.transitions.filter(({ from, to }) =>
    [from, to].filter(({ x, y }) => isKept(chart, mirror, x, y)).length === ends);
  const transitions = [kept(2), kept(1)].flatMap((own) => [...own, ...own.map(({ from, to }) => ({ from: image(from), to: image(to) }))]);
  return tidy({ ...chart, tiles, transitions });
}

/**
 * The place where a side comes to lie in the mirror.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @returns {(side: Side) => Side}
 */
function imageOf(chart, mirror) {
  const [right, down] = [chart.width - 1, chart.height - 1];
  switch (mirror) {
    case "right": return ({ x, y, direction }) => ({ x: right - x, y, direction: (8 - direction) % 8 });
    case "down": return ({ x, y, direction }) => ({ x, y: down - y, direction: (12 - direction) % 8 });
    case "turn": return ({ x, y, direction }) => ({ x: right - x, y: down - y, direction: (direction + 4) % 8 });
  }
}

/**
 * Whether a place belongs to the half that stays as it is; the middle line does.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @param {number} x
 * @param {number} y
 */
function isKept(chart, mirror, x, y) {
  if (mirror === "right") return 2 * x < chart.width;
  const middle = chart.height - 1;
  if (mirror === "turn" && 2 * y === middle) return 2 * x < chart.width;
  return 2 * y <= middle;
}

/**
 * @param {string} symbol
 * @param {number} players
 * @param {boolean} pass
 */
function passed(symbol, players, pass) {
  const seat = Number(symbol);
  return pass && symbol !== HOLE && seat > 0 ? String((seat % players) + 1) : symbol;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => string} tile
 */
function places(width, height, tile) {
  return Array.from({ length: width * height }, (_, at) => tile(at % width, Math.floor(at / width))).join("");
}
