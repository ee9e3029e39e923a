/** What organisers do with an event: start, pause, go on, cancel, release its results. */
import { get, post, useAction } from "../../app/api.js";
import { html, useSignal } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { Alert } from "../../components/page.js";
import { apiOf } from "./model.js";

/** @import { EventInfo, Group } from "./model.js" */

/** @param {{event: EventInfo, onChange: () => void}} props */
export function Controls({ event, onChange }) {
  const { isBusy, problem, run } = useAction();
  const { phase, is_released: isReleased } = event;
  const act = (/** @type {string} */ what, data = {}) => run(async () => {
    await post(`${apiOf(event.id)}/${what}`, data);
    if (what === "delete") go("/events");
    else onChange();
  });
  const sure = (/** @type {string} */ question, /** @type {string} */ what) => () => { if (confirm(question)) act(what); };
  const button = (/** @type {string} */ text, /** @type {() => void} */ onClick, look = "") => html`
    <button type="button" class=${`button ${look}`} disabled=${isBusy.value} onClick=${onClick}>${text}</button>`;
  /** Starts it, after a question if somebody would be left out. */
  const start = () => run(async () => {
    const { unchecked } = await get(apiOf(event.id));
    if (unchecked && !confirm(plural(unchecked, "{count} version still waits for its check, and would not take part. Start all the same?",
      "{count} versions still wait for their checks, and would not take part. Start all the same?"))) return;
    await post(`${apiOf(event.id)}/start`, {});
    onChange();
  });
  return html`
    <div class="row event-controls" role="group" aria-label=${t("Organise")}>
      ${phase === "draft" && html`${button(t("Start"), start, "primary")}
        <a class="button" href=${`/events/${encodeURIComponent(event.id)}?show=settings`}>${t("Change")}</a>
        ${button(t("Delete"), sure(t("Delete this event?"), "delete"), "danger")}`}
      ${(phase === "over" || phase === "cancelled") && button(t("Delete"),
        sure(t("Delete this event with its results and all its games? This cannot be undone."), "delete"), "danger")}
      ${phase === "scheduled" && event.unchecked > 0 && button(t("Start now"), start)}
      ${phase === "scheduled" && button(t("Do not start by itself"), () => act("pause"))}
      ${phase === "running" && button(t("Pause"), () => act("pause"))}
      ${phase === "paused" && button(t("Go on"), () => act("resume"), "primary")}
      ${(phase === "running" || phase === "paused") && button(t("Cancel the event"),
        sure(t("End this event for good? What was played stays."), "cancel"), "danger")}
      ${phase !== "draft" && (isReleased ? button(t("Hide results"), () => act("release", { is_released: false }))
        : button(t("Release results"), () => act("release", { is_released: true }), "primary"))}
    </div>
    ${phase !== "over" && phase !== "cancelled" && event.settings && event.settings.groups.length > 0 && html`<${Tokens} event=${event} />`}
    ${phase === "running" && !isReleased ? html`<p class="small soft">${t("Only organisers see results, and its games are not shown live.")}</p>` : null}
    <${Alert} text=${problem.value} />`;
}

/** Which groups' clients are there. @param {{groups: Group[]}} props */
function Connected({ groups }) {
  const there = groups.filter(({ waiting, playing }) => waiting + playing > 0);
  return html`
    <p role="status">${t("Connected: {count} of {all} groups.", { count: number(there.length), all: number(groups.length) })}</p>
    <ul class="event-groups">${groups.map(({ name, waiting, playing }) => html`<li key=${name}><bdi>${name}</bdi>${" "}
      ${playing ? html`<span class="tag good">${t("playing")}</span>` : waiting ? html`<span class="tag good">${t("connected")}</span>`
        : html`<span class="tag bad">${t("not connected")}</span>`}</li>`)}</ul>`;
}

/** Tokens for groups that connect their clients; they are shown once. @param {{event: EventInfo}} props */
function Tokens({ event }) {
  const made = useSignal(/** @type {{port: number, tokens: {group: string, token: string}[]}|null} */ (null));
  const { isBusy, problem, run } = useAction();
  const make = () => run(async () => { made.value = await post(`${apiOf(event.id)}/tokens`, {}); });
  const commandOf = (/** @type {string} */ token) =>
    `polyversi xt-join ${location.hostname}:${made.value?.port} ${token} 'java -jar client.jar -s {host} -p {port}'`;
  return html`
    <section class="panel stack tight" aria-labelledby="event-tokens">
      <h2 id="event-tokens">${t("Clients of groups")}</h2>
      <p class="small soft">${t("Each group connects its client with a token of its own. New tokens end the earlier ones.")}</p>
      <${Connected} groups=${event.groups ?? []} />
      <div><button type="button" class="button" disabled=${isBusy.value} onClick=${make}>${t("Make tokens")}</button></div>
      <${Alert} text=${problem.value} />
      ${made.value && html`<ul class="event-tokens">${made.value.tokens.map(({ group, token }) => html`
        <li key=${group}><bdi>${group}</bdi><code>${commandOf(token)}</code></li>`)}</ul>`}
    </section>`;
}
