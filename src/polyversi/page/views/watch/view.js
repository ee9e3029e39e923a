/** The watch view: running games as live thumbnails, recent games as a list, record files. */
import { get, sentenceOf } from "../../app/api.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { common } from "../../app/words.js";
import { Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Thumbnail } from "../../components/thumbnail.js";

/** @import { Description, Summary } from "../../app/types.js" */
/** @typedef {{running: Summary[], recent: Summary[], damaged: number}} Games */

/** The names of the players. @param {Summary} summary */
const namesOf = ({ players }) => players.map((name) => name || "somebody");

/**
 * Boards requested so far; games with the same specification share one, except those on a custom map.
 * @type {Map<string, Promise<Description>>}
 */
const boards = new Map();

/** @param {Summary} summary */
const keyOf = ({ id, spec, has_map: hasMap }) => (hasMap ? `game ${id}` : spec);

/** @param {Summary} summary @returns {Promise<Description>} */
function boardOf(summary) {
  const key = keyOf(summary);
  const request = boards.get(key) ?? get(`/api/games/${summary.id}`).then((info) => info.description);
  request.catch(() => boards.delete(key));
  boards.set(key, request);
  return request;
}

/** @param {{games: Summary[], variant: string}} props */
function Running({ games, variant }) {
  useEffect(() => {
    // The boards of maps are large: those that are no longer shown are dropped.
    const shown = new Set(games.map(keyOf));
    for (const key of boards.keys()) if (!shown.has(key)) boards.delete(key);
  }, [games.map(({ id }) => id).join(" ")]);
  return html`
    <section class="stack tight" aria-labelledby="watch-running">
      <h2 id="watch-running">Running games
        ${games.length > 0 && html` <span class="tag number">${games.length}</span>`}</h2>
      ${games.length > 0
        ? html`<ul class="watch-cards">
            ${games.map((summary) => html`<li key=${summary.id}><${Card} summary=${summary} /></li>`)}</ul>`
        : html`<p class="watch-empty panel soft">
            ${variant ? `No games of ${variant}.` : "No game is running."}${" "}
            ${canPlay ? html`<a href="/play">Start one</a>` : "The next one appears here by itself."}</p>`}
    </section>`;
}

/** @param {{summary: Summary}} props */
function Card({ summary }) {
  const description = useSignal(/** @type {Description|null} */ (null));
  useEffect(() => {
    let isHere = true;
    boardOf(summary).then((found) => { if (isHere) description.value = found; }, () => {});
    return () => { isHere = false; };
  }, [summary.id]);
  const found = description.value;
  const names = namesOf(summary);
  return html`
    <a class="watch-card panel" href=${`/game/${summary.id}`}>
      <div class="watch-board">${found && html`<${Thumbnail} description=${found} position=${summary.position}
        label=${`Board of a game of ${summary.title}`} />`}</div>
      <div class="row apart small">
        <span class="watch-spec">${summary.title}</span>
        <span class="soft number">
          ${summary.phase === "waiting" ? "waiting for a player" : common.counted(summary.plies, "move")}</span>
      </div>
      <ul class=${`watch-players small ${names.length > 2 ? "many" : ""}`}>
        ${names.map((name, at) => html`
          <li class="row apart">
            <span class="row tight"><${Stone} paint=${found?.plan.seats[at]} size=${16} />
              <span class="watch-name">${name}</span></span>
            <span class="number">${summary.scores[at]}</span>
          </li>`)}
      </ul>
    </a>`;
}

/** @param {{games: Summary[], variant: string}} props */
function Recent({ games, variant }) {
  return html`
    <section class="stack tight" aria-labelledby="watch-recent">
      <h2 id="watch-recent">Recent games</h2>
      ${games.length > 0
        ? html`<div class="panel watch-table">
            <table aria-labelledby="watch-recent">
              <thead><tr>
                <th scope="col">Players</th><th scope="col">Result</th><th scope="col">Variant</th>
                <th scope="col" class="watch-right">Moves</th><th scope="col" class="watch-right">When</th>
              </tr></thead>
              <tbody>${games.map((summary) => html`<${Row} key=${summary.id} summary=${summary} />`)}</tbody>
            </table></div>`
        : html`<p class="watch-empty panel soft">
            ${variant ? `No games of ${variant}.` : "No game has been finished yet."}</p>`}
    </section>`;
}

/** @param {{summary: Summary}} props */
function Row({ summary }) {
  const { id, title, plies, created, result } = summary;
  return html`
    <tr>
      <td class="watch-who"><a href=${`/game/${id}`}>${namesOf(summary).join(" – ")}</a></td>
      <td class="watch-result"><span>${winnerOf(summary)}</span>${" "}
        <span class="soft number">${result?.scores.join("–")}</span></td>
      <td class="watch-variant soft">${title}</td>
      <td class="watch-moves watch-right soft number">${plies}
        <span class="watch-unit"> ${plies === 1 ? "move" : "moves"}</span></td>
      <td class="watch-when watch-right soft">${ago(created)}</td>
    </tr>`;
}

/** @param {Summary} summary */
function winnerOf({ result, players }) {
  const winners = players.filter((_, at) => result?.ranks[at] === 1);
  if (!winners.length || result?.verdict.kind === "aborted") return "No winner";
  return winners.length === 1 ? `${winners[0]} won` : "Draw";
}

/** How long ago something was. @param {string|number} created seconds since 1970, or a date in words */
function ago(created) {
  const minutes = (Date.now() - (typeof created === "number" ? created * 1000 : Date.parse(created))) / 60_000;
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${Math.floor(minutes)} min ago`;
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ago`;
  return minutes < 2880 ? "yesterday" : `${Math.floor(minutes / 1440)} days ago`;
}

/** Milliseconds between two updates of the list. */
const INTERVAL = 3000;

/**
 * Runs `work` now and then every few seconds while the tab is visible; returns a function that stops it.
 * @param {(signal: AbortSignal) => Promise<void>} work
 */
function whileVisible(work) {
  const stop = new AbortController();
  let timer = 0;
  let isBusy = false;
  const look = async () => {
    clearTimeout(timer);
    if (document.hidden || isBusy || stop.signal.aborted) return;
    isBusy = true;
    await work(stop.signal);
    isBusy = false;
    timer = window.setTimeout(look, INTERVAL);
  };
  document.addEventListener("visibilitychange", look, { signal: stop.signal });
  look();
  return () => stop.abort();
}

export function View() {
  const games = useSignal(/** @type {Games|null} */ (null));
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
  const { running, recent, damaged } = games.value ?? { running: [], recent: [], damaged: 0 };
  const chosen = variant.value;
  const variants = new Set([...running, ...recent].map((summary) => summary.variant));
  if (chosen) variants.add(chosen);
  const wanted = (/** @type {Summary} */ summary) => !chosen || summary.variant === chosen;
  return html`
    <div class="page watch stack">
      <${PageHeader} title="Watch" lead="Running games and recent games of this server.">
        ${canPlay && html`<${OpenRecord} />`}
      <//>
      <${Alert} text=${problem.value} />
      ${variants.size > 1 && html`
        <${Select} class="watch-filter" label="Variant" value=${chosen}
            onChange=${(/** @type {string} */ name) => { variant.value = name; }}>
          <option value="">All variants</option>
          ${[...variants].sort().map((name) => html`<option value=${name}>${name}</option>`)}<//>`}
      ${games.value && html`
        <${Running} games=${running.filter(wanted)} variant=${chosen} />
        <${Recent} games=${recent.filter(wanted)} variant=${chosen} />`}
      ${damaged > 0 && html`<p class="soft">
        ${common.counted(damaged, "game")} cannot be shown: what is stored of ${damaged === 1 ? "it" : "them"} is damaged.</p>`}
    </div>`;
}
