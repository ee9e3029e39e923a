/** The numbers of a map: its size, its players, and what they begin with. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { NumberInput } from "../parts/typed.js";
import { BOUNDS, tidy } from "./chart.js";
import { change, chart } from "./mapdesk.js";
import { resize } from "./tools.js";

const FIELDS = /** @type {const} */ (["width", "height", "players", "overrides", "bombs", "radius"]);
/** @typedef {typeof FIELDS[number]} Field */

export function MapNumbers() {
  return html`
    <section class="panel stack tight" aria-labelledby="map-numbers">
      <h2 id="map-numbers">${words.editor.map.numbers}</h2>
      <div class="editor-numbers">${FIELDS.map((name) => html`<${NumberField} key=${name} name=${name} />`)}</div>
    </section>`;
}

/** @param {{name: Field}} props */
function NumberField({ name }) {
  const [low, high] = BOUNDS[name] ?? [0, 0];
  return html`
    <label class="field">
      <span>${words.editor.map[name]}</span>
      <${NumberInput} low=${low} high=${high} value=${chart.value[name]} onNumber=${(/** @type {number} */ value) => set(name, value)} />
    </label>`;
}

/**
 * @param {Field} name
 * @param {number} value
 */
function set(name, value) {
  const now = chart.value;
  if (value === now[name]) return;
  if (name === "width" || name === "height") {
    const size = { width: now.width, height: now.height, [name]: value };
    change(resize(now, size.width, size.height));
  } else change(tidy({ ...now, [name]: value }));
}
