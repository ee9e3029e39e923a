/** All bots of the site, one's own first, and how a new one is begun. */
import { account, isAtLeast } from "../../app/account.js";
import { get, post, sentenceOf, useAction } from "../../app/api.js";
import { site } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { TextField } from "../../components/account-fields.js";
import { Select } from "../../components/forms.js";
import { Alert, PageHeader } from "../../components/page.js";
import { isUnderWay, PhaseTag } from "./words.js";

/** @import { Bot, Ladder, Offer, Phase } from "./words.js" */
/** @typedef {Bot & {newest: {number: number, phase: Phase}|null}} Listed */
/** @typedef {Offer & {bots: Listed[]}} All */

/** Milliseconds between two looks: while something is being checked, and otherwise. */
const SOON = 1000, LATER = 15_000;

/** @param {{offer: Offer}} props */
function NewBot({ offer }) {
  const name = useSignal("");
  const ladder = useSignal(offer.ladders[0]?.id ?? "");
  const { isBusy, problem, run } = useAction();
  const { usage, quotas } = offer;
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => { go(`/bots/${(await post("/api/site/bots", { name: name.value, ladder: ladder.value })).id}`); });
  };
  if (!offer.ladders.length) return html`<p class="soft">${t("The site has no ladder yet on which bots could play.")}</p>`;
  return html`<form class="panel stack" onSubmit=${send}><h2>${t("A new bot")}</h2>
    <div class="row bots-new"><${TextField} label=${t("Its name")} value=${name.value}
        onInput=${(/** @type {string} */ text) => { name.value = text; }} />
      <${Select} label=${t("Ladder")} value=${ladder.value} options=${Object.fromEntries(offer.ladders.map(({ id, title }) => [id, title]))}
        onChange=${(/** @type {string} */ chosen) => { ladder.value = chosen; }} />
      <button class="button primary" disabled=${isBusy.value || !name.value.trim()}>${t("Begin")}</button></div>
    <${Alert} text=${problem.value} />
    ${usage && !isAtLeast("organiser") && html`<p class="soft small">${t("You have {count} of {most} bots.",
      { count: number(usage.bots), most: number(quotas.bots) })}</p>`}
  </form>`;
}

/** @param {{bots: Listed[], title: string, ladders: Ladder[], hasOwner?: boolean}} props */
function Table({ bots, title, ladders, hasOwner = false }) {
  const titleOf = (/** @type {string} */ ladder) => ladders.find(({ id }) => id === ladder)?.title ?? ladder;
  const id = hasOwner ? "all-bots" : "own-bots";
  // What becomes of one's own versions is told once.
  const showsPhase = bots.some(({ newest, is_own: isOwn }) => newest && !(isOwn && hasOwner));
  return html`<section class="panel stack"><h2 id=${id}>${title}</h2>
    <div class="bots-table" tabindex="0"><table aria-labelledby=${id}>
      <thead><tr><th scope="col">${t("Name")}</th>${hasOwner && html`<th scope="col">${t("By")}</th>`}<th scope="col" class="bots-ladder">${t("Ladder")}</th>
        <th scope="col">${t("Plays")}</th>${showsPhase && html`<th scope="col">${t("Newest version")}</th>`}</tr></thead>
      <tbody>${bots.map((bot) => html`<tr key=${bot.id}>
        <th scope="row"><a href=${`/bots/${bot.id}`}><bdi>${bot.name}</bdi></a></th>
        ${hasOwner && html`<td>${bot.owner ? html`<a href=${`/people/${encodeURIComponent(bot.owner)}`}>
          <bdi>${bot.owner}</bdi></a>` : "–"}</td>`}
        <td class="bots-ladder"><a href=${`/ladder/${bot.ladder}`}>${titleOf(bot.ladder)}</a></td>
        <td>${bot.active ? t("version {number}", { number: bot.active }) : html`<span class="soft">${t("rests")}</span>`}</td>
        ${showsPhase && html`<td>${bot.newest && html`<span class="bots-newest">${t("version {number}", { number: bot.newest.number })}
          <${PhaseTag} phase=${bot.newest.phase} /></span>`}</td>`}</tr>`)}</tbody></table></div>
  </section>`;
}

export function AllBots() {
  const all = useSignal(/** @type {All|null} */ (null));
  const problem = useSignal("");
  const isBusy = Boolean(all.value?.bots.some(({ newest }) => isUnderWay(newest?.phase)));
  useEffect(() => whileVisible(async (signal) => {
    await get("/api/site/bots", signal).then((found) => { all.value = found; problem.value = ""; },
      (error) => { if (!signal.aborted) problem.value = sentenceOf(error); });
  }, isBusy ? SOON : LATER), [isBusy, account.value?.id]);
  const { bots = [], ladders = [] } = all.value ?? {};
  const own = bots.filter(({ is_own: isOwn }) => isOwn);
  return html`<${PageHeader} title=${t("Bots")} lead=${site} /><${Alert} text=${problem.value} />
    ${!all.value ? html`<p class="soft loading">${common.loading}</p>` : html`
      ${own.length > 0 && html`<${Table} bots=${own} title=${t("Your bots")} ladders=${ladders} />`}
      ${isAtLeast("member") && html`<${NewBot} offer=${all.value} />`}
      ${bots.length ? html`<${Table} bots=${bots} title=${t("All bots")} ladders=${ladders} hasOwner />`
        : html`<p class="soft">${t("Nobody has handed in a bot yet.")}</p>`}`}`;
}
