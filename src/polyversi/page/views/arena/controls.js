/** The set-up of a series and the buttons that run it. While it runs, only the next delay can be changed. */
import * as form from "./form.js";
import { sentenceOf } from "../../app/api.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { words } from "../../words/words.js";
import { NumberInput, OptionFields, VariantOptions } from "../../components/forms.js";
import { SeatStone } from "./board.js";
import { createSeries } from "./series.js";

/** @import { Rounds, Series } from "./series.js" */

/** Milliseconds after the last key before a new delay is sent. */
const SETTLED = 400;

/** @param {{series: Series | null, rounds: Rounds | null}} props the arena that is going on, or null */
export function SetUp({ series, rounds }) {
  const fixed = rounds !== null;
  return html`
    <section class="panel stack arena-setup" aria-labelledby="arena-setup">
      <h2 id="arena-setup">${words.arena.setUp}</h2>
      <div class="arena-pair">
        ${[0, 1].map((at) => html`<${PlayerField} at=${at} fixed=${rounds?.players[at] ?? null} />`)}
      </div>
      <${VariantField} fixed=${rounds?.title ?? null} />
      <div class="arena-numbers">
        <${DelayField} fixed=${rounds ? Math.round(rounds.delay * 1000) : null} />
        <${NextDelayField} series=${series} rounds=${rounds} />
        <label class="field">
          <span>${words.arena.rounds}</span>
          <${NumberInput} low=${1} high=${form.MOST_ROUNDS} readonly=${fixed} value=${rounds?.rounds ?? form.rounds.value}
            onNumber=${(/** @type {number} */ value) => { form.rounds.value = value; }} />
        </label>
      </div>
    </section>`;
}

/** @param {{fixed: string | null}} props */
function VariantField({ fixed }) {
  const { name, values } = form.variant.value;
  const options = form.variantInfo.value?.options ?? [];
  if (fixed) return html`<p class="field"><span>${words.arena.variant}</span><strong>${fixed}</strong></p>`;
  return html`
    <div class="stack tight">
      <label class="field">
        <span>${words.arena.variant}</span>
        <select value=${name} onChange=${(/** @type {any} */ event) => { form.variant.value = forTwo(event.target.value); }}>
          <${VariantOptions} variants=${form.variants.value} />
        </select>
      </label>
      <p class="soft small">${form.variantInfo.value?.sentence}</p>
      ${options.length > 0 && html`<details class="arena-options">
        <summary>${words.arena.options(form.variantInfo.value?.label ?? name)}</summary>
        <${OptionFields} options=${options} values=${values}
          onChange=${(/** @type {any} */ changed) => { form.variant.value = { name, values: changed }; }} />
      </details>`}
    </div>`;
}

/**
 * A variant with two seats, where it can have more.
 * @param {string} name
 */
function forTwo(name) {
  return { name, values: form.variants.value.find((one) => one.name === name)?.for_two ?? {} };
}

/** @param {{at: 0|1, fixed: string | null}} props */
function PlayerField({ at, fixed }) {
  const choice = form.chosen[at];
  if (!choice) return null;
  const { name, values } = choice.value;
  const info = form.players.value.find((player) => player.name === name);
  const label = html`<span class="row arena-seat">
    <${SeatStone} seat=${at} />${words.arena.playerOf(words.arena.seat(at))}
  </span>`;
  if (fixed) return html`<p class="field">${label}<strong>${fixed}</strong></p>`;
  return html`
    <div class="stack tight">
      <label class="field">${label}
        <select value=${name} onChange=${(/** @type {any} */ event) => { choice.value = { name: event.target.value, values: {} }; }}>
          ${form.players.value.map((player) => html`
            <option value=${player.name} disabled=${player.unsuited !== null} title=${player.unsuited ?? player.sentence}>${player.name}</option>`)}
        </select>
      </label>
      <p class="soft small">${info?.sentence}</p>
      ${info && info.options.length > 0 && html`<details class="arena-options">
        <summary>${words.arena.options(name)}</summary>
        <${OptionFields} options=${info.options} values=${values}
          onChange=${(/** @type {any} */ changed) => { choice.value = { name, values: changed }; }} />
      </details>`}
    </div>`;
}

/** @param {{fixed: number | null}} props */
function DelayField({ fixed }) {
  return html`
    <label class="field">
      <span>${words.arena.delay}</span>
      <${NumberInput} low=${0} high=${form.LONGEST_DELAY} step="any" readonly=${fixed !== null} value=${fixed ?? form.delay.value}
        onNumber=${(/** @type {number} */ value) => { form.delay.value = value; }} />
    </label>`;
}

/** @param {{series: Series | null, rounds: Rounds | null}} props */
function NextDelayField({ series, rounds }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const timer = useRef(0);
  const told = rounds ? Math.round((rounds.next_delay ?? rounds.delay) * 1000) : form.nextDelay.value;
  useEffect(() => {
    // What the server tells must not replace what somebody is writing.
    if (input.current && document.activeElement !== input.current) input.current.value = told === null ? "" : String(told);
  }, [told]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = () => {
    const field = input.current;
    if (!field) return;
    const value = field.value === "" ? null : Number(field.value);
    if (value !== null && !(value >= 0 && value <= form.LONGEST_DELAY)) return;
    if (!series) form.nextDelay.value = value;
    else if (value !== null) series.control({ next_delay: value / 1000 });
  };
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(take, SETTLED);
  };
  return html`
    <label class="field">
      <span>${words.arena.nextDelay}</span>
      <input ref=${input} type="number" inputmode="numeric" min="0" max=${form.LONGEST_DELAY} step="any"
        placeholder=${rounds ? "" : form.delay.value} onInput=${series ? soon : take} onChange=${take} />
    </label>`;
}

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
