/** The ratings over the games of an event: a line for each entrant, the strongest first in the legend. */
import { html, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { ratingText } from "./model.js";

/** @import { Graph } from "./model.js" */

const WIDTH = 720;
const HEIGHT = 360;
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 10, 34];
/** Colours of lines, which the style sheet has; further lines are dashed. */
const COLOURS = 10;
const DASHES = ["", "7 4", "2 4", "11 3 2 3"];

/** @param {{data: Graph}} props */
export function RatingLines({ data }) {
  const chosen = useSignal(/** @type {number|null} */ (null));
  const { lines, games } = data;
  if (lines.length === 0) return html`<p class="panel soft">${t("There are ratings after a few games.")}</p>`;
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const step = stepOf((Math.max(...values) - Math.min(...values)) / 5);
  const low = Math.floor(Math.min(...values) / step) * step;
  const high = Math.max(Math.ceil(Math.max(...values) / step) * step, low + step);
  const x = (/** @type {number} */ game) => LEFT + ((WIDTH - LEFT - RIGHT) * game) / games;
  const y = (/** @type {number} */ value) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (value - low)) / (high - low);
  const marks = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, at) => low + at * step);
  const look = (/** @type {number} */ entrant) => `event-line c${entrant % COLOURS} ${chosen.value === null || chosen.value === entrant ? "" : "faint"}`;
  return html`
    <div class="panel event-graph">
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t("Ratings over the games; the table has the numbers")}>
        ${marks.map((value) => html`<g key=${value}><path class=${`event-grid ${value === 0 ? "zero" : ""}`} d=${`M${LEFT} ${y(value)}H${WIDTH - RIGHT}`} />
          <text x=${LEFT - 8} y=${y(value) + 4} text-anchor="end">${ratingText(value)}</text></g>`)}
        ${[...new Set([0, Math.round(games / 2), games])].map((game) => html`<text key=${game} x=${x(game)} y=${HEIGHT - BOTTOM + 18}
          text-anchor="middle">${number(game)}</text>`)}
        <text x=${(LEFT + WIDTH - RIGHT) / 2} y=${HEIGHT - 2} text-anchor="middle">${t("games played")}</text>
        ${lines.map(({ entrant, points }) => html`<path key=${entrant} class=${look(entrant)} stroke-dasharray=${DASHES[Math.floor(entrant / COLOURS) % DASHES.length]}
          d=${points.map(([game, value], at) => `${at ? "L" : "M"}${x(game).toFixed(1)} ${y(value).toFixed(1)}`).join("")} />`)}
      </svg>
      <ol class="event-legend">${lines.map(({ entrant, name, points }) => html`
        <li key=${entrant} onPointerEnter=${() => { chosen.value = entrant; }} onPointerLeave=${() => { chosen.value = null; }}>
          <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true"><path class=${`event-line c${entrant % COLOURS}`}
            stroke-dasharray=${DASHES[Math.floor(entrant / COLOURS) % DASHES.length]} d="M0 4H24" /></svg>
          <bdi>${name}</bdi><span class="number soft">${ratingText(points[points.length - 1][1])}</span></li>`)}</ol>
    </div>`;
}

/** The next larger round step: 1, 2 or 5 times a power of ten. @param {number} rough */
function stepOf(rough) {
  if (rough <= 0) return 10;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((times) => times * power).find((one) => one >= rough) ?? 10 * power;
}
