/** Directions on squares and hexagons: where they point, and which cell lies next in a direction. */

/** @import { Plan } from "./config.js" */

/** @typedef {[dx: number, dy: number]} Vector */

/**
 * The step of each direction, of length 1: on squares clockwise from the top, on hexagons from the upper right.
 * @type {(plan: Plan) => Vector[]}
 */
export function directions(plan) {
  const [count, first] = plan.layout === "hexagon" ? [6, -60] : [8, -90];
  return Array.from({ length: count }, (_, index) => {
    const angle = ((first + (360 / count) * index) * Math.PI) / 180;
    return [Math.cos(angle), Math.sin(angle)];
  });
}

/** A side's middle, or a corner, seen from the cell's middle. @type {(plan: Plan, direction: number) => Vector} */
export function side(plan, direction) {
  const [dx, dy] = directions(plan)[direction];
  // On squares the diagonal directions leave through corners.
  const length = plan.layout === "square" && direction % 2 ? 20 * Math.SQRT2 : 20;
  return [dx * length, dy * length];
}

/** The direction nearest to a vector. @type {(plan: Plan, dx: number, dy: number) => number} */
export function nearestDirection(plan, dx, dy) {
  const along = directions(plan).map(([x, y]) => x * dx + y * dy);
  return along.indexOf(Math.max(...along));
}

/**
 * The next cell from another in a direction: the first one straight ahead, or else the one that takes the
 * shortest detour, so that gaps in a map can be crossed. Null at the edge.
 * @type {(plan: Plan, from: number, dx: number, dy: number) => number|null}
 */
export function nextCell(plan, from, dx, dy) {
  let best = null;
  let lowest = Infinity;
  for (let cell = 0; cell < plan.x.length; cell++) {
    const x = plan.x[cell] - plan.x[from];
    const y = plan.y[cell] - plan.y[from];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (cell === from || ahead < 10 || aside > ahead + 1) continue;
    const cost = ahead + (aside > 1 ? 3 * aside + 1e4 : 0);
    if (cost < lowest) [best, lowest] = [cell, cost];
  }
  return best;
}

/**
 * The cell below (1) or above (-1) that is nearest to the column in which the cursor started: rows of hexagons are
 * shifted by half a cell, and this keeps the cursor on a straight line.
 * @type {(plan: Plan, from: number, down: 1|-1, column: number) => number|null}
 */
export function nextRow(plan, from, down, column) {
  if (plan.layout === "square") return nextCell(plan, from, 0, down);
  const row = plan.rows.findIndex((cells) => cells.includes(from));
  const cells = plan.rows[row + down];
  if (!cells) return null;
  // Of two cells that are equally near, the right one going up and the left one going down: back the same way.
  const away = (/** @type {number} */ cell) => Math.abs(plan.x[cell] - column + down * 0.5);
  return cells.reduce((best, cell) => (away(cell) < away(best) ? cell : best));
}
