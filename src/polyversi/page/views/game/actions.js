/** What a player can ask for: whether it is possible now, and doing it. */
import { sentenceOf } from "../../app/api.js";
import { announce } from "../../app/announce.js";
import { signal } from "../../app/html.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

/** The hint that is shown: for which game, at which ply, and where. */
export const hint = signal({ game: "", ply: -1, cell: -1 });

/** Whether everybody else is a computer. @param {GameModel} model */
export function isAlone(model) {
  const kinds = model.info.value?.kinds ?? [];
  const own = model.seats.value;
  return own.length > 0 && kinds.every((kind, index) => kind === "computer" || own.includes(index + 1));
}

/** @param {GameModel} model */
export function mayHint(model) {
  return model.asked.value > 0 && isAlone(model);
}

/** @param {GameModel} model */
export function mayUndo(model) {
  const own = model.seats.value;
  const hasMoved = model.plies.value.some(({ seat, forced }) => own.includes(seat) && !forced);
  return hasMoved && model.phase.value === "running" && !model.pending.value;
}

/** Shows a good move. @param {GameModel} model */
export async function askHint(model) {
  if (!mayHint(model)) return;
  const ply = model.plies.value.length;
  try {
    const { move, cell } = await model.hint();
    if (ply !== model.plies.value.length) return;
    model.at.value = null;
    hint.value = { game: model.id, ply, cell };
    announce(words.game.hinted(move));
  } catch (error) {
    model.problem.value = sentenceOf(error);
  }
}
