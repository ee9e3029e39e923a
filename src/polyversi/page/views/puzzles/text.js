/** What the puzzles view says: what values mean, and what a move led to. */
import { number, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";

/** @import { Description, Puzzle } from "../../app/types.js" */
/** @import { PuzzleModel } from "./model.js" */

/** A seat's name with a capital. @param {Description} description @param {number} seat */
export const seatName = ({ plan }, seat) => common.capital(t(plan.seats[seat - 1]?.name ?? ""));

/** What a value means for a seat. @param {Puzzle} puzzle @param {string} seat @param {number} value */
export function outcome({ kind, cells }, seat, value) {
  if (kind === "wipeout" && value === cells) return t("{seat} forces a wipe-out.", { seat });
  if (value === 0) return t("It is a draw.");
  return value > 0
    ? plural(value, "{seat} wins by {count} stone.", "{seat} wins by {count} stones.", { seat })
    : plural(-value, "{seat} loses by {count} stone.", "{seat} loses by {count} stones.", { seat });
}

/** A move as it is written; a pass in words. @param {string} move */
export const moveName = (move) => (move === "pass" ? t("Pass") : move);

/** A value with its sign. @param {number} value */
export const signed = (value) => number(value, { signDisplay: "exceptZero" }).replace("-", "−");

/** What has just happened, in a sentence or two; empty while nothing was tried. @param {PuzzleModel} model @param {Description} description */
export function verdict(model, description) {
  const { puzzle } = model;
  const [own, other] = [puzzle.seat, 3 - puzzle.seat].map((seat) => seatName(description, seat));
  const { answer } = model.aside.value ?? {};
  switch (model.phase.value) {
    case "wrong": {
      if (!answer) return "";
      const reply = answer.reply ? t("The best reply is {move}.", { move: moveName(answer.reply.move) }) : "";
      return `${t(puzzle.failure, { move: moveName(answer.move) })} ${outcome(puzzle, own, answer.value)} ${reply}`.trim();
    }
    case "moving": return t("Right!");
    case "solved": return `${t("Solved!")} ${outcome(puzzle, own, puzzle.value)}`;
    case "shown": {
      const moves = puzzle.steps.map(({ answers: [{ move }] }) => move).join(" … ");
      return `${t("The solution: {moves}.", { moves })} ${outcome(puzzle, own, puzzle.value)}`;
    }
    default: {
      if (model.step.value === 0) return "";
      const reply = puzzle.line[puzzle.steps[model.step.value].ply - 1];
      return `${t("Right! {seat} answers {move}.", { seat: other, move: moveName(reply.move) })} ${t("How does it go on?")}`;
    }
  }
}
