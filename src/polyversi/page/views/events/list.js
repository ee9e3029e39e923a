/** The list of events: what runs, what has been played, and for organisers what is to come. */
import { isAtLeast } from "../../app/account.js";
import { html } from "../../app/html.js";
import { date, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Alert, PageHeader } from "../../components/page.js";
import { PhaseTag, useLive } from "./model.js";

/** @import { ListedEvent } from "./model.js" */

export function EventList() {
  const { found, problem } = /** @type {{found: {events: ListedEvent[]}|null, problem: string}} */ (useLive("/api/site/events"));
  return html`
    <section class="page stack events">
      <${PageHeader} title=${t("Events")} lead=${t("Tournaments: live while they are played, with a report at the end.")}>
        ${isAtLeast("organiser") ? html`<a class="button primary" href="/events/new">${t("New event")}</a>` : null}
      <//>
      <${Alert} text=${problem} />
      ${!found ? html`<p class="soft loading">${common.loading}</p>`
        : found.events.length === 0 ? html`<p class="panel soft">${t("There has been no event yet.")}</p>`
          : html`<ul class="event-list">${found.events.map((event) => html`<li key=${event.id}><${Entry} event=${event} /></li>`)}</ul>`}
    </section>`;
}

/** @param {{event: ListedEvent}} props */
function Entry({ event }) {
  const { id, title, phase, format_label: format, variants, entrants, played, created } = event;
  const facts = [t(format), variants.map((name) => t(name)).join(", "),
    entrants > 0 && plural(entrants, "{count} entrant", "{count} entrants"),
    played > 0 && plural(played, "{count} game", "{count} games"), date(created * 1000, { dateStyle: "medium" })];
  return html`
    <a class="panel event-entry" href=${`/events/${encodeURIComponent(id)}`}>
      <span class="row apart"><bdi class="event-title">${title}</bdi><${PhaseTag} phase=${phase} /></span>
      <span class="soft small">${facts.filter(Boolean).join(" · ")}</span>
    </a>`;
}
