/** A board within a view, with buttons to zoom it. */
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../app/html.js";
import { t } from "../app/i18n.js";
import { animation, coordinates, legalMoves, patterns, stones, themeOf } from "../app/settings.js";
import { Board } from "../board/board.js";
import { IconButton } from "./icons.js";

/** @import { Signal } from "../app/html.js" */
/** @import { Plan } from "../app/types.js" */

/** @typedef {Partial<import("../board/config.js").Config>} Config */

/** @param {{plan: Plan, config: Config, name?: string, onReady?: (board: Board) => void}} props */
export function BoardHost({ plan, config, name = "", onReady }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const board = useRef(/** @type {Board | null} */ (null));
  /** What a board passes on to its replacement, such as the same map with one more transition. */
  const left = useRef({ hasFocus: false, cursor: 0, scale: 1, cells: 0 });
  const whole = {
    animate: animation.value, patterns: patterns.value, coordinates: coordinates.value, stones: stones.value,
    theme: themeOf(plan), showsLegal: legalMoves.value, ...config,
  };
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const made = new Board(place.current, plan);
    board.current = made;
    made.set({ ...whole, animate: false });
    const { hasFocus, cursor, scale, cells } = left.current;
    if (cells === plan.x.length) {
      made.moveTo(cursor);
      if (scale > 1) made.zoomTo(scale, cursor);
      if (hasFocus) made.focus();
    }
    onReady?.(made);
    return () => {
      const isFocused = place.current?.contains(document.activeElement) ?? false;
      left.current = { hasFocus: isFocused, cursor: made.cursor, scale: made.scale, cells: plan.x.length };
      board.current = null;
      made.destroy();
    };
  }, [plan]);
  useEffect(() => board.current?.set(whole));
  return html`<div class=${`board-host ${name}`} ref=${place}></div>`;
}

/** How large a board is shown, and how large it could be. @typedef {Signal<{scale: number, maxScale: number}>} Zoom */

/** Boards with at most this many cells are readable as a whole: they can be zoomed, but have no buttons for it. */
const SMALL = 120;
/** The factors by which the two buttons zoom. */
const [LARGER, SMALLER] = [1.5, 0.7];

/** What a board calls when it is shown at another size. @param {Zoom} zoom */
export function zoomInto(zoom) {
  return (/** @type {number} */ scale, /** @type {number} */ maxScale) => {
    if (scale !== zoom.value.scale || maxScale !== zoom.value.maxScale) zoom.value = { scale, maxScale };
  };
}

/** @param {{board: {current: Board|null}, zoom: Zoom, cells: number, look?: string}} props */
export function ZoomButtons({ board, zoom, cells, look = "" }) {
  const { scale, maxScale } = zoom.value;
  if (maxScale <= 1 || cells <= SMALL) return null;
  return html`
    <div class="zoom" role="group" aria-label=${t("Zoom")}>
      <${IconButton} icon="minus" look=${look} label=${t("Zoom out")} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomBy(SMALLER)} />
      <${IconButton} icon="fit" look=${look} label=${t("Show the whole board")} disabled=${scale <= 1}
        onClick=${() => board.current?.zoomTo("fit")} />
      <${IconButton} icon="plus" look=${look} label=${t("Zoom in")} disabled=${scale >= maxScale}
        onClick=${() => board.current?.zoomBy(LARGER)} />
    </div>`;
}

/** A board with these buttons below it. @param {{plan: Plan, config: Config, name?: string}} props */
export function ZoomableBoard({ plan, config, name = "" }) {
  const board = useRef(/** @type {Board | null} */ (null));
  const zoom = useSignal({ scale: 1, maxScale: 1 });
  return html`<div class="zoomable">
    <${BoardHost} name=${name} plan=${plan} config=${{ ...config, onZoom: zoomInto(zoom) }}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    <${ZoomButtons} board=${board} zoom=${zoom} cells=${plan.x.length} />
  </div>`;
}
