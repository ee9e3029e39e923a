/** One event: how it stands, the games that are being played, and its tables one at a time. */
import { isAtLeast } from "../../app/account.js";
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Cards } from "../../components/game-cards.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Controls } from "./controls.js";
import { RatingLines } from "./graph.js";
import { apiOf, EntrantName, gameAt, momentText, PhaseTag, SELDOM, useLive } from "./model.js";
import { Rounds } from "./rounds.js";
import { CrossTable, Standings, VariantTables } from "./tables.js";

/** @import { EventInfo, Table } from "./model.js" */

/** @typedef {{game: string, name: string, ending: string, output: string}} Written */

/** How many times as long as usual a game takes before it is called late. */
const LATE = 3;
/** Seconds that every game may take. */
const NEVER_LATE = 60;

/** The parts of an event: their names, and what shows them. @type {(event: EventInfo) => [name: string, text: string, component: any][]} */
const parts = ({ is_bracket: isBracket, variants }) => [
  ["table", t("Table"), Standings],
  ["rounds", isBracket ? t("Bracket") : t("Rounds"), Rounds],
  ["cross", t("Cross table"), CrossTable],
  .../** @type {[string, string, any][]} */ (variants.length > 1 ? [["variants", t("Each variant"), VariantTables]] : []),
  ["graph", t("Ratings"), RatingLines],
  .../** @type {[string, string, any][]} */ (isAtLeast("member") ? [["outputs", t("Output of your bots"), Outputs]] : []),
];

/** @param {{id: string, show: string}} props */
export function Event({ id, show }) {
  const { found: event, problem, again } = /** @type {{found: EventInfo|null, problem: string, again: () => void}} */ (useLive(apiOf(id)));
  if (!event) return html`<section class="page stack">${problem ? html`<${Alert} text=${problem} />` : html`<p class="soft loading">${common.loading}</p>`}</section>`;
  const lead = [t(event.format_label), event.variants.map((name) => t(name)).join(", "), event.limit].join(" · ");
  return html`
    <section class="page stack events">
      <${PageHeader} title=${event.title} lead=${lead}><${PhaseTag} phase=${event.phase} /><//>
      <${Alert} text=${problem} />
      <${Alert} text=${event.problem ?? ""} />
      ${isAtLeast("organiser") ? html`<${Controls} event=${event} onChange=${again} />` : null}
      ${event.has_started && event.may_see ? html`<${Started} event=${event} show=${show} />` : html`<${NotYet} event=${event} />`}
    </section>`;
}

/** Why nothing is shown. @param {{event: EventInfo}} props */
function NotYet({ event }) {
  const { has_started: hasStarted, deadline, entrants, phase, unchecked } = event;
  return html`
    <p class="panel" role="status">${hasStarted ? t("The results are shown when the organiser releases them.")
      : phase === "scheduled" && unchecked ? plural(unchecked,
        "It begins when what was handed in by its deadline is checked, at the latest an hour later: {count} check is to come.",
        "It begins when what was handed in by its deadline is checked, at the latest an hour later: {count} checks are to come.")
        : phase === "scheduled" && deadline ? t("It begins by itself: {when}.", { when: momentText(deadline) }) : t("It has not started yet.")}</p>
    ${entrants.length > 0 && html`<section class="panel stack tight"><h2>${t("Entrants")}</h2>
      <ul class="event-entrants">${entrants.map(({ name }) => html`<li key=${name}><${EntrantName} event=${event} name=${name} /></li>`)}</ul></section>`}`;
}

/** @param {{event: EventInfo, show: string}} props */
function Started({ event, show }) {
  const all = parts(event);
  const [part, , Part] = all.find(([name]) => name === show) ?? all[0];
  const table = /** @type {Table|null} */ (useLive(`${apiOf(event.id)}/part/table`).found);
  const other = useLive(part === "table" ? "" : `${apiOf(event.id)}/${part === "outputs" ? part : `part/${part}`}`,
    part === "outputs" ? SELDOM : undefined);
  const data = part === "table" ? table : other.found;
  return html`
    <${Progress} event=${event} table=${table} />
    <${Playing} event=${event} usual=${table?.usual_seconds ?? null} />
    <nav class="row event-parts" aria-label=${t("Results")}>${all.map(([name, text]) => html`
      <a key=${name} class="button" href=${`/events/${encodeURIComponent(event.id)}${name === "table" ? "" : `?show=${name}`}`}
        aria-current=${name === part ? "page" : undefined}>${text}</a>`)}</nav>
    <${Alert} text=${other.problem} />
    ${data ? html`<${Part} event=${event} data=${data} />` : html`<p class="soft loading">${common.loading}</p>`}
    ${table && html`<${Files} event=${event} table=${table} />`}`;
}

/** How far it has come. @param {{event: EventInfo, table: Table|null}} props */
function Progress({ event, table }) {
  if (!table) return null;
  const { played, expected, seconds_left: left } = table;
  const isRunning = event.phase === "running";
  return html`
    <div class="event-progress">
      <progress value=${played} max=${Math.max(1, expected)} aria-label=${t("Games played")} />
      <p class="small soft row apart"><span>${t("{played} of {expected} games", { played: number(played), expected: number(expected) })}</span>
        ${isRunning && left !== null ? html`<span>${left < 90 ? t("about a minute left")
          : left < 5400 ? plural(Math.round(left / 60), "about {count} minute left", "about {count} minutes left")
            : plural(Math.round(left / 3600), "about {count} hour left", "about {count} hours left")}</span>` : null}</p>
    </div>`;
}

/** The games that are being played, each on a little board. @param {{event: EventInfo, usual: number|null}} props */
function Playing({ event, usual }) {
  const { playing } = event;
  if (playing.length === 0) return null;
  const now = Date.now() / 1000;
  const late = playing.filter(({ created }) => usual !== null && now - Number(created) > Math.max(NEVER_LATE, LATE * usual));
  return html`
    <section class="stack tight" aria-labelledby="event-playing">
      <h2 id="event-playing">${t("Being played")} <span class="tag number">${number(playing.length)}</span></h2>
      ${late.map(({ id, players, created }) => html`<p key=${id} class="small event-late">
        <span class="tag bad">${t("late")}</span> <a href=${`/game/${id}`}>${players.join(" – ")}</a>${" "}
        ${plural(Math.round((now - Number(created)) / 60), "for {count} minute", "for {count} minutes")}</p>`)}
      <div class="event-cards"><${Cards} games=${playing} /></div>
    </section>`;
}

/** What one's own bots have written in their last games. @param {{event: EventInfo, data: {outputs: Written[]}}} props */
function Outputs({ event, data: { outputs } }) {
  if (outputs.length === 0) return html`<p class="panel soft">${t("Your bots have written nothing.")}</p>`;
  return html`<div class="panel stack tight">${outputs.map(({ game, name, ending, output }) => html`
    <details key=${`${game} ${name}`}><summary><span><bdi>${name}</bdi> <span class="soft small">${ending}</span></span></summary>
      <p><a href=${gameAt(event.id, game)}>${t("Game {number}", { number: game })}</a></p><pre class="event-output">${output}</pre></details>`)}</div>`;
}

/** What can be taken away, and the settings. @param {{event: EventInfo, table: Table}} props */
function Files({ event, table }) {
  const at = (/** @type {string} */ kind) => `${apiOf(event.id)}/file/${kind}`;
  return html`
    <section class="panel stack tight" aria-labelledby="event-files">
      <h2 id="event-files">${t("Report and files")}</h2>
      <div class="row">
        <a class="button primary" href=${at("html")} target="_blank" rel="noopener">${t("Report")}</a>
        <a class="button" href=${at("csv")} download>${t("Table (CSV)")}</a>
        <a class="button" href=${at("jsonl")} download>${t("Games (JSON Lines)")}</a>
        ${table.files.map(({ kind, label }) => html`<a key=${kind} class="button" href=${at(kind)} download>${t(label)}</a>`)}
      </div>
      <details><summary>${t("Settings")}</summary><dl class="event-facts">
        ${Object.entries(table.facts).filter(([, value]) => value).map(([name, value]) => html`<dt key=${name}>${t(name)}</dt><dd>${value}</dd>`)}
      </dl></details>
    </section>`;
}
