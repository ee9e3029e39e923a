/** A board within a view: makes it for a plan, hands it what it shows, and takes it away again. */

import { Board } from "../../board/board.js";
import { html, useEffect, useLayoutEffect, useRef } from "../../app/html.js";
import { animates, coordinates, patterns } from "../../app/settings.js";

/** @typedef {import("../../app/types.js").Plan} Plan */
/** @typedef {Partial<import("../../board/config.js").Config>} Config */

/**
 * @param {{plan: Plan, config: Config, name?: string, onReady?: (board: Board) => void}} props
 */
export function BoardHost({ plan, config, name = "", onReady }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  const board = useRef(/** @type {Board | null} */ (null));
  /** What a board leaves to the one that takes its place, such as the same map with one more transition. */
  const left = useRef({ hasFocus: false, cursor: 0, scale: 1, cells: 0 });
  const whole = { animate: animates(), patterns: patterns.value, coordinates: coordinates.value, ...config };
  useLayoutEffect(() => {
    if (!place.current) return undefined;
    const made = new Board(place.current, plan);
    board.current = made;
    made.set({ ...whole, animate: false });
    if (left.current.cells === plan.x.length) takeOver(made, left.current);
    onReady?.(made);
    return () => {
      const hasFocus = place.current?.contains(document.activeElement) ?? false;
      left.current = { hasFocus, cursor: made.cursor, scale: made.scale, cells: plan.x.length };
      board.current = null;
      made.destroy();
    };
  }, [plan]);
  useEffect(() => board.current?.set(whole));
  return html`<div class=${`board-host ${name}`} ref=${place}></div>`;
}

/**
 * @param {Board} board
 * @param {{hasFocus: boolean, cursor: number, scale: number}} left
 */
function takeOver(board, { hasFocus, cursor, scale }) {
  board.moveTo(cursor);
  if (scale > 1) board.zoomTo(scale, cursor);
  if (hasFocus) board.focus();
}
