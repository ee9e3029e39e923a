/** Values, moves and certainty in words and figures. */
import { number, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { common } from "../../app/words.js";

/** @import { AnalysisModel } from "./model.js" */
/** @import { Values } from "../../app/messages.js" */
/** @import { MoveValue } from "./engine.js" */
/** @import { Node } from "./nodes.js" */

export { figure } from "../../app/figures.js";

/** What a move costs: a decimal only where there is one. @param {number} loss */
export const lossText = (loss) => number(loss, { maximumFractionDigits: 1 });

/** How far a value can be trusted. @param {Pick<MoveValue, "depth"|"selectivity"|"exact">} value */
export function certainty({ depth, selectivity, exact }) {
  if (exact) return t("exact");
  if (!depth) return t("estimated");
  return selectivity > 0 && selectivity < 100
    ? t("depth {depth}, {percent}%", { depth: number(depth), percent: number(selectivity) })
    : t("depth {depth}", { depth: number(depth) });
}

/** A seat in a word. @type {(model: AnalysisModel, seat: number) => string} */
export const seatName = ({ description }, seat) => t(description.plan.seats[seat - 1]?.name ?? "");

/** Who has a seat: the player's name, or the seat's. @type {(model: AnalysisModel, seat: number) => string} */
export const nameOf = (model, seat) => {
  const name = model.players[seat - 1];
  return name ? playerName(name) : common.capital(seatName(model, seat));
};

/** A move without what is chosen on a special tile. @param {string} move */
export const shortMove = (move) => (move === "pass" ? t("pass") : move);

/** The move of a node in words: "12. black f5, turns 2". @type {(model: AnalysisModel, node: Node) => string} */
export function moveWords(model, node) {
  const words = [t("Move {number}, {name}:", { number: number(node.ply), name: seatName(model, node.seat) }), shortMove(node.move)];
  if (node.turned.length) words.push(t("turns {count}", { count: number(node.turned.length) }));
  return words.join(" ");
}

/** The opening that a node belongs to. @param {Node} node */
export const openingOf = (node) => node.path().findLast(({ opening }) => opening)?.opening ?? "";

/** How bad a loss is, from 0 for none to 4. @type {(loss: number, values: Values) => 0|1|2|3|4} */
export function toneOf(loss, { unit, moves }) {
  if (loss <= 0) return 0;
  const spread = moves[0].value - (moves.at(-1)?.value ?? 0);
  const [one, two, three] = unit === "stones" ? [3, 6, 12] : [0.15 * spread, 0.4 * spread, 0.7 * spread];
  return loss < one ? 1 : loss < two ? 2 : loss < three ? 3 : 4;
}

/** The class with the colour of a mark. @type {Record<string, string>} */
export const MARKS = { "?!": "mark-inaccuracy", "?": "mark-mistake", "??": "mark-blunder" };

/** What a mark means. @type {Record<string, () => string>} */
export const JUDGEMENTS = {
  "?!": () => t("inaccuracy"),
  "?": () => t("mistake"),
  "??": () => t("blunder"),
};

/**
 * The value of a position for the first of two seats, from what is known of it, from a review of the move that followed, or
 * from its stones where the game is over.
 * @type {(model: AnalysisModel, node: Node) => {value: number, exact: boolean, points: number[]|null}|null}
 */
export function standing(model, node) {
  const { fewest_wins: fewestWin, seats } = model.description;
  if (node.over) {
    const margin = node.scores[0] - (node.scores[1] ?? 0);
    return seats === 2 ? { value: fewestWin ? -margin : margin, exact: true, points: null } : null;
  }
  const sign = node.turn === 2 ? -1 : 1;
  const [best] = model.engine.valuesOf(node)?.moves ?? [];
  if (best) return { value: sign * best.value, exact: best.exact, points: best.points };
  const reviewed = node.next?.reviewed;
  return reviewed && seats === 2 ? { value: sign * reviewed.best_value, exact: reviewed.exact, points: null } : null;
}
