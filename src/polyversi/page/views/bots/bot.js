/** One bot: what plays, its versions and their checks, and for its owner how to change that. */
import { account } from "../../app/account.js";
import { asSentence, get, post, sentenceOf, useAction } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { ago, date, number, plural, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";
import { go } from "../../app/router.js";
import { common, sizeOf } from "../../app/words.js";
import { TextField } from "../../components/account-fields.js";
import { Confirm } from "../../components/confirm.js";
import { Alert, PageHeader } from "../../components/page.js";
import { RatingGraph } from "../../components/rating-graph.js";
import { HandIn } from "./hand-in.js";
import { CheckReport } from "./report.js";
import { isUnderWay, PhaseTag } from "./words.js";

/** @import { Bot, Offer, Version } from "./words.js" */
/** @import { Step } from "../../components/rating-graph.js" */
/** @typedef {{rating: number, error: number, games: number, steps: Step[]}} Standing */
/** @typedef {{id: string, title: string, deadline: number|null, version: number}} Coming an event, and the version that would play in it now */
/**
 * @typedef {Bot & Offer & {versions: Version[], standing: Standing|null, coming: Coming[], paused: string,
 *   paused_detail: string}} Shown
 */
/** @typedef {(path: string, data?: object, method?: string) => void} Change */

/** Milliseconds between two looks: while something is being checked, and otherwise. */
const SOON = 1000, LATER = 10_000;

/** What can be done with a version. @param {{bot: Shown, version: Version, change: Change, isBusy: boolean, onDelete: () => void}} props */
function Actions({ bot, version, change, isBusy, onDelete }) {
  const { number: own, phase, has_passed: hasPassed } = version;
  const path = `versions/${own}`;
  if (phase === "deleted") return null;
  const mayPlay = hasPassed && bot.active !== own;
  return html`<div class="row bots-actions">
    ${mayPlay && html`<button class="button" disabled=${isBusy} onClick=${() => change("play", { version: own })}>${t("Let it play")}</button>`}
    ${phase === "failed" && html`<button class="button" disabled=${isBusy} onClick=${() => change(`${path}/check`)}>${t("Check again")}</button>`}
    ${phase !== "withdrawn" && phase !== "failed" && html`<button class="button" disabled=${isBusy}
      onClick=${() => change(`${path}/withdraw`)}>${t("Withdraw")}</button>`}
    <a class="button" href=${`/api/site/bots/${bot.id}/${path}/source`} download>${t("Source")}</a>
    <button class="button danger" disabled=${isBusy} onClick=${onDelete}>${t("Delete")}</button>
  </div>`;
}

/** The check of a version that is not the newest, when somebody wants to see it. @param {{bot: Shown, version: Version}} props */
function EarlierCheck({ bot, version }) {
  const found = useSignal(/** @type {Version|null} */ (null));
  const problem = useSignal("");
  const load = (/** @type {Event} */ event) => {
    if (!(/** @type {HTMLDetailsElement} */ (event.target).open)) return;
    get(`/api/site/bots/${bot.id}/versions/${version.number}`).then((whole) => { found.value = whole; },
      (error) => { problem.value = sentenceOf(error); });
  };
  return html`<details onToggle=${load}><summary>${t("Its check")}</summary><${Alert} text=${problem.value} />
    ${found.value && html`<${CheckReport} report=${found.value.report} phase=${found.value.phase} />`}</details>`;
}

/** A version as its owner sees it. @param {{bot: Shown, version: Version, change: Change, isBusy: boolean, isNewest: boolean, onDelete: () => void}} props */
function OneVersion({ bot, version, isNewest, ...rest }) {
  const facts = [
    version.file, version.language && t(version.language), version.size && sizeOf(version.size), version.digest,
  ].filter(Boolean);
  return html`<li class="panel stack tight" aria-label=${t("Version {number}", { number: version.number })}>
    <div class="row apart"><div class="row"><h3>${t("Version {number}", { number: version.number })}</h3>
        ${bot.active === version.number ? html`<span class="tag good">${t("plays")}</span>` : html`<${PhaseTag} phase=${version.phase} />`}
        <span class="soft small" title=${date(1000 * version.created)}>${ago(1000 * version.created)}</span></div>
      <${Actions} bot=${bot} version=${version} ...${rest} /></div>
    ${version.phase !== "deleted" && facts.length > 0 && html`<p class="soft small bots-facts">${facts.map((fact) => html`<bdi key=${fact}>${fact}</bdi>`)}</p>`}
    ${version.phase !== "deleted" && (isNewest ? html`<${CheckReport} report=${version.report} phase=${version.phase} before=${version.before} />`
      : html`<${EarlierCheck} bot=${bot} version=${version} />`)}
  </li>`;
}

/** What is changed of a bot as a whole. @param {{bot: Shown, change: Change, isBusy: boolean, onDelete: () => void}} props */
function Settings({ bot, change, isBusy, onDelete }) {
  const name = useSignal(bot.name);
  const rename = (/** @type {Event} */ event) => {
    event.preventDefault();
    change("name", { name: name.value });
  };
  return html`<details class="panel"><summary>${t("Rename, rest, delete")}</summary>
    <div class="stack"><form class="row bots-client" onSubmit=${rename}><${TextField} label=${t("Its name")} value=${name.value}
        onInput=${(/** @type {string} */ text) => { name.value = text; }} />
      <button class="button" disabled=${isBusy || !name.value.trim() || name.value === bot.name}>${t("Rename")}</button></form>
    <div class="row">
      ${bot.active > 0 && html`<button class="button" disabled=${isBusy} onClick=${() => change("play", { version: 0 })}>${t("Let it rest")}</button>`}
      <button class="button danger" disabled=${isBusy} onClick=${onDelete}>${t("Delete this bot")}</button></div></div>
  </details>`;
}

/** What everybody sees of a bot: which version plays, and how strong it is. @param {{bot: Shown}} props */
function OnLadder({ bot: { id, name, ladder, active, versions, standing } }) {
  const plays = versions.find(({ number: own }) => own === active);
  return html`<section class="panel stack" aria-labelledby="on-ladder"><div class="row apart">
      <h2 id="on-ladder">${t("On the ladder")}</h2>
      ${standing && html`<p class="number"><strong class="bots-rating">${number(Math.round(standing.rating))}</strong>
        <span class="soft"> ± ${number(Math.round(standing.error))} · ${plural(standing.games, "{count} game", "{count} games")}</span></p>`}</div>
    <div class="row apart"><p>${plays ? t("Version {number} plays, handed in {when}.", { number: plays.number, when: ago(1000 * plays.created) })
      : t("No version of it plays at present.")}</p>
      <p class="row"><a class="button" href=${`/ladder/${ladder}`}>${t("To its ladder")}</a>
        ${standing && html`<a class="button" href=${`/ladder/${ladder}?bot=${id}`}>${t("Its games")}</a>`}</p></div>
    ${standing && standing.steps.length > 1 && html`<${RatingGraph} steps=${standing.steps} name=${name} />`}</section>`;
}

/** The events that begin by themselves with this bot. @param {{coming: Coming[]}} props */
function ComingEvents({ coming }) {
  return html`<section class="panel stack tight" aria-labelledby="coming-events"><h2 id="coming-events">${t("Events to come")}</h2>
    <ul class="bots-coming">${coming.map(({ id, title, deadline, version }) => html`<li key=${id}>
      <a href=${`/events/${encodeURIComponent(id)}`}><bdi>${title}</bdi></a>
      ${deadline && html`<span>${t("Hand in until {when}.", { when: date(1000 * deadline) })}</span>`}
      <span class=${version ? "" : "bots-missing"}>${version ? t("As it looks now, version {number} takes part.", { number: version })
        : t("As it looks now, no version takes part: none has passed its check.")}</span></li>`)}</ul>
  </section>`;
}

/** @param {{bot: Shown, load: () => Promise<void>}} props */
function Inside({ bot, load }) {
  const leaving = useSignal(/** @type {Version|"bot"|null} */ (null));
  const { isBusy, problem, run } = useAction();
  const path = `/api/site/bots/${bot.id}`;
  /** @type {Change} */
  const change = (what, data = {}, method = "POST") => run(async () => {
    await post(`${path}/${what}`, data, method).finally(load);
  });
  const remove = () => {
    const what = leaving.value;
    leaving.value = null;
    if (what === "bot") run(async () => { await post(path, {}, "DELETE"); go("/bots"); });
    else if (what) change(`versions/${what.number}`, {}, "DELETE");
  };
  return html`
    <${Alert} text=${problem.value} />
    ${bot.coming.length > 0 && html`<${ComingEvents} coming=${bot.coming} />`}
    ${bot.is_own && html`<${HandIn} bot=${bot} offer=${bot} onHandedIn=${load} />`}
    ${bot.versions.length > 0 && html`<section class="stack tight"><h2>${t("Versions")}</h2>
      <ol class="bots-versions">${bot.versions.map((version, at) => html`<${OneVersion} key=${version.number} bot=${bot} version=${version}
        change=${change} isBusy=${isBusy.value} isNewest=${at === 0} onDelete=${() => { leaving.value = version; }} />`)}</ol></section>`}
    <${Settings} key=${bot.name} bot=${bot} change=${change} isBusy=${isBusy.value} onDelete=${() => { leaving.value = "bot"; }} />
    ${leaving.value && html`<${Confirm}
      title=${leaving.value === "bot" ? t("Delete {name}?", { name: bot.name }) : t("Delete version {number}?", { number: leaving.value.number })}
      text=${leaving.value === "bot" ? t("All its versions are erased. Its games stay, without its name. This cannot be undone.")
        : t("Its files and what its check has found are erased. This cannot be undone.")}
      action=${t("Delete for good")} onCancel=${() => { leaving.value = null; }} onConfirm=${remove} />`}`;
}

/** @param {{id: string}} props */
export function OneBot({ id }) {
  const bot = useSignal(/** @type {Shown|null} */ (null));
  const problem = useSignal("");
  const load = async (/** @type {AbortSignal|undefined} */ signal = undefined) => {
    await get(`/api/site/bots/${encodeURIComponent(id)}`, signal).then((found) => { bot.value = found; problem.value = ""; },
      (error) => { if (!signal?.aborted) problem.value = sentenceOf(error); });
  };
  const isBusy = Boolean(bot.value?.versions.some(({ phase }) => isUnderWay(phase)));
  useEffect(() => whileVisible(load, isBusy ? SOON : LATER), [id, isBusy, account.value?.id]);
  if (!bot.value) {
    return html`<${PageHeader} title=${t("Bots")} lead="" />${problem.value ? html`<${Alert} text=${problem.value} />`
      : html`<p class="soft loading">${common.loading}</p>`}`;
  }
  const { name, owner, ladder, ladders, paused, paused_detail: detail } = bot.value;
  const where = ladders.find((one) => one.id === ladder)?.title ?? ladder;
  return html`<${PageHeader} title=${name} lead=${owner ? t("{ladder} · by {name}", { ladder: where, name: owner }) : where}>
      <nav class="row"><a class="button quiet" href="/bots">${t("All bots")}</a></nav><//>
    <${Alert} text=${problem.value} />
    ${isBusy && paused && bot.value.may_change && html`<p class="panel" role="status">
      <strong>${t("Nothing is begun at present.")}</strong> ${asSentence(paused)}
      ${detail && html`<br /><span class="soft small">${asSentence(detail)}</span>`}</p>`}
    ${(!bot.value.may_change || bot.value.versions.length > 0) && html`<${OnLadder} bot=${bot.value} />`}
    ${bot.value.may_change && html`<${Inside} bot=${bot.value} load=${() => load()} />`}`;
}
