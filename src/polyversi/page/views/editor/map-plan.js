/** The board plan of a map being drawn: every place of the rectangle is a cell, so that holes can be painted too. */
import { DIRECTIONS } from "./map-model.js";

/** @import { XtMap, Side } from "./map-model.js" */

/** @typedef {{x: number, y: number}} Point */

/** The distance between the centres of neighbouring cells. */
const UNIT = 40;
/** Room for labels and for the curves of transitions. */
const MARGIN = 46;
/** The radius of the coloured port at either end of a transition. */
const PORT = 6.5;
const COLOURS = 12;
const DASHES = 3;
/** How the stones of the eight seats look, as everywhere on XT maps. */
const FILLS = ["#e0641a", "#3d8fd8", "#f0e442", "#cc79a7", "#12a67c", "#f7f5ef", "#a4e2f5", "#a98b6d"];
const INK = "#10151c";

/**
 * @param {XtMap} xtMap
 * @param {{seat: (seat: number) => string, side: (side: Side) => string}} texts
 * @returns {import("../../app/types.js").Plan}
 */
export function gridPlan(xtMap, texts) {
  const { width, height } = xtMap;
  const cells = Array.from({ length: width * height }, (_, cell) => cell);
  const half = UNIT / 2;
  return {
    layout: "square",
    width: width * UNIT + 2 * MARGIN,
    height: height * UNIT + 2 * MARGIN,
    theme: "slate",
    rows: Array.from({ length: height }, (_, y) => cells.slice(y * width, (y + 1) * width)),
    x: cells.map((cell) => centre(cell % width)),
    y: cells.map((cell) => centre(Math.floor(cell / width))),
    names: cells.map((cell) => `${cell % width},${Math.floor(cell / width)}`),
    outline: [[-half, -half], [half, -half], [half, half], [-half, half]],
    labels: labels(width, height),
    dots: [],
    joined: [],
    links: xtMap.transitions.map(({ from, to }, at) => link(xtMap, from, to, at, texts.side)),
    seats: FILLS.slice(0, xtMap.players).map((fill, at) => {
      const seat = at + 1;
      return { name: texts.seat(seat), fill, ink: INK, sign: String(seat) };
    }),
  };
}

/** @param {number} place a column or a row */
function centre(place) {
  return MARGIN + UNIT / 2 + place * UNIT;
}

/**
 * The numbers of columns and rows, on both sides.
 * @param {number} width
 * @param {number} height
 * @returns {[number, number, string][]}
 */
function labels(width, height) {
  const gap = UNIT / 2 + MARGIN * 0.76;
  const columns = Array.from({ length: width }, (_, x) =>
    [centre(0) - gap, centre(height - 1) + gap].map((y) => /** @type {[number, number, string]} */ ([centre(x), y, String(x)])));
  const rows = Array.from({ length: height }, (_, y) =>
    [centre(0) - gap, centre(width - 1) + gap].map((x) => /** @type {[number, number, string]} */ ([x, centre(y), String(y)])));
  return [...columns, ...rows].flat();
}

/**
 * A transition as the board draws it: a curve from port to port, out along the one direction, in along the other.
 * @param {XtMap} xtMap
 * @param {Side} from
 * @param {Side} to
 * @param {number} at
 * @param {(side: Side) => string} sideText
 */
function link(xtMap, from, to, at, sideText) {
  const [start, end] = [port(from), port(to)];
  const [out, back] = [unit(from.direction), unit(to.direction)];
  const chord = { x: end.x - start.x, y: end.y - start.y };
  const reach = Math.min(Math.max(Math.hypot(chord.x, chord.y) * 0.4, UNIT), 6 * UNIT);
  const bow = { x: 0, y: 0 };
  if (parallel(out, chord) && parallel(back, chord) && dot(out, chord) < 0) {
    // The straight way would lie upon the cells of the line itself: swing round them, towards the middle.
    const across = { x: -out.y, y: out.x };
    const middle = { x: centre((xtMap.width - 1) / 2) - start.x, y: centre((xtMap.height - 1) / 2) - start.y };
    const sign = dot(across, middle) >= 0 ? 1 : -1;
    bow.x = across.x * sign * reach * 0.8;
    bow.y = across.y * sign * reach * 0.8;
  }
  const first = within(xtMap, { x: start.x + out.x * reach + bow.x, y: start.y + out.y * reach + bow.y });
  const second = within(xtMap, { x: end.x + back.x * reach + bow.x, y: end.y + back.y * reach + bow.y });
  const points = [inner(from), start, first, second, end, inner(to)].map(({ x, y }) => `${round(x)} ${round(y)}`);
  return {
    number: at + 1,
    path: `M${points[0]}L${points[1]}C${points.slice(2, 5).join(" ")}L${points[5]}`,
    ends: [from, to].map((side, which) => {
      const place = which === 0 ? start : end;
      return /** @type {[number, number, number]} */ ([side.y * xtMap.width + side.x, round(place.x), round(place.y)]);
    }),
    title: `${sideText(from)} – ${sideText(to)}`,
    colour: at % COLOURS,
    dash: Math.floor(at / COLOURS) % DASHES,
  };
}

/**
 * The middle of the port just outside a cell.
 * @param {Side} side
 * @returns {Point}
 */
function port({ x, y, direction }) {
  const [dx, dy] = DIRECTIONS[direction] ?? [0, 0];
  const along = unit(direction);
  return { x: centre(x) + (dx * UNIT) / 2 + along.x * PORT, y: centre(y) + (dy * UNIT) / 2 + along.y * PORT };
}

/**
 * Where the line of a transition ends within its cell.
 * @param {Side} side
 * @returns {Point}
 */
function inner({ x, y, direction }) {
  const [dx, dy] = DIRECTIONS[direction] ?? [0, 0];
  return { x: centre(x) + dx * UNIT * 0.4, y: centre(y) + dy * UNIT * 0.4 };
}

/**
 * @param {number} direction
 * @returns {Point}
 */
function unit(direction) {
  const [dx, dy] = DIRECTIONS[direction] ?? [0, 0];
  const length = Math.hypot(dx, dy) || 1;
  return { x: dx / length, y: dy / length };
}

/**
 * The nearest point within the drawing; a curve stays within the hull of its points.
 * @param {XtMap} xtMap
 * @param {Point} point
 * @returns {Point}
 */
function within(xtMap, { x, y }) {
  const [right, bottom] = [xtMap.width * UNIT + 2 * MARGIN - 2, xtMap.height * UNIT + 2 * MARGIN - 2];
  return { x: Math.min(Math.max(x, 2), right), y: Math.min(Math.max(y, 2), bottom) };
}

/**
 * @param {Point} one
 * @param {Point} other
 */
function dot(one, other) {
  return one.x * other.x + one.y * other.y;
}

/**
 * @param {Point} one
 * @param {Point} other
 */
function parallel(one, other) {
  return Math.abs(one.x * other.y - one.y * other.x) < 1e-6;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}
