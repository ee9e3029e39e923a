/** A small drawing of a position, to look at only: a few paths, however many cells there are. */
import { html, useMemo } from "../app/html.js";
import { parsePosition, TILES } from "../app/position.js";

/** @import { Description, Paint, Plan } from "../app/types.js" */

/** @type {Record<number, string>} */
export const SIGNS = {
  [TILES.choice]: "m-9-4h18l-5-5m5 13h-18l5 5",
  [TILES.inversion]: "m9 0a9 9 0 1 1-4-7.5l-1.7-5.8m1.7 5.8l-6 .6",
  [TILES.bonus]: "m0-8v16m-8-8h16",
};

/** Cells of a board without room for its labels. */
const BLEED = 26;

/**
 * @param {{description: Description, position: string, label: string, paints?: Paint[]}} props
 */
export function LittleBoard({ description, position, label, paints }) {
  const { plan } = description;
  const tiles = useMemo(() => parsePosition(description, position).tiles, [description, position]);
  const ground = useMemo(() => cellsPath(plan, tiles), [plan, tiles]);
  const box = useMemo(() => viewBox(plan), [plan]);
  return html`
    <svg class=${`little ${plan.theme}`} viewBox=${box} role="img" aria-label=${label}>
      <path class="little-cells" d=${ground} />
      ${Object.entries(SIGNS).map(([tile, sign]) => html`<path class="little-sign" d=${spots(plan, tiles, Number(tile), sign)} />`)}
      <path class="little-stone little-nobody" d=${spots(plan, tiles, TILES.expansion, "h0")} />
      ${(paints ?? plan.seats).map((paint, at) => html`
        <path class="little-stone little-edge" d=${spots(plan, tiles, at + 1, "h0")} />
        <path class="little-stone" stroke=${paint.fill} d=${spots(plan, tiles, at + 1, "h0")} />`)}
    </svg>`;
}

/**
 * The same shape at every cell with this tile.
 * @param {Plan} plan
 * @param {number[]} tiles
 * @param {number} wanted
 * @param {string} shape
 */
function spots(plan, tiles, wanted, shape) {
  let path = "";
  for (let cell = 0; cell < tiles.length; cell++) {
    if (tiles[cell] === wanted) path += `M${plan.x[cell]} ${plan.y[cell]}${shape}`;
  }
  return path;
}

/**
 * The outlines of all cells that are still there.
 * @param {Plan} plan
 * @param {number[]} tiles
 */
function cellsPath(plan, tiles) {
  const corners = plan.outline;
  const [left, top] = corners[0] ?? [0, 0];
  const shape = corners.slice(1).map(([dx, dy], at) => {
    const [x, y] = corners[at] ?? [0, 0];
    return `l${dx - x} ${dy - y}`;
  }).join("") + "z";
  let path = "";
  for (let cell = 0; cell < tiles.length; cell++) {
    if (tiles[cell] !== TILES.hole) path += `M${(plan.x[cell] ?? 0) + left} ${(plan.y[cell] ?? 0) + top}${shape}`;
  }
  return path;
}

/** @param {Plan} plan */
function viewBox(plan) {
  const [left, top] = [Math.min(...plan.x) - BLEED, Math.min(...plan.y) - BLEED];
  return `${left} ${top} ${Math.max(...plan.x) + BLEED - left} ${Math.max(...plan.y) + BLEED - top}`;
}
