/** The desk of the arena: what is played, by whom, how fast and how often, and the buttons that run it. */

import { sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { words } from "../../words/words.js";
import * as form from "./form.js";
import { SetUp } from "./setup.js";
import { createSeries } from "./series.js";

/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./series.js").Rounds} Rounds */
/** @typedef {"start"|"step"} First */

/** @param {{series: Series | null, rounds: Rounds | null}} props */
export function Controls({ series, rounds }) {
  const problem = useSignal("");
  const busy = useSignal(false);
  useEffect(() => form.loadChoices((error) => { problem.value = sentenceOf(error); }), []);
  useEffect(() => startPending(series), [series]);
  useEffect(() => { if (rounds && series?.isMine) form.adopt(rounds); }, [rounds, form.variants.value, form.players.value]);
  if (series && !series.isMine) return html`<${Watching} rounds=${rounds} />`;

  const phase = rounds?.phase ?? null;
  const isActive = phase === "ready" || phase === "running" || phase === "paused";
  const create = async (/** @type {First} */ first, tournament = false) => {
    busy.value = true;
    problem.value = "";
    try {
      // Before the first game is round 0: a delay for the next round counts from the first one on.
      const seconds = (form.nextDelay.value ?? form.delay.value) / 1000;
      const players = /** @type {[string, string]} */ ([form.playerSpec(0), form.playerSpec(1)]);
      const id = await createSeries({
        spec: form.spec.value, players, delay: seconds, next_delay: seconds, rounds: form.rounds.value, tournament,
      });
      form.nextDelay.value = null;
      pending.set(id, first);
      go(`/arena/${id}`);
    } catch (error) {
      problem.value = sentenceOf(error);
    }
    busy.value = false;
  };
  const begin = (/** @type {First} */ first) => (isActive ? series?.control({ do: first }) : create(first));
  return html`
    <section class="panel stack arena-desk" aria-labelledby="arena-controls">
      <h2 id="arena-controls" class="visually-hidden">${words.arena.controls}</h2>
      <${Standing} rounds=${rounds} />
      <div class="arena-buttons" role="group" aria-labelledby="arena-controls">
        <button type="button" class="button primary" disabled=${busy.value || phase === "running"} onClick=${() => begin("start")}>
          ${phase === "paused" ? words.arena.goOn : words.arena.start}
        </button>
        <button type="button" class="button" disabled=${phase !== "running"} onClick=${() => series?.control({ do: "pause" })}>
          ${words.arena.pause}
        </button>
        <button type="button" class="button" disabled=${busy.value || phase === "running"} onClick=${() => begin("step")}>
          ${words.arena.step}
        </button>
        <button type="button" class="button" disabled=${!isActive} onClick=${() => series?.control({ do: "stop" })}>
          ${words.arena.stop}
        </button>
        <button type="button" class="button arena-tournament" disabled=${busy.value || isActive}
          aria-describedby="arena-tournament" onClick=${() => create("start", true)}>
          ${words.arena.tournament}
        </button>
      </div>
      <p id="arena-tournament" class="soft small">${words.arena.tournamentHint}</p>
      ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
    </section>
    <${SetUp} series=${isActive ? series : null} rounds=${isActive ? rounds : null} />`;
}

/** What is to happen first in arenas that were just set up. @type {Map<string, First>} */
const pending = new Map();

/** @param {Series | null} series */
function startPending(series) {
  const first = series && pending.get(series.id);
  if (!first) return;
  pending.delete(series.id);
  series.control({ do: first });
}

/** @param {{rounds: Rounds | null}} props */
function Standing({ rounds }) {
  const phase = words.arena.phases[rounds?.phase ?? "none"];
  const swapped = rounds && rounds.seats[0] === 1 && rounds.phase !== "over" && rounds.phase !== "stopped";
  return html`
    <p class="arena-standing" role="status">
      ${rounds && html`<strong>${words.arena.round(rounds.round, rounds.rounds)}</strong> `}<span class="soft">${phase}</span>
      ${swapped && html` <span class="tag">${words.arena.swapped}</span>`}
    </p>`;
}

/** @param {{rounds: Rounds | null}} props */
function Watching({ rounds }) {
  return html`
    <section class="panel stack tight arena-desk" aria-label=${words.arena.controls}>
      <${Standing} rounds=${rounds} />
      <p class="soft small">${words.arena.onlyLooking} <a href="/arena">${words.arena.another}</a></p>
    </section>`;
}
