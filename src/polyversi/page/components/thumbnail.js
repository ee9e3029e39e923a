/** A small picture of a position that cannot be clicked: a few paths, however many cells there are. */
import { html, useMemo } from "../app/html.js";
import { parsePosition } from "../app/position.js";
import { themeOf } from "../app/settings.js";
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
    <svg class=${`thumbnail ${themeOf(plan)}`} viewBox=${viewBox(plan)} role="img" aria-label=${label}>
      <path class="thumbnail-cells" d=${cells} />
      ${SPECIAL.map((tile) => html`<path class="thumbnail-sign" d=${spots(plan, tiles, tile, SYMBOLS[tile])} />`)}
      <path class="thumbnail-stone thumbnail-nobody" d=${stones(EXPANSION)} />
      ${plan.seats.map(({ fill }, at) => html`
        <path class="thumbnail-stone thumbnail-edge" d=${stones(at + 1)} />
        <path class="thumbnail-stone" stroke=${fill} d=${stones(at + 1)} />`)}
    </svg>`;
}

/** A shape at all cells with this tile. @type {(plan: Plan, tiles: number[], tile: number, shape: string) => string} */
function spots({ x, y }, tiles, wanted, shape) {
  return tiles.map((tile, cell) => (tile === wanted ? `M${x[cell]} ${y[cell]}${shape}` : "")).join("");
}

/** @param {Plan} plan */
function viewBox({ x, y }) {
  const [left, top] = [Math.min(...x) - MARGIN, Math.min(...y) - MARGIN];
  return `${left} ${top} ${Math.max(...x) + MARGIN - left} ${Math.max(...y) + MARGIN - top}`;
}
