/** Buttons that enlarge a board too large to be played on as a whole. */
import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { IconButton } from "../parts/iconbutton.js";

/** @typedef {import("../../board/board.js").Board} Board */
/**
 * How large a board is shown, and how large it could be.
 * @typedef {import("../../vendor/signals-core.js").Signal<{scale: number, most: number}>} Zoom
 */

/** Cells up to which a board is seen well as a whole. */
const SMALL = 120;

/** @param {{board: {current: Board|null}, zoom: Zoom, cells: number}} props */
export function ZoomButtons({ board, zoom, cells }) {
  const { scale, most } = zoom.value;
  if (most <= 1 || cells <= SMALL) return null;
  return html`
    <div class="zoom" role="group" aria-label=${words.game.zoom}>
      <${IconButton} icon="minus" look="quiet" label=${words.game.zoomOut} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomBy(0.7)} />
      <${IconButton} icon="fit" look="quiet" label=${words.game.zoomFit} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomTo("fit")} />
      <${IconButton} icon="plus" look="quiet" label=${words.game.zoomIn} disabled=${scale >= most}
        onClick=${() => board.current?.zoomBy(1.5)} />
    </div>`;
}
