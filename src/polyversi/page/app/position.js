/** Reads position lines (docs/notation.md): what lies on each cell, whose turn it is, what everybody has left. */
import { EMPTY } from "../board/config.js";

/** @import { Description } from "./types.js" */

/**
 * @typedef {object} Position
 * @property {number[]} tiles what lies on each cell, by the numbers of the board module
 * @property {number} turn the seat to move
 * @property {"build"|"bomb"} phase
 * @property {number[]} overrides override stones of each seat; empty where there are none
 * @property {number[]} bombs
 * @property {number[]} out seats that are disqualified
 * @property {number} passes
 */

/**
 * Numbers with slashes between them; where the line does not mention them they are as at the start.
 * @param {string|undefined} text
 * @param {number[]} initial
 * @returns {number[]}
 */
function numbers(text, initial = []) {
  return text ? text.split("/").map(Number) : initial;
}

/**
 * Reads a position line of the game that the description is of.
 * @param {Description} description
 * @param {string} line
 * @returns {Position}
 */
export function parsePosition(description, line) {
  const [cells = "", seat = "", ...rest] = line.trim().split(/\s+/);
  const facts = Object.fromEntries(rest.map((fact) => fact.split("=", 2)));
  const stock = (/** @type {number} */ count) => (description.has_stocks ? new Array(description.seats).fill(count) : []);
  return {
    tiles: Array.from(cells, (symbol) => description.symbols[symbol] ?? EMPTY),
    turn: description.seat_symbols.indexOf(seat) + 1,
    phase: facts.phase === "bomb" ? "bomb" : "build",
    overrides: numbers(facts.overrides, stock(description.overrides)),
    bombs: numbers(facts.bombs, stock(description.bombs)),
    out: numbers(facts.out),
    passes: Number(facts.passes ?? 0),
  };
}

/**
 * What a tile is called; stones by the names of their seats.
 * @param {Description} description
 * @param {number} tile
 */
export function tileName({ plan, tiles }, tile) {
  return plan.seats[tile - 1]?.name ?? tiles.find((one) => one.tile === tile)?.name ?? "";
}

/**
 * The cells on which two positions differ.
 * @param {number[]} before
 * @param {number[]} after
 */
export function changed(before, after) {
  const cells = [];
  for (let cell = 0; cell < after.length; cell++) if (before[cell] !== after[cell]) cells.push(cell);
  return cells;
}

/**
 * How many stones each seat has.
 * @param {number[]} tiles
 * @param {number} seats
 */
export function scores(tiles, seats) {
  const counts = new Array(seats).fill(0);
  for (const tile of tiles) if (tile >= 1 && tile <= seats) counts[tile - 1] += 1;
  return counts;
}

/**
 * The cell a move is on, or -1 for a pass.
 * @param {Description} description
 * @param {string} move
 */
export function cellOf(description, move) {
  return description.plan.names.indexOf(move.split(":", 1)[0].toLowerCase());
}
