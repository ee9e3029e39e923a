/** How a finished game came out, in a few words. */

import { words } from "../../words/words.js";

/** @typedef {import("../../app/types.js").Summary} Summary */

/**
 * @param {Summary} summary
 * @returns {{text: string, score: string}}
 */
export function resultOf({ result, players }) {
  if (!result) return { text: words.watch.nobody, score: "" };
  const winners = players.filter((_, at) => result.ranks[at] === 1);
  const [winner] = winners;
  let text = winner !== undefined && winners.length === 1 ? words.watch.won(winner) : words.watch.draw;
  if (winner === undefined || result.verdict?.kind === "aborted") text = words.watch.nobody;
  return { text, score: result.scores.join("–") };
}

/**
 * The variant that a specification begins with: `othello-6:goal=fewest` is an `othello`; XT maps keep their kind.
 * @param {string} spec
 */
export function variantOf(spec) {
  const [name = "", rest = ""] = spec.split(":", 2);
  if (name.endsWith("xt")) return `${name}:${rest.split(",", 1)[0]}`;
  return name.replace(/-\d+$/, "");
}
