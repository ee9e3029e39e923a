/** Whose turn it is, and on XT maps the phase and what every seat has left. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { NumberInput } from "../parts/typed.js";

/** @typedef {import("../../app/position.js").Position} Position */

const MOST_STOCK = 9999;

/**
 * @param {{description: import("../../app/types.js").Description, position: Position, onChange: (position: Position) => void}} props
 */
export function SeatFields({ description, position, onChange }) {
  const { turn, phase, phases } = words.editor.position;
  return html`
    <div class="row editor-turn">
      <label class="field grow">
        <span>${turn}</span>
        <select value=${position.turn} onChange=${(/** @type {any} */ event) => onChange({ ...position, turn: Number(event.target.value), passes: 0 })}>
          ${description.plan.seats.map((seat, at) => html`<option value=${at + 1}>${seat.name}</option>`)}
        </select>
      </label>
      ${description.is_xt && html`
        <label class="field grow">
          <span>${phase}</span>
          <select value=${position.phase} onChange=${(/** @type {any} */ event) => onChange({ ...position, phase: event.target.value })}>
            ${Object.entries(phases).map(([name, text]) => html`<option value=${name}>${text}</option>`)}
          </select>
        </label>`}
    </div>
    ${description.is_xt && html`<${Stocks} seats=${description.plan.seats} position=${position} onChange=${onChange} />`}`;
}

/** @param {{seats: import("../../app/types.js").Paint[], position: Position, onChange: (position: Position) => void}} props */
function Stocks({ seats, position, onChange }) {
  const { stocks, seat, overrides, bombs, out } = words.editor.position;
  const expel = (/** @type {number} */ number, /** @type {boolean} */ isOut) => {
    const others = position.out.filter((one) => one !== number);
    onChange({ ...position, out: isOut ? [...others, number].sort() : others });
  };
  return html`
    <table class="editor-stocks" aria-label=${stocks}>
      <thead><tr>${[seat, overrides, bombs, out].map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>
        ${seats.map(({ name }, at) => html`
          <tr>
            <th scope="row">${name}</th>
            ${/** @type {const} */ (["overrides", "bombs"]).map((kind) => html`
              <td><${NumberInput} low=${0} high=${MOST_STOCK} value=${position[kind][at]}
                aria-label=${`${name}: ${words.editor.position[kind]}`}
                onNumber=${(/** @type {number} */ count) => onChange({ ...position, [kind]: position[kind].with(at, count) })} /></td>`)}
            <td><input type="checkbox" checked=${position.out.includes(at + 1)} aria-label=${`${name}: ${out}`}
              onChange=${(/** @type {any} */ event) => expel(at + 1, event.target.checked)} /></td>
          </tr>`)}
      </tbody>
    </table>`;
}
