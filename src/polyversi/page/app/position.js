/** Reads position lines (docs/notation.md): what lies on each cell, whose turn it is, what everybody has left. */
import { EMPTY } from "../board/config.js";
import { t } from "./i18n.js";

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

/** Reads a position line of a game. @type {(description: Description, line: string) => Position} */
export function parsePosition(description, line) {
  const [cells = "", seat = "", ...rest] = line.trim().split(/\s+/);
  const facts = Object.fromEntries(rest.map((fact) => fact.split("=", 2)));
  /** Numbers with slashes between them, or null. @type {(name: string) => number[]|null} */
  const numbers = (name) => facts[name]?.split("/").map(Number) ?? null;
  /** What everybody begins with, where the line does not say what is left. @param {number} count */
  const stock = (count) => (description.has_stocks ? new Array(description.seats).fill(count) : []);
  return {
    tiles: Array.from(cells, (symbol) => description.symbols[symbol] ?? EMPTY),
    turn: description.seat_symbols.indexOf(seat) + 1,
    phase: facts.phase === "bomb" ? "bomb" : "build",
    overrides: numbers("overrides") ?? stock(description.overrides),
    bombs: numbers("bombs") ?? stock(description.bombs),
    out: numbers("out") ?? [],
    passes: Number(facts.passes ?? 0),
  };
}

/** The seat to move in a position line, or 0. @type {(description: Description, line: string) => number} */
export function seatToMove({ seat_symbols: symbols }, line) {
  return symbols.indexOf(line.split(/\s+/, 2)[1] ?? "") + 1;
}

/** What a tile is called; a stone by its seat's name. @type {(description: Description, tile: number) => string} */
export function tileName({ plan, tiles }, tile) {
  return t(plan.seats[tile - 1]?.name ?? tiles.find((one) => one.tile === tile)?.name ?? "");
}

/** The cells on which two positions differ. @type {(before: number[], after: number[]) => number[]} */
export function changed(before, after) {
  return [...after.keys()].filter((cell) => before[cell] !== after[cell]);
}

/** How many stones each seat has. @type {(tiles: number[], seats: number) => number[]} */
export function scores(tiles, seats) {
  return Array.from({ length: seats }, (_, at) => tiles.filter((tile) => tile === at + 1).length);
}

/** The cell a move is on, or -1 for a pass. @type {(description: Description, move: string) => number} */
export function cellOf(description, move) {
  return description.plan.names.indexOf(move.split(":", 1)[0].toLowerCase());
}
