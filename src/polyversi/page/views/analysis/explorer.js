/** What was played in this position, and how it went. */
import { html } from "../../app/html.js";

/** @param {{model: import("./model.js").AnalysisModel}} props */
export function Explorer({ model }) {
  return html`<p class="soft small">${model.current.value.position}</p>`;
}
