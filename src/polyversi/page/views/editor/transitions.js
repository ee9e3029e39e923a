/** The transitions of a map: a list in which each can be removed, and a form for those who do not use a pointer. */

import { html, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";
import { withoutTransition } from "./chart.js";
import { change, chart, connect } from "./mapdesk.js";

/** @typedef {import("./chart.js").Side} Side */

export function Transitions() {
  const { transitions } = chart.value;
  return html`
    <section class="panel stack tight" aria-labelledby="map-transitions">
      <h2 id="map-transitions">${words.editor.map.transitions} ${transitions.length > 0 && html`<span class="tag number">${transitions.length}</span>`}</h2>
      ${transitions.length === 0
        ? html`<p class="soft small">${words.editor.map.none} ${words.editor.map.joinHint}</p>`
        : html`<ol class="editor-transitions" tabindex="0" aria-labelledby="map-transitions">
            ${transitions.map(({ from, to }, at) => html`
              <li key=${`${sideText(from)} ${sideText(to)}`}>
                <span class=${`editor-port board-link-${at % 12}`}>${at + 1}</span>
                <span class="grow">${sideText(from)} – ${sideText(to)}</span>
                <button type="button" class="button quiet icon" aria-label=${words.editor.map.remove(at + 1)}
                  title=${words.editor.map.remove(at + 1)} onClick=${() => change(withoutTransition(chart.value, at))}>
                  <${Icon} name="close" /></button>
              </li>`)}
          </ol>`}
      <${JoinForm} />
    </section>`;
}

/** @param {Side} side */
function sideText({ x, y, direction }) {
  return words.editor.side(x, y, direction);
}

function JoinForm() {
  const chosen = useSignal(/** @type {{from?: Side, to?: Side}} */ ({}));
  const from = chosen.value.from ?? { x: 0, y: 0, direction: 6 };
  const to = chosen.value.to ?? { x: chart.value.width - 1, y: 0, direction: 2 };
  const choose = (/** @type {"from"|"to"} */ end) => (/** @type {Side} */ side) => { chosen.value = { ...chosen.value, [end]: side }; };
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    connect(from, to);
  };
  return html`
    <details>
      <summary>${words.editor.map.byNumbers}</summary>
      <form class="stack tight" onSubmit=${add}>
        <${SideFields} legend=${words.editor.map.from} side=${from} onChange=${choose("from")} />
        <${SideFields} legend=${words.editor.map.to} side=${to} onChange=${choose("to")} />
        <button class="button">${words.editor.map.add}</button>
      </form>
    </details>`;
}

/** @param {{legend: string, side: Side, onChange: (side: Side) => void}} props */
function SideFields({ legend, side, onChange }) {
  const { column, row, direction } = words.editor.map;
  const set = (/** @type {keyof Side} */ name) => (/** @type {any} */ event) => onChange({ ...side, [name]: Number(event.target.value) });
  return html`
    <fieldset>
      <legend>${legend}</legend>
      <div class="editor-side-fields">
        <label class="field"><span>${column}</span>
          <input type="number" required min="0" max=${chart.value.width - 1} value=${side.x} onChange=${set("x")} /></label>
        <label class="field"><span>${row}</span>
          <input type="number" required min="0" max=${chart.value.height - 1} value=${side.y} onChange=${set("y")} /></label>
        <label class="field"><span>${direction}</span>
          <select value=${side.direction} onChange=${set("direction")}>
            ${words.editor.directions.map((name, at) => html`<option value=${at}>${name}</option>`)}
          </select></label>
      </div>
    </fieldset>`;
}
