/** The watch view: games that go on as live cards, games that are over as a list, filters, record files. */
import { allVariants, get, sentenceOf } from "../../app/api.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";
import { Segments, Select } from "../../components/forms.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Cards } from "../../components/game-cards.js";
import { Finished } from "./finished.js";

/** @import { Listed, Variant } from "../../app/types.js" */
/** @import { Params } from "../../app/router.js" */

/**
 * What the server lists: how many games go on in all, how many wait for a move, and where the list of those that are over goes on.
 * @typedef {{running: Listed[], count: number, quiet: number, recent: Listed[], after: string,
 *   damaged: number}} Games
 * @typedef {{state: string, who: string, of: string}} Filter `of` is "variant=…", "family=…" or empty
 */

/** Milliseconds between two updates of the list. */
const INTERVAL = 3000;
/** Cards that are shown at first, and how many a click adds. */
const PAGE = 24;
const MOST = 240;

/** The filter as the query of a request. @param {Filter} filter */
function queryOf({ state, who, of }) {
  const query = new URLSearchParams(of);
  if (state) query.set("state", state);
  if (who) query.set("who", who);
  return query;
}

/** The games that fit a filter, kept up to date; older ones when they are asked for. @param {Filter} filter */
function useGames(filter) {
  const games = useSignal(/** @type {Games|null} */ (null));
  const problem = useSignal("");
  const wanted = useSignal(PAGE);
  /** Every game that is over and was listed so far, by what makes it one entry. */
  const over = useSignal(/** @type {Map<string, Listed>} */ (new Map()));
  const after = useSignal(/** @type {string|null} */ (null));
  const isLoading = useSignal(false);
  const query = queryOf(filter).toString();
  const current = useRef(query);
  current.current = query;

  const add = (/** @type {Listed[]} */ found) => {
    over.value = new Map([...over.value, ...found.map((game) => /** @type {const} */ ([game.series || game.id, game]))]);
  };
  useEffect(() => {
    over.value = new Map();
    after.value = null;
    wanted.value = PAGE;
  }, [query]);
  useEffect(() => whileVisible(async (signal) => {
    try {
      const found = /** @type {Games} */ (await get(`/api/games?${query}&running=${wanted.value}`, signal));
      if (signal.aborted) return;
      games.value = found;
      problem.value = "";
      add(found.recent);
      after.value ??= found.after;
    } catch (error) {
      if (!signal.aborted) problem.value = sentenceOf(error);
    }
  }, INTERVAL), [query, wanted.value]);

  const loadOlder = async () => {
    isLoading.value = true;
    try {
      const found = /** @type {Games} */ (await get(`/api/games?${query}&running=0&after=${encodeURIComponent(after.value ?? "")}`));
      if (current.current === query) {
        add(found.recent);
        after.value = found.after;
      }
    } catch (error) {
      problem.value = sentenceOf(error);
    }
    isLoading.value = false;
  };
  const listed = [...over.value.values()].sort((one, other) => (other.ended ?? 0) - (one.ended ?? 0));
  return { games: games.value, problem: problem.value, over: listed, after: after.value ?? "", isLoading: isLoading.value,
    loadOlder, more: () => { wanted.value = Math.min(MOST, wanted.value + PAGE); } };
}

/** What there is to filter by: the variants of the catalogue, or of a server that only shows games those it has listed. */
function useKinds(/** @type {Listed[]} */ listed) {
  const found = useSignal(/** @type {Variant[]} */ ([]));
  useEffect(() => { if (canPlay) allVariants().then((all) => { found.value = all; }, () => {}); }, []);
  if (!canPlay) {
    return [...new Set(listed.map(({ variant }) => variant))].sort().map((name) => html`
      <option key=${name} value=${`variant=${encodeURIComponent(name)}`}>${t(name)}</option>`);
  }
  const families = [...new Set(found.value.map(({ family }) => family))];
  return families.map((family) => {
    const variants = found.value.filter((variant) => variant.family === family);
    return html`<optgroup key=${family.name} label=${t(family.label)}>
      ${variants.length > 1 && html`<option value=${`family=${encodeURIComponent(family.name)}`}>
        ${t("{family}: all", { family: t(family.label) })}</option>`}
      ${variants.map(({ label }) => html`<option key=${label} value=${`variant=${encodeURIComponent(label)}`}>${t(label)}</option>`)}
    </optgroup>`;
  });
}

/** @param {{filter: Filter, quiet: number, listed: Listed[], onChange: (filter: Filter) => void}} props */
function Filters({ filter, quiet, listed, onChange }) {
  const states = { "": t("All games"), running: t("Running"), over: t("Finished") };
  const paused = quiet || filter.state === "quiet" ? { quiet: t("Paused ({count})", { count: number(quiet) }) } : {};
  return html`
    <div class="watch-filters" role="search" aria-label=${t("Filters")}>
      <${Segments} label=${t("Games")} name="state" value=${filter.state} options=${Object.entries({ ...states, ...paused })}
        onChange=${(/** @type {string} */ state) => onChange({ ...filter, state })} />
      <${Segments} label=${t("Players")} name="who" value=${filter.who}
        options=${[["", t("Everybody")], ["people", t("With people")], ["computers", t("Computers")]]}
        onChange=${(/** @type {string} */ who) => onChange({ ...filter, who })} />
      <${Select} class="watch-variants" label=${t("Variant")} value=${filter.of}
          onChange=${(/** @type {string} */ of) => onChange({ ...filter, of })}>
        <option value="">${t("All variants")}</option>${useKinds(listed)}<//>
    </div>`;
}

/** @param {Params} params @returns {Filter} */
function filterOf({ query }) {
  const [kind] = ["variant", "family"].filter((name) => query.get(name));
  const of = kind ? `${kind}=${encodeURIComponent(query.get(kind) ?? "")}` : "";
  const state = query.get("state") ?? "";
  const who = query.get("who") ?? "";
  return {
    state: ["running", "over", "quiet"].includes(state) ? state : "", who: ["people", "computers"].includes(who) ? who : "", of,
  };
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const filter = useSignal(filterOf(params));
  const { games, problem, over, after, isLoading, loadOlder, more } = useGames(filter.value);
  const change = (/** @type {Filter} */ chosen) => {
    filter.value = chosen;
    const query = queryOf(chosen).toString();
    history.replaceState(null, "", query ? `/watch?${query}` : "/watch");
  };
  const { state, who, of } = filter.value;
  const running = games?.running ?? [];
  const isFiltered = Boolean(who || of);
  return html`
    <div class="page watch stack">
      <${PageHeader} title=${t("Watch")} lead=${t("Running games and recent games of this server.")}>
        ${canPlay && html`<${OpenRecord} />`}
      <//>
      <${Alert} text=${problem} />
      <${Filters} filter=${filter.value} quiet=${games?.quiet ?? 0} listed=${[...running, ...over]} onChange=${change} />
      ${games && state !== "over" && html`
        <section class="stack tight" aria-labelledby="watch-running">
          <h2 id="watch-running">${state === "quiet" ? t("Paused games") : t("Running games")}
            ${games.count > 0 && html` <span class="tag number">${number(games.count)}</span>`}</h2>
          ${state === "quiet" && html`<p class="soft">${t("Nobody has made a move in these games for a while.")}</p>`}
          ${running.length > 0 ? html`<${Cards} games=${running} />` : html`<${NoneRunning} isFiltered=${isFiltered} />`}
          ${running.length < Math.min(games.count, MOST) && html`
            <button type="button" class="button watch-more" onClick=${more}>${t("Show more")}</button>`}
        </section>`}
      ${games && state !== "running" && state !== "quiet" && html`
        <section class="stack tight" aria-labelledby="watch-recent">
          <h2 id="watch-recent">${t("Recent games")}</h2>
          ${over.length > 0 ? html`<${Finished} games=${over} />` : html`<p class="watch-empty panel soft">
            ${isFiltered ? t("No finished game fits these filters.") : t("No game has been finished yet.")}</p>`}
          ${after && html`<button type="button" class="button watch-more" disabled=${isLoading} onClick=${loadOlder}>
            ${isLoading ? t("Loading…") : t("Show older games")}</button>`}
        </section>`}
      ${games && games.damaged > 0 && html`<p class="soft">${plural(games.damaged,
        "{count} game cannot be shown: what is stored of it is damaged.",
        "{count} games cannot be shown: what is stored of them is damaged.")}</p>`}
    </div>`;
}

/** @param {{isFiltered: boolean}} props */
function NoneRunning({ isFiltered }) {
  return html`<p class="watch-empty panel soft">
    ${isFiltered ? t("No running game fits these filters.") : t("No game is running.")}${" "}
    ${canPlay ? html`<a href="/play">${t("Start one")}</a>` : t("The next one appears here by itself.")}</p>`;
}
