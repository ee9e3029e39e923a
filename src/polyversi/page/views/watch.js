/** The watch view: games going on as small live boards, recent ones as a list, and record files to look at. */

import { get, sentenceOf } from "../app/api.js";
import { html, useEffect, useSignal } from "../app/html.js";
import { isForPlaying } from "../app/offers.js";
import { useTitle } from "../app/title.js";
import { words } from "../words/words.js";
import { OpenRecord } from "./watch/open.js";
import { Recent } from "./watch/recent.js";
import { variantOf } from "./watch/result.js";
import { Running } from "./watch/running.js";

/** @typedef {import("../app/types.js").Summary} Summary */
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
  const wanted = (/** @type {Summary} */ summary) => !variant.value || variantOf(summary.spec) === variant.value;
  return html`
    <div class="page watch stack">
      <header class="row apart">
        <div>
          <h1>${words.watch.title}</h1>
          <p class="soft">${words.watch.lead}</p>
        </div>
        ${isForPlaying && html`<${OpenRecord} />`}
      </header>
      ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
      ${found && html`
        <${VariantFilter} games=${found} variant=${variant} />
        <${Running} games=${found.running.filter(wanted)} variant=${variant.value} />
        <${Recent} games=${found.recent.filter(wanted)} variant=${variant.value} />`}
    </div>`;
}

/** @param {{games: Games, variant: import("../vendor/signals-core.js").Signal<string>}} props */
function VariantFilter({ games, variant }) {
  const names = new Set([...games.running, ...games.recent].map(({ spec }) => variantOf(spec)));
  if (variant.value) names.add(variant.value);
  if (names.size < 2) return null;
  return html`
    <label class="watch-filter field">
      <span>${words.watch.filter}</span>
      <select value=${variant.value} onChange=${(/** @type {any} */ event) => { variant.value = event.target.value; }}>
        <option value="">${words.watch.all}</option>
        ${[...names].sort().map((name) => html`<option value=${name}>${words.play.variant(name)}</option>`)}
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
