/** How games ended, in words. */
import { number, t } from "./i18n.js";

/** @import { Result } from "./types.js" */

/** How one of two players lost otherwise than on the board. @type {Record<string, (winner: string, loser: string) => string>} */
const BEATEN = {
  "timeout": (winner) => t("{name} won on time", { name: winner }),
  "resigned": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} resigned", { name: loser }) }),
  "disconnect": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} left", { name: loser }) }),
  "illegal move": (winner, loser) =>
    t("{name} won: {reason}", { name: winner, reason: t("{name} made an illegal move", { name: loser }) }),
  "crash": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} crashed", { name: loser }) }),
  "stall": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} did not answer", { name: loser }) }),
  "disqualified": (winner, loser) =>
    t("{name} won: {reason}", { name: winner, reason: t("{name} was disqualified", { name: loser }) }),
};

/** How a game ended, in a few words. @type {(names: string[], result: Result|null) => string} */
export function resultText(names, result) {
  if (!result || result.verdict.kind === "aborted") return t("Not finished");
  const { ranks, verdict } = result;
  const winners = names.filter((_, at) => ranks[at] === 1);
  const loser = verdict.seat;
  const isPair = names.length === 2;
  if (isPair && loser && verdict.kind in BEATEN) return BEATEN[verdict.kind](names[2 - loser], names[loser - 1]);
  if (winners.length === 0) return t("Nobody won");
  const score = scoreOf(result);
  if (winners.length > 1) {
    return winners.length === names.length
      ? t("Draw, {score}", { score })
      : t("Draw between {names}, {score}", { names: winners.join(", "), score });
  }
  return t("{name} won {score}", { name: winners[0], score });
}

/** The score of a game, the winner's first. @param {Result} result */
function scoreOf({ scores, ranks }) {
  const order = scores.map((_, at) => at).sort((one, other) => ranks[one] - ranks[other]);
  return order.map((at) => number(scores[at])).join("–");
}
