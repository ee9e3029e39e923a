/** The meetings of an event by their rounds; those of a knock-out as a bracket. */
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { gameAt, pointsText } from "./model.js";

/** @import { EventInfo, Meeting, Rounds as Data } from "./model.js" */

/** Up to so many meetings all rounds are unfolded. */
const MAX_OPEN = 40;

/** @param {{event: EventInfo, data: Data}} props */
export function Rounds({ event, data }) {
  const { is_bracket: isBracket, rounds, names } = data;
  const meetings = (/** @type {Meeting[]} */ found) => html`<ol class="event-meetings">${found.map((meeting) => html`
    <${MeetingLine} key=${meeting.id} event=${event} meeting=${meeting} names=${names} />`)}</ol>`;
  if (isBracket) {
    return html`<div class="panel event-scroll" tabindex="0" role="group" aria-label=${t("Bracket")}><div class="event-bracket">
      ${rounds.map(({ round, meetings: found }) => html`<section key=${round}><h3>${roundName(round, found)}</h3>${meetings(found)}</section>`)}
    </div></div>`;
  }
  const isShort = rounds.reduce((sum, { meetings: found }) => sum + found.length, 0) <= MAX_OPEN;
  const current = rounds.find(({ meetings: found }) => found.some(({ missing }) => missing > 0))?.round;
  return html`<div class="panel event-rounds">${rounds.map(({ round, meetings: found }) => html`
    <details key=${round} open=${isShort || round === current}><summary>${t("Round {number}", { number: number(round) })}
      <span class="soft small">${plural(found.length, "{count} meeting", "{count} meetings")}</span></summary>${meetings(found)}</details>`)}</div>`;
}

/** What a round of a knock-out is called. @type {(round: number, meetings: Meeting[]) => string} */
function roundName(round, meetings) {
  const places = meetings.reduce((sum, { entrants }) => sum + (entrants.length > 1 ? entrants.length : 2), 0);
  if (places === 2) return t("Final");
  if (places === 4) return t("Semi-finals");
  return t("Round {number}", { number: number(round) });
}

/** @param {{event: EventInfo, meeting: Meeting, names: string[]}} props */
function MeetingLine({ event, meeting, names }) {
  const { entrants, points, best, games, missing } = meeting;
  if (entrants.length === 1) return html`<li><span class="event-side"><bdi>${names[entrants[0]]}</bdi><span class="soft">${t("bye")}</span></span></li>`;
  return html`
    <li><span class="event-sides">${entrants.map((entrant, at) => html`
      <span key=${entrant} class=${`event-side ${best[at] ? "best" : ""}`}><bdi>${names[entrant]}</bdi>
        <span class="number">${games.length > 0 ? pointsText(points[at]) : ""}</span></span>`)}</span>
      <span class="event-games small">${games.map((id) => html`<a key=${id} href=${gameAt(event.id, id)}
          aria-label=${t("Game {number}", { number: id })}>${id.split("/").at(-1)}</a>`)}
        ${missing > 0 && html`<span class="soft">${plural(missing, "{count} game to come", "{count} games to come")}</span>`}</span></li>`;
}
