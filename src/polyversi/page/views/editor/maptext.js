/** The text of the map: what is written is drawn, as far as it can be. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { readChart } from "./chart.js";
import { chart, draft, history, text } from "./mapdesk.js";

/** @param {{field: {current: HTMLTextAreaElement | null}}} props */
export function MapText({ field }) {
  const write = (/** @type {string} */ written) => {
    const read = readChart(written);
    // One step of undo for whatever is written in one go.
    if (read) history.set(read, draft.value !== null);
    draft.value = written;
  };
  return html`
    <section class="panel stack tight">
      <label class="field">
        <span>${words.editor.map.text}</span>
        <textarea ref=${field} class="digits editor-text" rows=${Math.min(chart.value.height + 6, 16)} spellcheck=${false}
          autocomplete="off" autocapitalize="off" wrap="off" aria-describedby="map-text-hint" value=${draft.value ?? text.value}
          onInput=${(/** @type {any} */ event) => write(event.target.value)}
          onBlur=${() => { if (draft.value !== null && readChart(draft.value)) draft.value = null; }}></textarea>
      </label>
      <p id="map-text-hint" class="soft small">${words.editor.map.textHint}</p>
    </section>`;
}
