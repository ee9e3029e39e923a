/** The evaluation bar: who stands better, and by how much. */
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { isShown } from "./board.js";
import { figure, seatName, standing } from "./text.js";

/** @import { AnalysisModel } from "./model.js" */

/** Stones at which the bar is three quarters full: it bends towards its ends, where a stone more hardly matters. */
const BEND = 16;

/** The share of each seat. @type {(model: AnalysisModel, found: NonNullable<ReturnType<typeof standing>>) => number[]} */
function sharesOf({ description }, { value, points }) {
  if (points) {
    const total = points.reduce((sum, one) => sum + Math.max(one, 0), 0) || 1;
    return points.map((one) => Math.max(one, 0) / total);
  }
  const first = 0.5 + 0.5 * Math.tanh(value / BEND);
  return description.seats === 2 ? [first, 1 - first] : [];
}

/** The value of the position in words: "black +4". @type {(model: AnalysisModel, found: ReturnType<typeof standing>) => string} */
export function standingWords(model, found) {
  if (!found) return t("not known yet");
  if (found.points) {
    const best = found.points.indexOf(Math.max(...found.points));
    return t("{name} {value}", { name: seatName(model, best + 1), value: figure(found.points[best], "points") });
  }
  const rounded = Math.round(found.value);
  if (!rounded) return t("equal");
  return t("{name} {value}", { name: seatName(model, rounded > 0 ? 1 : 2), value: figure(Math.abs(rounded), "stones") });
}

/** @param {{model: AnalysisModel}} props */
export function Bar({ model }) {
  const { seats } = model.description.plan;
  const found = isShown(model) ? standing(model, model.current.value) : null;
  const shares = found ? sharesOf(model, found) : [];
  const even = seats.map(() => 1 / seats.length);
  const now = shares.length ? shares : even;
  const text = standingWords(model, found);
  return html`
    <div class=${`bar ${found ? "" : "unknown"}`} role="meter" aria-label=${t("Evaluation")} aria-valuemin="0" aria-valuemax="100"
        aria-valuenow=${Math.round(100 * now[0])} aria-valuetext=${text} title=${text}>
      ${seats.map(({ fill }, at) => html`<span key=${at} ref=${(/** @type {HTMLElement|null} */ part) => {
        if (!part) return;
        part.style.flexGrow = String(now[at] ?? 0);
        part.style.backgroundColor = fill;
      }}></span>`)}
    </div>`;
}
