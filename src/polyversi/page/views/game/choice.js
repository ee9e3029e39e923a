/** Asks beside the cell what a move on a special tile is to do. */
import { html, useLayoutEffect, useRef } from "../../app/html.js";
import { words } from "../../words/words.js";
import { Stone } from "../parts/stone.js";

/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/types.js").LegalMove} LegalMove */

/** Space that is kept between the question and the edge of the window. */
const MARGIN = 8;

/** @param {{description: Description, special: number, seat: number}} props */
function Meaning({ description, special, seat }) {
  if (special === 20) return html`${words.game.specialBomb}`;
  if (special === 21) return html`${words.game.specialOverride}`;
  const paint = description.plan.seats[special - 1];
  const said = special === seat ? words.game.specialKeep : words.game.specialSwap(paint?.name ?? String(special));
  return html`<${Stone} paint=${paint} />${said}`;
}

/**
 * @param {{description: Description, seat: number, moves: LegalMove[], place: DOMRect|undefined,
 *   onChoose: (move: LegalMove|null) => void}} props
 */
export function SpecialChoice({ description, seat, moves, place, onChoose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    box.showModal();
    if (!place) return;
    const { width, height } = box.getBoundingClientRect();
    const below = place.bottom + MARGIN + height < innerHeight;
    const left = place.left + place.width / 2 - width / 2;
    box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
    box.style.top = `${Math.max(MARGIN, below ? place.bottom + MARGIN : place.top - height - MARGIN)}px`;
  }, []);
  /** @param {LegalMove|null} move */
  const choose = (move) => {
    dialog.current?.close();
    onChoose(move);
  };
  const name = description.plan.names[moves[0][1]];
  return html`<dialog ref=${dialog} class="choice" aria-labelledby="choice-title" onCancel=${() => choose(null)}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) choose(null); }}>
    <div class="stack tight"><h2 id="choice-title">${words.game.special(name)}</h2>
      ${moves.map((move) => html`<button key=${move[0]} class="button" onClick=${() => choose(move)}>
        <${Meaning} description=${description} special=${move[2] ?? 0} seat=${seat} /></button>`)}
      <button class="button quiet" onClick=${() => choose(null)}>${words.game.cancel}</button></div>
  </dialog>`;
}
