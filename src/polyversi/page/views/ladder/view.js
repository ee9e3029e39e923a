/** The ladder view: the ranking of bots, challenges, the queue, and the games that were played. */
import { account, isAtLeast } from "../../app/account.js";
import { asSentence, get, post, sentenceOf, useAction } from "../../app/api.js";
import { site } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";
import { common } from "../../app/words.js";
import { Cards } from "../../components/game-cards.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Challenges } from "./challenges.js";
import { Games } from "./games.js";
import { Queue } from "./queue.js";
import { Ranking } from "./ranking.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Listed, Result } from "../../app/types.js" */

/**
 * @typedef {{id: string, name: string, owner: string, owner_name: string}} Bot
 * @typedef {{rank: number, bot: Bot, version: number, rating: number, error: number, games: number, trend: number, steps: number[]}} Ranked
 * @typedef {{id: string, challenger: Bot, challenged: Bot, is_automatic: boolean, asked_by: string, phase: "waiting"|"playing",
 *   created: number, live: string[]}} Match
 * @typedef {{id: string, match: string, ended: number, is_automatic: boolean, bots: (Bot & {version: number})[], result: Result,
 *   has_record: boolean}} Game
 * @typedef {{id: string, title: string, spec: string, variant: string, limit: string, memory: number, least: number}} Settings
 * @typedef {Settings & {ranking: Ranked[], queue: Match[], waiting: number, playing: Listed[], games: Game[], is_last: boolean,
 *   status: {problem: string, detail: string, jobs: number, busy: number}}} Ladder
 */

/** Milliseconds between two looks. */
const INTERVAL = 3000;

/** A ladder, kept up to date. @param {string} id */
function useLadder(id) {
  const ladder = useSignal(/** @type {Ladder|null} */ (null));
  const problem = useSignal("");
  const looks = useSignal(0);
  useEffect(() => whileVisible(async (signal) => {
    try {
      const found = await get(`/api/site/ladders/${encodeURIComponent(id)}`, signal);
      if (signal.aborted) return;
      ladder.value = found;
      problem.value = "";
    } catch (error) {
      if (!signal.aborted) problem.value = sentenceOf(error);
    }
  }, INTERVAL), [id, looks.value]);
  return { ladder: ladder.value, problem: problem.value, look: () => { looks.value += 1; } };
}

/** The ladders of the site, if there are several. @param {{ladders: Settings[], id: string}} props */
function Choice({ ladders, id }) {
  if (ladders.length < 2) return null;
  return html`<nav class="row" aria-label=${t("Ladders")}>${ladders.map((one) => html`
    <a key=${one.id} class="button" href=${`/ladder/${one.id}`} aria-current=${one.id === id ? "page" : null}>${one.title}</a>`)}</nav>`;
}

/** @param {{id: string, bot: string, children: any}} props */
function OneLadder({ id, bot, children }) {
  const { ladder, problem, look } = useLadder(id);
  const { isBusy, problem: refused, run } = useAction();
  if (!ladder) return html`${children}<${Alert} text=${problem} />${!problem && html`<p class="soft loading">${common.loading}</p>`}`;
  const act = (/** @type {string} */ path, /** @type {object} */ data) => run(async () => {
    await post(path, data);
    look();
  });
  const lead = [t(ladder.variant), common.limitName(ladder.limit), t("{count} MiB of memory", { count: number(ladder.memory) }), t("one thread")];
  return html`
    <${PageHeader} title=${ladder.title} lead=${lead.join(" · ")}>${children}<//>
    <${Alert} text=${problem || refused.value} />
    ${ladder.status.problem && html`<p class="panel ladder-paused" role="status">
      <strong>${t("Nothing is begun at present.")}</strong> ${asSentence(ladder.status.problem)}
      ${ladder.status.detail && html`<br /><span class="soft small">${asSentence(ladder.status.detail)}</span>`}</p>`}
    <div class="ladder-columns">
      <${Ranking} ladder=${ladder} me=${account.value?.id ?? ""} mayChallenge=${isAtLeast("member")}
        isOrganiser=${isAtLeast("organiser")} isBusy=${isBusy.value}
        onChallenge=${(/** @type {string} */ challenger, /** @type {string} */ challenged) =>
          act("/api/site/matches", { challenger, challenged })} />
      <${Queue} ladder=${ladder} me=${account.value?.id ?? ""} isOrganiser=${isAtLeast("organiser")} isBusy=${isBusy.value}
        onCancel=${(/** @type {string} */ match) => act(`/api/site/matches/${match}/cancel`, {})} />
    </div>
    ${isAtLeast("member") && html`<${Challenges} ladder=${ladder} me=${account.value?.id ?? ""} />`}
    ${ladder.playing.length > 0 && html`<section class="stack tight ladder-now" aria-labelledby="ladder-now">
      <h2 id="ladder-now">${t("Being played")}</h2><${Cards} games=${ladder.playing} /></section>`}
    <${Games} key=${bot} ladder=${ladder} bot=${bot} />`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const ladders = useSignal(/** @type {Settings[]|null} */ (null));
  const problem = useSignal("");
  useEffect(() => {
    get("/api/site/ladders").then((found) => { ladders.value = found.ladders; }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  const id = params.id || ladders.value?.[0]?.id;
  return html`<div class="page ladder stack">
    <${Alert} text=${problem.value} />
    ${id ? html`<${OneLadder} key=${id} id=${id} bot=${params.query.get("bot") ?? ""}><${Choice} ladders=${ladders.value ?? []} id=${id} /><//>`
      : ladders.value && html`<${PageHeader} title=${t("Ladder")} lead=${site} /><p class="panel soft">${t("This site has no ladder.")}</p>`}
  </div>`;
}
