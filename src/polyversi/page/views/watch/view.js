/** The watch view: running games as live thumbnails, recent games as a list, record files. */
import { get, sentenceOf } from "../../app/api.js";
import { useTitle } from "../../app/dom.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { Stone } from "../../components/icons.js";
import { OpenRecord } from "../../components/open-record.js";
import { LittleBoard } from "../../components/thumbnail.js";

/** @import { Description, Summary } from "../../app/types.js" */

/**
 * @param {Summary} summary
 * @returns {{text: string, score: string}}
 */
export function resultOf({ result, players }) {
  if (!result) return { text: words.watch.nobody, score: "" };
  const winners = players.filter((_, at) => result.ranks[at] === 1);
  const [winner] = winners;
  let text = winner !== undefined && winners.length === 1 ? words.watch.won(winner) : words.watch.draw;
  if (winner === undefined || result.verdict?.kind === "aborted") text = words.watch.nobody;
  return { text, score: result.scores.join("–") };
}

/**
 * Boards that were asked for already; games with the same specification share theirs, unless it is on a map of its own.
 * @type {Map<string, Promise<Description>>}
 */
const boards = new Map();

/** @param {Summary} summary */
const keyOf = ({ id, spec, has_map: hasMap }) => (hasMap ? `game ${id}` : spec);

/**
 * @param {Summary} summary
 * @returns {Promise<Description>}
 */
function boardOf(summary) {
  const key = keyOf(summary);
  let asked = boards.get(key);
  if (!asked) {
    asked = get(`/api/games/${summary.id}`).then((info) => info.description);
    asked.catch(() => boards.delete(key));
    boards.set(key, asked);
  }
  return asked;
}

/**
 * Forgets the boards that are not shown any more: those of maps are large.
 * @param {Summary[]} games
 */
function forgetOthers(games) {
  const shown = new Set(games.map(keyOf));
  for (const key of boards.keys()) if (!shown.has(key)) boards.delete(key);
}

/** @param {{games: Summary[], variant: string}} props */
export function Running({ games, variant }) {
  useEffect(() => forgetOthers(games), [games.map(({ id }) => id).join(" ")]);
  return html`
    <section class="stack tight" aria-labelledby="watch-running">
      <h2 id="watch-running">${words.watch.running}${games.length > 0 && html` <span class="tag number">${games.length}</span>`}</h2>
      ${games.length > 0
        ? html`<ul class="watch-cards">${games.map((summary) => html`<li key=${summary.id}><${Card} summary=${summary} /></li>`)}</ul>`
        : html`<p class="watch-empty panel soft">
            ${variant ? words.watch.nothingOfVariant(variant) : words.watch.nothingRunning} ${canPlay ? html`<a href="/play">${words.watch.startOne}</a>` : words.watch.willCome}
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
  const players = summary.players.map((name) => name || words.watch.somebody);
  return html`
    <a class="watch-card panel" href=${`/game/${summary.id}`}>
      <div class="watch-board">
        ${found && html`<${LittleBoard} description=${found} position=${summary.position}
          label=${words.watch.boardLabel(summary.title)} />`}
      </div>
      <div class="row apart small">
        <span class="watch-spec">${summary.title}</span>
        <span class="soft number">${summary.phase === "waiting" ? words.watch.waiting : words.watch.plies(summary.plies)}</span>
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
      <h2 id="watch-recent">${words.watch.recent}</h2>
      ${games.length > 0
        ? html`<${RecentTable} games=${games} />`
        : html`<p class="watch-empty panel soft">${variant ? words.watch.nothingOfVariant(variant) : words.watch.nothingRecent}</p>`}
    </section>`;
}

/** @param {{games: Summary[]}} props */
function RecentTable({ games }) {
  const { columns } = words.watch;
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
  const players = summary.players.map((name) => name || words.watch.somebody);
  return html`
    <tr>
      <td class="watch-who"><a href=${`/game/${summary.id}`}>${players.join(words.watch.against)}</a></td>
      <td class="watch-result"><span>${text}</span> <span class="soft number">${score}</span></td>
      <td class="watch-variant soft">${summary.title}</td>
      <td class="watch-moves watch-right soft number">${summary.plies}<span class="watch-unit"> ${words.watch.unit(summary.plies)}</span></td>
      <td class="watch-when watch-right soft">${words.watch.ago(secondsSince(summary.created))}</td>
    </tr>`;
}

/**
 * @param {string | number} created seconds since 1970, or a date in words
 */
function secondsSince(created) {
  const then = typeof created === "number" ? created * 1000 : Date.parse(created);
  return Math.max(0, (Date.now() - then) / 1000);
}

/** @typedef {{running: Summary[], recent: Summary[]}} Games */

/** Milliseconds between two looks at the list. */
const EVERY = 3000;

export function WatchView() {
  useTitle(words.watch.title);
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
      <header class="row apart">
        <div>
          <h1>${words.watch.title}</h1>
          <p class="soft">${words.watch.lead}</p>
        </div>
        ${canPlay && html`<${OpenRecord} />`}
      </header>
      ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
      ${found && html`
        <${VariantFilter} games=${found} variant=${variant} />
        <${Running} games=${found.running.filter(wanted)} variant=${variant.value} />
        <${Recent} games=${found.recent.filter(wanted)} variant=${variant.value} />`}
    </div>`;
}

/** @param {{games: Games, variant: import("../../vendor/signals-core.js").Signal<string>}} props */
function VariantFilter({ games, variant }) {
  const names = new Set([...games.running, ...games.recent].map((summary) => summary.variant));
  if (variant.value) names.add(variant.value);
  if (names.size < 2) return null;
  return html`
    <label class="watch-filter field">
      <span>${words.watch.filter}</span>
      <select value=${variant.value} onChange=${(/** @type {any} */ event) => { variant.value = event.target.value; }}>
        <option value="">${words.watch.all}</option>
        ${[...names].sort().map((name) => html`<option value=${name}>${name}</option>`)}
      </select>
    </label>`;
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
