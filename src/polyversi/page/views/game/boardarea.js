/** The board of a game: what lies on it, what one may do there, and what a move would do. */
import { html, useCallback, useMemo, useRef, useSignal, useSignalEffect } from "../../app/html.js";
import { words } from "../../words/words.js";
import { BoardHost } from "../parts/boardhost.js";
import { zoomInto } from "../parts/zoom.js";
import { hint } from "./actions.js";
import { SpecialChoice } from "./choice.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */
/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/types.js").LegalMove} LegalMove */
/** @typedef {import("../../board/board.js").Board} Board */

/** @type {LegalMove[]} */
const NONE = [];
/** Cells from which on a board is large. */
const LARGE = 300;

/** The first legal move on a cell. @param {LegalMove[]} moves @param {number|null} cell */
const moveOn = (moves, cell) => moves.find((move) => move[1] === cell);

/**
 * What a move on the hovered cell would turn; asked of the server where the move came without it.
 * @param {GameModel} model
 * @param {import("../../vendor/signals-core.js").Signal<number|null>} hovered
 */
function usePreview(model, hovered) {
  const fetched = useSignal(/** @type {{key: string, cells: number[]}|null} */ (null));
  useSignalEffect(() => {
    const move = moveOn(model.moves.value, hovered.value);
    if (!move || move[3]) return;
    const key = `${model.plies.value.length} ${move[0]}`;
    model.turnedBy(move[0]).then((cells) => { fetched.value = { key, cells }; }, () => {});
  });
  const move = model.at.value === null ? moveOn(model.moves.value, hovered.value) : undefined;
  if (!move) return null;
  const key = `${model.plies.value.length} ${move[0]}`;
  const turned = move[3] ?? (fetched.value?.key === key ? fetched.value.cells : []);
  return { cell: move[1], seat: model.asked.value, turned, bomb: model.shown.value?.position.phase === "bomb" };
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
  const { names, seats } = description.plan;
  const isLarge = names.length > LARGE;
  return useCallback((cell, tile) => {
    const parts = [words.game.cellWords(names[cell], words.speech.tile(tile, seats.map(({ name }) => name)))];
    if (cell === now.current.last) parts.push(words.game.cellLast);
    if (now.current.legal.has(cell)) parts.push(words.game.cellLegal(isLarge ? null : now.current.legal.get(cell)));
    return parts.join(", ");
  }, isLarge ? [description] : [description, now.current]);
}

/** @typedef {{model: GameModel, description: Description, board: {current: Board|null}}} Place */

/** @param {Place & {zoom: import("../parts/zoom.js").Zoom}} props */
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
    tiles: shown.tiles, legal, turn: model.asked.value || shown.turn, last, turned: shown.turned, preview,
    hint: isHinted ? hint.value.cell : null, selectable: moves.length > 0, title: words.game.board, label,
    onSelect: select,
    onHover: (/** @type {number|null} */ cell) => { hovered.value = cell; },
    onZoom: zoomInto(zoom),
  };
  return html`<div class=${`game-board ${shown.live ? "" : "past"}`}>
    <${BoardHost} plan=${description.plan} config=${config}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    ${choosing.value.length > 0 && html`
      <${SpecialChoice} description=${description} seat=${model.asked.value} moves=${choosing.value}
        place=${board.current?.place(choosing.value[0][1])} onChoose=${choose} />`}
  </div>`;
}
