/** The board of an analysis: the position, what each move is worth, and the line that is pointed at. */
import { html, useCallback, useMemo, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { cellOf, tileName } from "../../app/position.js";
import { BoardHost, zoomInto } from "../../components/board.js";
import { ChoiceDialog } from "../../components/choice.js";
import { valueOf } from "./model.js";
import { certainty, figure, toneOf } from "./text.js";

/** @import { Board } from "../../board/board.js" */
/** @import { Figure } from "../../board/config.js" */
/** @import { LegalMove } from "../../app/types.js" */
/** @import { Values } from "../../app/messages.js" */
/** @import { AnalysisModel } from "./model.js" */
/** @import { Node } from "./nodes.js" */

/** @type {LegalMove[]} */
const NONE = [];
/** @type {Figure[]} */
const NO_FIGURES = [];
/** Boards with more cells than this do not name the values of all cells for screen readers. */
const LARGE = 300;

/** Whether the values are to be seen: not while a move is to be found. @param {AnalysisModel} model */
export const isShown = ({ isOn, trial }) => isOn.value && (!trial.value || trial.value.isRight === true);

/** The figure of each cell that can be played on: the best, where there are several moves. @type {(node: Node, values: Values) => Figure[]} */
function figuresOf(node, values) {
  const best = values.moves[0]?.value ?? 0;
  /** @type {Map<number, Figure>} */
  const found = new Map();
  for (const { move, value, exact } of values.moves) {
    const cell = node.legal.find(([text]) => text === move)?.[1] ?? -1;
    if (cell < 0 || found.has(cell)) continue;
    found.set(cell, { cell, text: figure(value, values.unit), tone: toneOf(best - value, values), exact });
  }
  return [...found.values()];
}

/**
 * What a screen reader says about a cell.
 * @type {(model: AnalysisModel, node: Node, values: Values|null) => (cell: number, tile: number) => string}
 */
function useLabels(model, node, values) {
  const { plan } = model.description;
  const isLarge = plan.names.length > LARGE;
  return useCallback((cell, tile) => {
    const parts = [plan.names[cell], tileName(model.description, tile)];
    const move = isLarge ? undefined : node.legal.find((one) => one[1] === cell);
    if (move) parts.push(t("legal"));
    const value = move && valueOf(values, move[0]);
    if (value && values) parts.push(t("value {value}, {certainty}", { value: figure(value.value, values.unit), certainty: certainty(value) }));
    return parts.filter(Boolean).join(", ");
  }, isLarge ? [model] : [node, values]);
}

/**
 * @param {{model: AnalysisModel, board: {current: Board|null}, zoom: import("../../components/board.js").Zoom}} props
 */
export function BoardArea({ model, board, zoom }) {
  const { description } = model;
  const hovered = useSignal(/** @type {number|null} */ (null));
  const choosing = useSignal(NONE);
  const node = model.current.value;
  const look = model.preview.value;
  const values = isShown(model) ? model.values.value : null;
  const figures = useMemo(() => (values && !look ? figuresOf(node, values) : NO_FIGURES), [node, values, look]);
  const legal = useMemo(() => [...new Set(node.legal.map((move) => move[1]).filter((cell) => cell >= 0))], [node]);
  const label = useLabels(model, node, values);
  const cell = node.move ? cellOf(description, node.move) : -1;
  const move = look ? undefined : node.legal.find((one) => one[1] === hovered.value);
  const preview = useMemo(() => (move?.[3]
    ? { cell: move[1], seat: node.turn, turned: move[3], bomb: node.phase === "bomb" } : null), [move]);
  const play = (/** @type {LegalMove|null} */ chosen) => {
    choosing.value = NONE;
    if (chosen) model.play(chosen[0]);
  };
  const select = (/** @type {number} */ at) => {
    const found = node.legal.filter((one) => one[1] === at);
    if (found.length > 1) choosing.value = found;
    else play(found[0] ?? null);
  };
  const config = {
    tiles: (look?.position ?? model.positionOf(node)).tiles,
    legal: look ? [] : legal, turn: node.turn, figures, preview,
    last: look ? look.last : cell >= 0 ? cell : null,
    turned: look ? look.turned : cell >= 0 ? node.turned : [],
    hint: null, selectable: legal.length > 0, title: t("Board"), label,
    onSelect: select,
    onHover: (/** @type {number|null} */ at) => {
      hovered.value = at;
      model.pointed.value = node.legal.find((one) => one[1] === at)?.[0] ?? "";
    },
    onZoom: zoomInto(zoom),
  };
  return html`<div class=${`analysis-board ${look ? "previewing" : ""}`}>
    <${BoardHost} plan=${description.plan} config=${config}
      onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    ${choosing.value.length > 0 && html`
      <${ChoiceDialog} description=${description} seat=${node.turn} moves=${choosing.value}
        place=${board.current?.place(choosing.value[0][1])} onChoose=${play} />`}
  </div>`;
}
