/** The watch view: running games as live thumbnails, recent games as a list, record files. */
import { get, sentenceOf } from "../../app/api.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Thumbnail } from "../../components/thumbnail.js";
import { words } from "./words.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Description, Summary } from "../../app/types.js" */

/**
 * @param {Summary} summary
 * @returns {{text: string, score: string}}
 */
export function resultOf({ result, players }) {
  if (!result) return { text: words.nobody, score: "" };
  const winners = players.filter((_, at) => result.ranks[at] === 1);
  const [winner] = winners;
  let text = winner !== undefined && winners.length === 1 ? words.won(winner) : words.draw;
  if (winner === undefined || result.verdict?.kind === "aborted") text = words.nobody;
  return { text, score: result.scores.join("–") };
}

/**
 * Boards requested so far; games of the same specification share theirs, unless it is on a map of its own.
 * @type {Map<string, Promise<Description>>}
 */
const boards = new Map();

/** @param {Summary} summary */
const keyOf = ({ id, spec, has_map: hasMap }) => (hasMap ? `game ${id}` : spec);

/** @param {Summary} summary @returns {Promise<Description>} */
function boardOf(summary) {
  const key = keyOf(summary);
  let request = boards.get(key);
  if (!request) {
    request = get(`/api/games/${summary.id}`).then((info) => info.description);
    request.catch(() => boards.delete(key));
    boards.set(key, request);
  }
  return request;
}

/** Forgets the boards that are not shown any more: those of maps are large. @param {Summary[]} games */
function forgetOthers(games) {
  const shown = new Set(games.map(keyOf));
  for (const key of boards.keys()) if (!shown.has(key)) boards.delete(key);
}

/** @param {{games: Summary[], variant: string}} props */
export function Running({ games, variant }) {
  useEffect(() => forgetOthers(games), [games.map(({ id }) => id).join(" ")]);
  return html`
    <section class="stack tight" aria-labelledby="watch-running">
      <h2 id="watch-running">${words.running}${games.length > 0 && html` <span class="tag number">${games.length}</span>`}</h2>
      ${games.length > 0
        ? html`<ul class="watch-cards">${games.map((summary) => html`<li key=${summary.id}><${Card} summary=${summary} /></li>`)}</ul>`
        : html`<p class="watch-empty panel soft">
            ${variant ? words.nothingOfVariant(variant) : words.nothingRunning} ${canPlay ? html`<a href="/play">${words.startOne}</a>` : words.willCome}
          </p>`}
    </section>`;
}

/** @param {{summary: Summary}} props */
function Card({ summary }) {
  const description = useSignal(/** @type {Description | null} */ (null));
  useEffect(() => {
    let here = true;
    boardOf(summary).then((found) => { if (here) description.value = found; }, () => {});
    return () => { here = false; };
  }, [summary.id]);
  const found = description.value;
  const players = summary.players.map((name) => name || words.somebody);
  return html`
    <a class="watch-card panel" href=${`/game/${summary.id}`}>
      <div class="watch-board">
        ${found && html`<${Thumbnail} description=${found} position=${summary.position}
          label=${words.boardLabel(summary.title)} />`}
      </div>
      <div class="row apart small">
        <span class="watch-spec">${summary.title}</span>
        <span class="soft number">${summary.phase === "waiting" ? words.waiting : words.plies(summary.plies)}</span>
      </div>
      <ul class=${`watch-players small ${players.length > 2 ? "many" : ""}`}>
        ${players.map((name, at) => html`
          <li class="row apart">
            <span class="row tight">
              <${Stone} paint=${found?.plan.seats[at]} size=${16} />
              <span class="watch-name">${name}</span>
            </span>
            <span class="number">${summary.scores[at]}</span>
          </li>`)}
      </ul>
    </a>`;
}

/** @param {{games: Summary[], variant: string}} props */
export function Recent({ games, variant }) {
  return html`
    <section class="stack tight" aria-labelledby="watch-recent">
      <h2 id="watch-recent">${words.recent}</h2>
      ${games.length > 0
        ? html`<${RecentTable} games=${games} />`
        : html`<p class="watch-empty panel soft">${variant ? words.nothingOfVariant(variant) : words.nothingRecent}</p>`}
    </section>`;
}

/** @param {{games: Summary[]}} props */
function RecentTable({ games }) {
  const { columns } = words;
  return html`
    <div class="panel watch-table">
      <table aria-labelledby="watch-recent">
        <thead>
          <tr>
            <th scope="col">${columns.players}</th>
            <th scope="col">${columns.result}</th>
            <th scope="col">${columns.game}</th>
            <th scope="col" class="watch-right">${columns.moves}</th>
            <th scope="col" class="watch-right">${columns.when}</th>
          </tr>
        </thead>
        <tbody>${games.map((summary) => html`<${Row} key=${summary.id} summary=${summary} />`)}</tbody>
      </table>
    </div>`;
}

/** @param {{summary: Summary}} props */
function Row({ summary }) {
  const { text, score } = resultOf(summary);
  const players = summary.players.map((name) => name || words.somebody);
  return html`
    <tr>
      <td class="watch-who"><a href=${`/game/${summary.id}`}>${players.join(words.against)}</a></td>
      <td class="watch-result"><span>${text}</span> <span class="soft number">${score}</span></td>
      <td class="watch-variant soft">${summary.title}</td>
      <td class="watch-moves watch-right soft number">${summary.plies}<span class="watch-unit"> ${words.unit(summary.plies)}</span></td>
      <td class="watch-when watch-right soft">${words.ago(secondsSince(summary.created))}</td>
    </tr>`;
}

/** @param {string | number} created seconds since 1970, or a date in words */
function secondsSince(created) {
  const then = typeof created === "number" ? created * 1000 : Date.parse(created);
  return Math.max(0, (Date.now() - then) / 1000);
}

/** @typedef {{running: Summary[], recent: Summary[]}} Games */

/** Milliseconds between two looks at the list. */
const EVERY = 3000;

export function View() {
  const games = useSignal(/** @type {Games | null} */ (null));
  const problem = useSignal("");
  const variant = useSignal("");
  useEffect(() => whileVisible(async (signal) => {
    try {
      games.value = await get("/api/games", signal);
      problem.value = "";
    } catch (error) {
      if (!signal.aborted) problem.value = sentenceOf(error);
    }
  }), []);

  const found = games.value;
  const wanted = (/** @type {Summary} */ summary) => !variant.value || summary.variant === variant.value;
  return html`
    <div class="page watch stack">
      <${PageHeader} title=${words.title} lead=${words.lead}>
        ${canPlay && html`<${OpenRecord} />`}
      <//>
      <${Alert} text=${problem.value} />
      ${found && html`
        <${VariantFilter} games=${found} variant=${variant} />
        <${Running} games=${found.running.filter(wanted)} variant=${variant.value} />
        <${Recent} games=${found.recent.filter(wanted)} variant=${variant.value} />`}
    </div>`;
}

/** @param {{games: Games, variant: Signal<string>}} props */
function VariantFilter({ games, variant }) {
  const names = new Set([...games.running, ...games.recent].map((summary) => summary.variant));
  if (variant.value) names.add(variant.value);
  if (names.size < 2) return null;
  return html`
    <${Select} class="watch-filter" label=${words.filter} value=${variant.value}
        onChange=${(/** @type {string} */ name) => { variant.value = name; }}>
      <option value="">${words.all}</option>
      ${[...names].sort().map((name) => html`<option value=${name}>${name}</option>`)}<//>`;
}

/**
 * Does something now and then every few seconds, as long as the tab is looked at; returns how to stop.
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
function whileVisible(work) {
  const stop = new AbortController();
  let timer = 0;
  let busy = false;
  const look = async () => {
    clearTimeout(timer);
    if (document.hidden || busy || stop.signal.aborted) return;
    busy = true;
    await work(stop.signal);
    busy = false;
    if (!stop.signal.aborted) timer = window.setTimeout(look, EVERY);
  };
  document.addEventListener("visibilitychange", look, { signal: stop.signal });
  look();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}
