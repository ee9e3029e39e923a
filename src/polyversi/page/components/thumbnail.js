/** A small drawing of a position, to look at only: a few paths, however many cells there are. */
import { html, useMemo } from "../app/html.js";
import { parsePosition } from "../app/position.js";
import { BONUS, CHOICE, EXPANSION, HOLE, INVERSION } from "../board/config.js";
import { SYMBOLS } from "../board/looks.js";
import { outlines } from "../board/svg.js";

/** @import { Description, Plan } from "../app/types.js" */

/** From the middle of the outermost cells to the edge of the drawing. */
const MARGIN = 26;
const SPECIAL = [CHOICE, INVERSION, BONUS];

/** @param {{description: Description, position: string, label: string}} props */
export function Thumbnail({ description, position, label }) {
  const { plan } = description;
  const tiles = useMemo(() => parsePosition(description, position).tiles, [description, position]);
  const cells = useMemo(() => outlines(plan, [...tiles.keys()].filter((cell) => tiles[cell] !== HOLE)), [plan, tiles]);
  const stones = (/** @type {number} */ tile) => spots(plan, tiles, tile, "h0");
  return html`
    <svg class=${`thumbnail ${plan.theme}`} viewBox=${viewBox(plan)} role="img" aria-label=${label}>
      <path class="thumbnail-cells" d=${cells} />
      ${SPECIAL.map((tile) => html`<path class="thumbnail-sign" d=${spots(plan, tiles, tile, SYMBOLS[tile])} />`)}
      <path class="thumbnail-stone thumbnail-nobody" d=${stones(EXPANSION)} />
      ${plan.seats.map(({ fill }, at) => html`
        <path class="thumbnail-stone thumbnail-edge" d=${stones(at + 1)} />
        <path class="thumbnail-stone" stroke=${fill} d=${stones(at + 1)} />`)}
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

/** @param {Plan} plan */
function viewBox({ x, y }) {
  const [left, top] = [Math.min(...x) - MARGIN, Math.min(...y) - MARGIN];
  return `${left} ${top} ${Math.max(...x) + MARGIN - left} ${Math.max(...y) + MARGIN - top}`;
}
