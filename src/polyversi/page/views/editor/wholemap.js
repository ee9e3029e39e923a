/** What is done to the whole map at once: clearing it, filling it, making it symmetric. */

import { html, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { blank, FREE, HOLE } from "./chart.js";
import { change, chart } from "./mapdesk.js";
import { mirrored, MIRRORS } from "./tools.js";

export function WholeMap() {
  const pass = useSignal(true);
  const { whole, allFree, allHoles, mirror, passOn, symmetric } = words.editor.map;
  return html`
    <section class="panel stack tight" aria-labelledby="map-whole">
      <h2 id="map-whole">${whole}</h2>
      <div class="row">
        <button type="button" class="button" onClick=${() => change(blank(chart.value, FREE))}>${allFree}</button>
        <button type="button" class="button" onClick=${() => change(blank(chart.value, HOLE))}>${allHoles}</button>
      </div>
      <div class="field"><span id="map-symmetric">${symmetric}</span>
      <div class="row" role="group" aria-labelledby="map-symmetric">
        ${MIRRORS.map((way) => html`
          <button key=${way} type="button" class="button" onClick=${() => change(mirrored(chart.value, way, pass.value))}>${mirror[way]}</button>`)}
      </div></div>
      <label class="check">
        <input type="checkbox" checked=${pass.value} onChange=${(/** @type {any} */ event) => { pass.value = event.target.checked; }} />
        <span>${passOn}</span>
      </label>
    </section>`;
}
