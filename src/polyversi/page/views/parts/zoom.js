/** Buttons that enlarge a board too large to be seen well as a whole. */

import { html, useRef, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { BoardHost } from "./boardhost.js";
import { IconButton } from "./iconbutton.js";

/** @typedef {import("../../board/board.js").Board} Board */
/**
 * How large a board is shown, and how large it could be.
 * @typedef {import("../../vendor/signals-core.js").Signal<{scale: number, most: number}>} Zoom
 */

/** Cells up to which a board is seen well as a whole: enlarging it is left to fingers, wheel and keys. */
const SMALL = 120;
/** The factors of a button that enlarges and of one that makes smaller. */
const [LARGER, SMALLER] = [1.5, 0.7];

/**
 * What a board calls when it is shown at another size.
 * @param {Zoom} zoom
 */
export function zoomInto(zoom) {
  return (/** @type {number} */ scale, /** @type {number} */ most) => {
    if (scale !== zoom.value.scale || most !== zoom.value.most) zoom.value = { scale, most };
  };
}

/** @param {{board: {current: Board|null}, zoom: Zoom, cells: number, look?: string}} props */
export function ZoomButtons({ board, zoom, cells, look = "" }) {
  const { scale, most } = zoom.value;
  if (most <= 1 || cells <= SMALL) return null;
  return html`
    <div class="zoom" role="group" aria-label=${words.game.zoom}>
      <${IconButton} icon="minus" look=${look} label=${words.game.zoomOut} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomBy(SMALLER)} />
      <${IconButton} icon="fit" look=${look} label=${words.game.zoomFit} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomTo("fit")} />
      <${IconButton} icon="plus" look=${look} label=${words.game.zoomIn} disabled=${scale >= most}
        onClick=${() => board.current?.zoomBy(LARGER)} />
    </div>`;
}

/**
 * A board with these buttons below it.
 * @param {{plan: import("../../app/types.js").Plan, config: import("./boardhost.js").Config, name?: string}} props
 */
export function ZoomableBoard({ plan, config, name = "" }) {
  const board = useRef(/** @type {Board | null} */ (null));
  const zoom = useSignal({ scale: 1, most: 1 });
  return html`<div class="zoomable">
    <${BoardHost} name=${name} plan=${plan} config=${{ ...config, onZoom: zoomInto(zoom) }}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    <${ZoomButtons} board=${board} zoom=${zoom} cells=${plan.x.length} />
  </div>`;
}
