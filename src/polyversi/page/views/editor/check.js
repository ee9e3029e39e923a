/** Asks the server whether a position or a map is one, a moment after the last change. */

import { asSentence, post, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";

/**
 * @typedef {object} Answer
 * @property {string|null} problem
 * @property {number|null} line
 * @property {number|null} column
 * @property {import("../../app/types.js").Description|null} description
 * @property {string} position the canonical position line
 * @property {string[]} moves legal moves, at most a few hundred of them
 * @property {number} [count] how many there are
 * @property {boolean} [is_over]
 */

/** @template T @typedef {import("../../vendor/signals-core.js").Signal<T>} Signal */

/** Milliseconds after the last change. */
const SETTLED = 250;

/**
 * The answer to the latest question, or null while it is on its way.
 * @param {{spec?: string, map?: string, position?: string} | null} question
 * @param {Signal<Answer | null>} [shared] where others see the answer too
 */
export function useCheck(question, shared) {
  const own = useSignal(/** @type {Answer | null} */ (null));
  const answer = shared ?? own;
  const asked = JSON.stringify(question);
  useEffect(() => {
    let isLatest = true;
    answer.value = null;
    const timer = setTimeout(async () => {
      if (!question) return;
      const found = await post("/api/check", question).catch((error) => ({ problem: sentenceOf(error), moves: [] }));
      if (isLatest) answer.value = found;
    }, SETTLED);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return answer;
}

/**
 * What the server says, in a sentence; the place of what was wrong can be gone to.
 * @param {{answer: Answer | null, onPlace?: (line: number, column: number) => void}} props
 */
export function Verdict({ answer, onPlace }) {
  let said = html`<p class="soft">${words.editor.checking}</p>`;
  if (answer?.problem) {
    const { line, column } = answer;
    said = html`<div class="problem stack tight"><p>${asSentence(answer.problem)}</p>
      ${onPlace && line && column && html`
        <button type="button" class="button" onClick=${() => onPlace(line, column)}>${words.editor.map.goTo(line, column)}</button>`}
    </div>`;
  } else if (answer) {
    said = html`<p class=${`editor-fine ${answer.is_over ? "over" : ""}`}>${answer.is_over ? words.editor.over : words.editor.fine} ${movesOf(answer)}</p>`;
  }
  return html`<div class="editor-verdict" role="status">${said}</div>`;
}

/** @param {Answer} answer */
function movesOf({ description, position, moves, count, is_over: isOver }) {
  const symbol = position.split(" ")[1] ?? "";
  const seat = description?.plan.seats[description.seat_symbols.indexOf(symbol)]?.name;
  return seat && !isOver ? words.editor.moves(seat.charAt(0).toUpperCase() + seat.slice(1), count ?? moves.length) : "";
}
