/** The board of a puzzle: moves are tried on it, and what they are worth is written on their cells. */
import { html, useCallback, useMemo, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { parsePosition, tileName } from "../../app/position.js";
import { BoardHost } from "../../components/board.js";
import { signed } from "./text.js";

/** @import { Description, PuzzleAnswer } from "../../app/types.js" */
/** @import { Board } from "../../board/board.js" */
/** @import { PuzzleModel } from "./model.js" */

/** Stones that a move costs from which on its figure has the tones 1 to 4, as in reviews. */
const TONES = [1, 3, 6, 12];

/**
 * Values on the cells: of wrong moves that were tried, and in the end of all moves.
 * @param {PuzzleModel} model
 */
function figuresOf(model) {
  const { steps } = model.puzzle;
  const ply = model.viewedPly.value;
  const over = steps.find((one) => one.ply === ply || one.ply + 1 === ply);
  const step = model.isOver.value ? over : steps[model.step.value];
  if (!step) return [];
  const [best] = step.answers;
  const tone = (/** @type {PuzzleAnswer} */ { value }) => TONES.filter((least) => best.value - value >= least).length;
  return (model.isOver.value ? step.answers : model.tried.value).filter(({ cell }) => cell >= 0)
    .map((answer) => ({ cell: answer.cell, text: signed(answer.value), tone: tone(answer), exact: true }));
}

/** @param {{model: PuzzleModel, description: Description, board: {current: Board|null}}} props */
export function PuzzleBoard({ model, description, board }) {
  const hovered = useSignal(/** @type {number|null} */ (null));
  const { names } = description.plan;
  const choices = model.choices.value;
  const shown = useMemo(() => parsePosition(description, model.position.value), [description, model.position.value]);
  const legal = useMemo(() => choices.map(({ cell }) => cell).filter((cell) => cell >= 0), [choices]);
  const figures = useMemo(() => figuresOf(model), [model.isOver.value, model.tried.value, model.viewedPly.value]);
  const last = model.last.value;
  const label = useCallback((/** @type {number} */ cell, /** @type {number} */ tile) => {
    const parts = [names[cell], t(tileName(description, tile))];
    if (cell === last?.cell) parts.push(t("last move"));
    const choice = choices.find((one) => one.cell === cell);
    if (choice) parts.push(t("legal"), t("turns {count}", { count: choice.turned.length }));
    const figure = figures.find((one) => one.cell === cell);
    if (figure) parts.push(t("value {value}, {certainty}", { value: figure.text, certainty: t("exact") }));
    return parts.join(", ");
  }, [description, choices, last, figures]);
  const hovering = choices.find(({ cell }) => cell === hovered.value);
  const config = {
    tiles: shown.tiles, turn: shown.turn, legal, figures, label,
    last: last && last.cell >= 0 ? last.cell : null, turned: last?.turned ?? [],
    preview: hovering ? { cell: hovering.cell, seat: model.puzzle.seat, turned: hovering.turned } : null,
    selectable: choices.length > 0, title: t("Board"),
    onSelect: (/** @type {number} */ cell) => {
      const answer = choices.find((one) => one.cell === cell);
      if (answer) model.try(answer);
    },
    onHover: (/** @type {number|null} */ cell) => { hovered.value = cell; },
  };
  return html`<div class="puzzle-board"><${BoardHost} plan=${description.plan} config=${config}
    onReady=${(/** @type {Board} */ made) => { board.current = made; }} /></div>`;
}
