/** The board of a game: position, legal moves, previews, and the choice on special tiles. */
import { html, useCallback, useLayoutEffect, useMemo, useRef, useSignal, useSignalEffect } from "../../app/html.js";
import { tileName } from "../../app/position.js";
import { common } from "../../app/words.js";
import { BoardHost, zoomInto } from "../../components/board.js";
import { Stone } from "../../components/icons.js";
import { hint } from "./controls.js";
import { words } from "./words.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Signal } from "../../app/html.js" */
/** @import { Description, LegalMove } from "../../app/types.js" */
/** @import { Board } from "../../board/board.js" */

/** Space that is kept between the question and the edge of the window. */
const MARGIN = 8;

/** @param {{description: Description, special: number, seat: number}} props */
function Meaning({ description, special, seat }) {
  if (special === 20) return html`${words.specialBomb}`;
  if (special === 21) return html`${words.specialOverride}`;
  const paint = description.plan.seats[special - 1];
  const said = special === seat ? words.specialKeep : words.specialSwap(paint?.name ?? String(special));
  return html`<${Stone} paint=${paint} />${said}`;
}

/**
 * @param {{description: Description, seat: number, moves: LegalMove[], place: DOMRect|undefined,
 *   onChoose: (move: LegalMove|null) => void}} props
 */
function SpecialChoice({ description, seat, moves, place, onChoose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    box.showModal();
    if (!place) return;
    const { width, height } = box.getBoundingClientRect();
    const below = place.bottom + MARGIN + height < innerHeight;
    const left = place.left + place.width / 2 - width / 2;
    box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
    box.style.top = `${Math.max(MARGIN, below ? place.bottom + MARGIN : place.top - height - MARGIN)}px`;
  }, []);
  /** @param {LegalMove|null} move */
  const choose = (move) => {
    dialog.current?.close();
    onChoose(move);
  };
  const name = description.plan.names[moves[0][1]];
  return html`<dialog ref=${dialog} class="choice" aria-labelledby="choice-title" onCancel=${() => choose(null)}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) choose(null); }}>
    <div class="stack tight"><h2 id="choice-title">${words.special(name)}</h2>
      ${moves.map((move) => html`<button key=${move[0]} class="button" onClick=${() => choose(move)}>
        <${Meaning} description=${description} special=${move[2] ?? 0} seat=${seat} /></button>`)}
      <button class="button quiet" onClick=${() => choose(null)}>${common.cancel}</button></div>
  </dialog>`;
}

/** @type {LegalMove[]} */
const NONE = [];
/** Cells from which on a board is large. */
const LARGE = 300;

/** The first legal move on a cell. @param {LegalMove[]} moves @param {number|null} cell */
const moveOn = (moves, cell) => moves.find((move) => move[1] === cell);

/**
 * What a move on the hovered cell would turn; asked of the server where the move came without it.
 * @param {GameModel} model
 * @param {Signal<number|null>} hovered
 */
function usePreview(model, hovered) {
  const fetched = useSignal(/** @type {{key: string, cells: number[]}|null} */ (null));
  useSignalEffect(() => {
    const move = moveOn(model.moves.value, hovered.value);
    if (!move || move[3]) return;
    const key = `${model.plies.value.length} ${move[0]}`;
    model.turnedBy(move[0]).then((cells) => { fetched.value = { key, cells }; }, () => {});
  });
  const move = model.viewedPly.value === null ? moveOn(model.moves.value, hovered.value) : undefined;
  if (!move) return null;
  const key = `${model.plies.value.length} ${move[0]}`;
  const turned = move[3] ?? (fetched.value?.key === key ? fetched.value.cells : []);
  return { cell: move[1], seat: model.ownTurn.value, turned, bomb: model.shown.value?.position.phase === "bomb" };
}

/**
 * What a screen reader says of a cell. A new function makes the board ask anew for every cell, which on large
 * boards would cost more than a move may: there it stays the same one and leaves out how much a move turns.
 * @param {Description} description
 * @param {LegalMove[]} moves
 * @param {number|null} last
 * @returns {(cell: number, tile: number) => string}
 */
function useLabels(description, moves, last) {
  const now = useRef({ legal: new Map(), last });
  now.current = useMemo(() => {
    const legal = new Map(moves.map((move) => [move[1], move[3]?.length ?? null]));
    return { legal, last };
  }, [moves, last]);
  const { names } = description.plan;
  const isLarge = names.length > LARGE;
  return useCallback((cell, tile) => {
    const parts = [words.cellWords(names[cell], tileName(description, tile))];
    if (cell === now.current.last) parts.push(words.cellLast);
    if (now.current.legal.has(cell)) parts.push(words.cellLegal(isLarge ? null : now.current.legal.get(cell)));
    return parts.join(", ");
  }, isLarge ? [description] : [description, now.current]);
}

/** @typedef {{model: GameModel, description: Description, board: {current: Board|null}}} Place */

/** @param {Place & {zoom: import("../../components/board.js").Zoom}} props */
export function BoardArea({ model, description, board, zoom }) {
  const hovered = useSignal(/** @type {number|null} */ (null));
  const choosing = useSignal(/** @type {LegalMove[]} */ ([]));
  const shown = model.shown.value;
  const moves = shown?.live ? model.moves.value : NONE;
  const last = shown?.last ?? null;
  const label = useLabels(description, moves, last);
  const legal = useMemo(() => [...new Set(moves.map((move) => move[1]).filter((cell) => cell >= 0))], [moves]);
  const preview = usePreview(model, hovered);
  if (!shown) return null;
  const select = (/** @type {number} */ cell) => {
    const found = moves.filter((move) => move[1] === cell);
    if (found.length > 1) choosing.value = found;
    else if (found[0]) model.play(found[0]);
  };
  const choose = (/** @type {LegalMove|null} */ move) => {
    choosing.value = [];
    if (move) model.play(move);
  };
  const isHinted = hint.value.game === model.id && hint.value.ply === model.plies.value.length && shown.live;
  const config = {
    tiles: shown.tiles, legal, turn: model.ownTurn.value || shown.turn, last, turned: shown.turned, preview,
    hint: isHinted ? hint.value.cell : null, selectable: moves.length > 0, title: words.board, label,
    onSelect: select,
    onHover: (/** @type {number|null} */ cell) => { hovered.value = cell; },
    onZoom: zoomInto(zoom),
  };
  return html`<div class=${`game-board ${shown.live ? "" : "past"}`}>
    <${BoardHost} plan=${description.plan} config=${config}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    ${choosing.value.length > 0 && html`
      <${SpecialChoice} description=${description} seat=${model.ownTurn.value} moves=${choosing.value}
        place=${board.current?.place(choosing.value[0][1])} onChoose=${choose} />`}
  </div>`;
}
