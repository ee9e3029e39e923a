/** The choice on special tiles: seats to swap stones with, a bomb or an override stone. */
import { html, useLayoutEffect, useRef } from "../app/html.js";
import { t } from "../app/i18n.js";
import { common } from "../app/words.js";
import { placeBeside } from "./beside.js";
import { Stone } from "./icons.js";

/** @import { Description, LegalMove } from "../app/types.js" */

/** What a choice on a special tile means. @param {{description: Description, choice: number, seat: number}} props */
function Choice({ description, choice, seat }) {
  if (choice === 20) return t("Take a bomb");
  if (choice === 21) return t("Take an override stone");
  const paint = description.plan.seats[choice - 1];
  return html`<${Stone} paint=${paint} />
    ${choice === seat ? t("Keep the stones as they are") : t("Swap stones with {name}", { name: paint ? t(paint.name) : choice })}`;
}

/**
 * @param {{description: Description, seat: number, moves: LegalMove[], place: DOMRect|undefined,
 *   onChoose: (move: LegalMove|null) => void}} props
 */
export function ChoiceDialog({ description, seat, moves, place, onChoose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useLayoutEffect(() => {
    dialog.current?.showModal();
    if (dialog.current && place) placeBeside(dialog.current, place);
  }, []);
  const choose = (/** @type {LegalMove|null} */ move) => {
    dialog.current?.close();
    onChoose(move);
  };
  return html`<dialog ref=${dialog} class="choice" aria-labelledby="choice-title" onCancel=${() => choose(null)}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) choose(null); }}>
    <div class="stack tight"><h2 id="choice-title">${t("Special tile {cell}", { cell: description.plan.names[moves[0][1]] })}</h2>
      ${moves.map((move) => html`<button key=${move[0]} class="button" onClick=${() => choose(move)}>
        <${Choice} description=${description} choice=${move[2]} seat=${seat} /></button>`)}
      <button class="button quiet" onClick=${() => choose(null)}>${common.cancel}</button></div>
  </dialog>`;
}
