/** The board of a game: position, legal moves, previews, and the choice on special tiles. */
import { html, useCallback, useMemo, useRef, useSignal, useSignalEffect } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { tileName } from "../../app/position.js";
import { BoardHost, zoomInto } from "../../components/board.js";
import { ChoiceDialog } from "../../components/choice.js";
import { openRules } from "../../components/rules.js";
import { isSpecial } from "../../board/config.js";
import { hint } from "./controls.js";

/** @import { Figure } from "../../board/config.js" */
/** @import { GameModel } from "../../app/game.js" */
/** @import { Signal } from "../../app/html.js" */
/** @import { Description, LegalMove } from "../../app/types.js" */
/** @import { Board } from "../../board/board.js" */

/** @type {LegalMove[]} */
const NONE = [];
/** @type {Figure[]} */
const NO_FIGURES = [];
/** Boards with more cells than this are large. */
const LARGE = 300;

/**
 * What a move on the hovered cell would turn; requested from the server where the move came without it.
 * @param {GameModel} model
 * @param {Signal<number|null>} hovered
 */
function usePreview(model, hovered) {
  const fetched = useSignal(/** @type {{key: string, cells: number[]}} */ ({ key: "", cells: [] }));
  const hoveredMove = () => model.moves.value.find(([, cell]) => cell === hovered.value);
  const keyOf = (/** @type {LegalMove} */ move) => `${model.plies.value.length} ${move[0]}`;
  // Requested at once, not after the next rendering: a click may follow, and then the move is no longer legal.
  useSignalEffect(() => {
    const move = hoveredMove();
    if (!move || move[3]) return;
    const key = keyOf(move);
    model.turnedBy(move[0]).then((cells) => { fetched.value = { key, cells }; }, () => {});
  });
  const move = hoveredMove();
  if (!move || model.viewedPly.value !== null) return null;
  const turned = move[3] ?? (fetched.value.key === keyOf(move) ? fetched.value.cells : []);
  return { cell: move[1], seat: model.ownTurn.value, turned, bomb: model.shown.value?.position.phase === "bomb" };
}

/**
 * What a screen reader says about a cell. A new function makes the board read the labels of all cells again, which is
 * too slow on large boards: there the function stays the same and leaves out how many stones a move turns.
 * @param {Description} description
 * @param {LegalMove[]} moves
 * @param {number|null} last
 * @returns {(cell: number, tile: number) => string}
 */
function useLabels(description, moves, last) {
  const { names } = description.plan;
  const isLarge = names.length > LARGE;
  const now = useRef({ turned: new Map(), last });
  now.current = useMemo(() => {
    const turned = new Map(moves.map((move) => [move[1], move[3]?.length]));
    return { turned, last };
  }, [moves, last]);
  return useCallback((cell, tile) => {
    const { turned } = now.current;
    const parts = [names[cell], t(tileName(description, tile))];
    if (cell === now.current.last) parts.push(t("last move"));
    if (turned.has(cell)) parts.push(t("legal"));
    if (!isLarge && turned.get(cell)) parts.push(t("turns {count}", { count: turned.get(cell) }));
    return parts.join(", ");
  }, isLarge ? [description] : [description, now.current]);
}

/**
 * @param {{model: GameModel, description: Description, board: {current: Board|null},
 *   zoom: import("../../components/board.js").Zoom}} props
 */
export function BoardArea({ model, description, board, zoom }) {
  const hovered = useSignal(/** @type {number|null} */ (null));
  const choosing = useSignal(NONE);
  const shown = model.shown.value;
  const moves = shown?.live ? model.moves.value : NONE;
  const last = shown?.last ?? null;
  const label = useLabels(description, moves, last);
  const legal = useMemo(() => [...new Set(moves.map((move) => move[1]).filter((cell) => cell >= 0))], [moves]);
  const preview = usePreview(model, hovered);
  if (!shown) return null;
  const play = (/** @type {LegalMove|null} */ move) => {
    choosing.value = NONE;
    if (move) model.play(move);
  };
  const select = (/** @type {number} */ cell) => {
    const found = moves.filter((move) => move[1] === cell);
    if (found.length > 1) choosing.value = found;
    else if (found.length || !isSpecial(shown.tiles[cell])) play(found[0] ?? null);
    else openRules({ game: model.id, isLegend: true, tile: shown.tiles[cell] });
  };
  const isHinted = hint.value.game === model.id && hint.value.ply === model.plies.value.length && shown.live;
  const config = {
    tiles: shown.tiles, legal, turn: model.ownTurn.value || shown.turn, last, turned: shown.turned, trail: shown.trail, preview,
    hint: isHinted ? hint.value.cell : null, figures: isHinted ? hint.value.figures : NO_FIGURES, selectable: moves.length > 0, title: t("Board"), label,
    onSelect: select,
    onHover: (/** @type {number|null} */ cell) => { hovered.value = cell; },
    onZoom: zoomInto(zoom),
  };
  return html`<div class=${`game-board ${shown.live ? "" : "past"}`}>
    <${BoardHost} plan=${description.plan} config=${config}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    ${choosing.value.length > 0 && html`
      <${ChoiceDialog} description=${description} seat=${model.ownTurn.value} moves=${choosing.value}
        place=${board.current?.place(choosing.value[0][1])} onChoose=${play} />`}
  </div>`;
}
