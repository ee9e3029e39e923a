/** Position lines, the other way round: writing what was set up, and reading what somebody pasted. */

import { parsePosition } from "../../app/position.js";
import { readChart } from "./chart.js";

/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/position.js").Position} Position */

/**
 * @param {Description} description
 * @param {Position} position
 */
export function positionLine(description, position) {
  const symbols = Object.fromEntries(Object.entries(description.symbols).map(([symbol, tile]) => [tile, symbol]));
  const line = [position.tiles.map((tile) => symbols[tile] ?? "-").join(""), description.seat_symbols[position.turn - 1] ?? ""];
  if (position.passes) line.push(`passes=${position.passes}`);
  if (description.is_xt) {
    if (position.phase === "bomb") line.push("phase=bomb");
    line.push(`overrides=${position.overrides.join("/")}`, `bombs=${position.bombs.join("/")}`);
    if (position.out.length > 0) line.push(`out=${position.out.join("/")}`);
  }
  return line.join(" ");
}

/**
 * The position of a line, or null where it cannot be drawn; what is wrong with it is for the server to say.
 * @param {Description} description
 * @param {string} line
 * @returns {Position | null}
 */
export function readLine(description, line) {
  const [cells = "", seat = "", ...rest] = line.trim().split(/\s+/);
  const isKnown = [...cells].every((symbol) => symbol in description.symbols);
  if (!isKnown || cells.length !== description.plan.x.length) return null;
  const position = parsePosition(description, [cells, seat.toUpperCase(), ...rest].join(" "));
  return position.turn > 0 ? withStocks(description, position) : null;
}

/**
 * The position with the stocks of every seat: a line leaves out what is as at the start.
 * @param {Description} description
 * @param {Position} position
 * @returns {Position}
 */
function withStocks(description, position) {
  if (!description.is_xt) return position;
  const usual = readChart(description.map);
  const filled = (/** @type {number[]} */ stocks, /** @type {number} */ each) =>
    Array.from({ length: description.seats }, (_, at) => stocks[at] ?? each);
  return {
    ...position,
    overrides: filled(position.overrides, usual?.overrides ?? 0),
    bombs: filled(position.bombs, usual?.bombs ?? 0),
  };
}

/**
 * The position in which the game begins.
 * @param {Description} description
 * @returns {Position}
 */
export function startPosition(description) {
  return /** @type {Position} */ (readLine(description, description.start));
}

/**
 * An empty board of the game, with the first seat to move.
 * @param {Description} description
 * @returns {Position}
 */
export function emptyPosition(description) {
  const start = startPosition(description);
  return { ...start, tiles: start.tiles.map(() => 0), turn: 1 };
}
