/** The board plan of a map being drawn: every place of the rectangle is a cell, so that holes can be painted too. */
import { DIRECTIONS, sideName } from "./map-model.js";

/** @import { XtMap, Side, Transition } from "./map-model.js" */

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

/** @param {XtMap} xtMap @returns {import("../../app/types.js").Plan} */
export function gridPlan(xtMap) {
  const { width, height } = xtMap;
  const [columns, rows] = [[...Array(width).keys()], [...Array(height).keys()]];
  const places = rows.flatMap((y) => columns.map((x) => ({ x, y })));
  const half = UNIT / 2;
  const gap = half + MARGIN * 0.76;
  const labels = [
    ...columns.flatMap((x) => [centre(0) - gap, centre(height - 1) + gap].map((y) => [centre(x), y, String(x)])),
    ...rows.flatMap((y) => [centre(0) - gap, centre(width - 1) + gap].map((x) => [x, centre(y), String(y)])),
  ];
  return {
    layout: "square",
    width: width * UNIT + 2 * MARGIN,
    height: height * UNIT + 2 * MARGIN,
    theme: "slate",
    rows: rows.map((y) => columns.map((x) => y * width + x)),
    x: places.map(({ x }) => centre(x)),
    y: places.map(({ y }) => centre(y)),
    names: places.map(({ x, y }) => `${x},${y}`),
    outline: [[-half, -half], [half, -half], [half, half], [-half, half]],
    labels: /** @type {[number, number, string][]} */ (labels),
    dots: [],
    joined: [],
    links: xtMap.transitions.map((transition, at) => link(xtMap, transition, at)),
    seats: FILLS.slice(0, xtMap.players).map((fill, at) =>
      ({ name: `seat ${at + 1}`, fill, ink: INK, sign: String(at + 1) })),
  };
}

/** @param {number} place a column or a row */
const centre = (place) => MARGIN + UNIT / 2 + place * UNIT;
/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * The point that is `part` cells and `length` units from the middle of a cell, through one of its sides.
 * @param {Side} side
 * @param {number} part
 * @param {number} [length]
 */
function through({ x, y, direction }, part, length = 0) {
  const [dx, dy] = DIRECTIONS[direction];
  const steps = part * UNIT + length / Math.hypot(dx, dy);
  return [centre(x) + dx * steps, centre(y) + dy * steps];
}

/**
 * A transition as the board draws it: a curve from port to port, out along the one direction, in along the other.
 * @param {XtMap} xtMap
 * @param {Transition} transition
 * @param {number} at
 */
function link({ width, height }, { from, to }, at) {
  const [start, end] = [through(from, 0.5, PORT), through(to, 0.5, PORT)];
  const reach = clamp(Math.hypot(end[0] - start[0], end[1] - start[1]) * 0.4, UNIT, 6 * UNIT);
  const [dx, dy] = DIRECTIONS[from.direction];
  const [right, down] = [to.x - from.x, to.y - from.y];
  const isOneLine = (from.direction - to.direction) % 4 === 0 && dx * down === dy * right;
  let bow = 0;
  if (isOneLine && dx * right + dy * down <= 0) {
    // A straight curve would cover the cells between its ends: swing round them, towards the middle.
    const isMiddleAhead = dx * ((height - 1) / 2 - from.y) >= dy * ((width - 1) / 2 - from.x);
    bow = ((isMiddleAhead ? 1 : -1) * reach * 0.8) / Math.hypot(dx, dy);
  }
  const [first, second] = [from, to].map((side) => {
    const [x, y] = through(side, 0.5, PORT + reach);
    // A curve stays within the hull of its points: these stay within the drawing.
    return [
      clamp(x - dy * bow, 2, width * UNIT + 2 * MARGIN - 2),
      clamp(y + dx * bow, 2, height * UNIT + 2 * MARGIN - 2),
    ];
  });
  const points = [through(from, 0.4), start, first, second, end, through(to, 0.4)]
    .map((point) => point.map(round).join(" "));
  const port = (/** @type {Side} */ { x, y }, /** @type {number[]} */ place) =>
    /** @type {[number, number, number]} */ ([y * width + x, ...place.map(round)]);
  return {
    number: at + 1,
    path: `M${points[0]}L${points[1]}C${points.slice(2, 5).join(" ")}L${points[5]}`,
    ends: [port(from, start), port(to, end)],
    title: `${sideName(from)} – ${sideName(to)}`,
    colour: at % COLOURS,
    dash: Math.floor(at / COLOURS) % DASHES,
  };
}
