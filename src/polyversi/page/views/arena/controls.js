/** The set-up of a series and the buttons that run it. While it runs, only the next delay can be changed. */
import { sentenceOf, useAction } from "../../app/api.js";
import { html, useEffect, useRef } from "../../app/html.js";
import { go } from "../../app/router.js";
import { ChoiceField, NumberField, VariantOptions } from "../../components/forms.js";
import { Alert } from "../../components/page.js";
import { SeatStone } from "./board.js";
import * as form from "./form.js";
import { createSeries } from "./series.js";
import { words } from "./words.js";

/** @import { Values } from "../../components/forms.js" */
/** @import { Rounds, Series } from "./series.js" */

/** Milliseconds after the last key before a new delay is sent. */
const DEBOUNCE = 400;

/** @param {{series: Series | null, rounds: Rounds | null}} props the running series, or null */
function SetUp({ series, rounds }) {
  const fixed = rounds !== null;
  return html`
    <section class="panel stack arena-setup" aria-labelledby="arena-setup">
      <h2 id="arena-setup">${words.setUp}</h2>
      <div class="arena-pair">
        ${[0, 1].map((at) => html`<${PlayerField} at=${at} fixed=${rounds?.players[at] ?? null} />`)}
      </div>
      <${VariantField} fixed=${rounds?.title ?? null} />
      <div class="arena-numbers">
        <${NumberField} label=${words.delay} low=${0} high=${form.MAX_DELAY} step="any" readonly=${fixed}
          value=${rounds ? Math.round(rounds.delay * 1000) : form.delay.value}
          onNumber=${(/** @type {number} */ value) => { form.delay.value = value; }} />
        <${NextDelayField} series=${series} rounds=${rounds} />
        <${NumberField} label=${words.rounds} low=${1} high=${form.MAX_ROUNDS} readonly=${fixed} value=${rounds?.rounds ?? form.rounds.value}
          onNumber=${(/** @type {number} */ value) => { form.rounds.value = value; }} />
      </div>
    </section>`;
}

/** @param {{fixed: string | null}} props */
function VariantField({ fixed }) {
  const { name, values } = form.variant.value;
  if (fixed) return html`<p class="field"><span>${words.variant}</span><strong>${fixed}</strong></p>`;
  const change = (/** @type {string} */ chosen, /** @type {Values} */ changed) => {
    form.variant.value = chosen === name ? { name, values: changed } : form.withTwoSeats(chosen);
  };
  return html`
    <${ChoiceField} label=${words.variant} name=${name} title=${form.variantInfo.value?.label} info=${form.variantInfo.value}
      values=${values} onChange=${change}><${VariantOptions} variants=${form.variants.value} /><//>`;
}

/** @param {{at: 0|1, fixed: string | null}} props */
function PlayerField({ at, fixed }) {
  const choice = form.chosen[at];
  const { name, values } = choice.value;
  const label = html`<span class="row arena-seat"><${SeatStone} seat=${at} />${words.playerOf(words.seat(at))}</span>`;
  if (fixed) return html`<p class="field">${label}<strong>${fixed}</strong></p>`;
  return html`
    <${ChoiceField} label=${label} name=${name} info=${form.players.value.find((player) => player.name === name)} values=${values}
      onChange=${(/** @type {string} */ chosen, /** @type {Values} */ changed) => { choice.value = { name: chosen, values: changed }; }}>
      ${form.players.value.map((player) => html`
        <option value=${player.name} disabled=${player.unsuited !== null} title=${player.unsuited ?? player.sentence}>${player.name}</option>`)}
    <//>`;
}

/** @param {{series: Series | null, rounds: Rounds | null}} props */
function NextDelayField({ series, rounds }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const timer = useRef(0);
  const current = rounds ? Math.round((rounds.next_delay ?? rounds.delay) * 1000) : form.nextDelay.value;
  useEffect(() => {
    // The server's value must not replace what somebody is typing.
    if (input.current && document.activeElement !== input.current) input.current.value = current === null ? "" : String(current);
  }, [current]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = () => {
    const field = input.current;
    if (!field) return;
    const value = field.value === "" ? null : Number(field.value);
    if (value !== null && !(value >= 0 && value <= form.MAX_DELAY)) return;
    if (!series) form.nextDelay.value = value;
    else if (value !== null) series.control({ next_delay: value / 1000 });
  };
  const soon = () => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(take, DEBOUNCE);
  };
  return html`
    <label class="field">
      <span>${words.nextDelay}</span>
      <input ref=${input} type="number" inputmode="numeric" min="0" max=${form.MAX_DELAY} step="any"
        placeholder=${rounds ? "" : form.delay.value} onInput=${series ? soon : take} onChange=${take} />
    </label>`;
}

/** @typedef {"start"|"step"} First */

/** @param {{series: Series | null, rounds: Rounds | null}} props */
export function Controls({ series, rounds }) {
  const { isBusy, problem, run } = useAction();
  useEffect(() => form.loadChoices((error) => { problem.value = sentenceOf(error); }), []);
  useEffect(() => startPending(series), [series]);
  useEffect(() => { if (rounds && series?.isMine) form.adopt(rounds); }, [rounds, form.variants.value, form.players.value]);
  if (series && !series.isMine) return html`<${Watching} rounds=${rounds} />`;

  const phase = rounds?.phase ?? null;
  const isActive = phase === "ready" || phase === "running" || phase === "paused";
  const create = (/** @type {First} */ first, tournament = false) => run(async () => {
    // Before the first game is round 0: a delay for the next round counts from the first one on.
    const seconds = (form.nextDelay.value ?? form.delay.value) / 1000;
    const players = /** @type {[string, string]} */ ([form.playerSpec(0), form.playerSpec(1)]);
    const id = await createSeries({
      spec: form.spec.value, players, delay: seconds, next_delay: seconds, rounds: form.rounds.value, tournament,
    });
    form.nextDelay.value = null;
    pending.set(id, first);
    go(`/arena/${id}`);
  });
  const begin = (/** @type {First} */ first) => (isActive ? series?.control({ do: first }) : create(first));
  return html`
    <section class="panel stack arena-controls" aria-labelledby="arena-controls-title">
      <h2 id="arena-controls-title" class="visually-hidden">${words.controls}</h2>
      <${Progress} rounds=${rounds} />
      <div class="arena-buttons" role="group" aria-labelledby="arena-controls-title">
        <button type="button" class="button primary" disabled=${isBusy.value || phase === "running"} onClick=${() => begin("start")}>
          ${phase === "paused" ? words.resume : words.start}
        </button>
        <button type="button" class="button" disabled=${phase !== "running"} onClick=${() => series?.control({ do: "pause" })}>
          ${words.pause}
        </button>
        <button type="button" class="button" disabled=${isBusy.value || phase === "running"} onClick=${() => begin("step")}>
          ${words.step}
        </button>
        <button type="button" class="button" disabled=${!isActive} onClick=${() => series?.control({ do: "stop" })}>
          ${words.stop}
        </button>
        <button type="button" class="button arena-tournament" disabled=${isBusy.value || isActive}
          aria-describedby="arena-tournament" onClick=${() => create("start", true)}>
          ${words.tournament}
        </button>
      </div>
      <p id="arena-tournament" class="soft small">${words.tournamentHint}</p>
      <${Alert} text=${problem.value} />
    </section>
    <${SetUp} series=${isActive ? series : null} rounds=${isActive ? rounds : null} />`;
}

/** What new series do first. @type {Map<string, First>} */
const pending = new Map();

/** @param {Series | null} series */
function startPending(series) {
  const first = series && pending.get(series.id);
  if (!first) return;
  pending.delete(series.id);
  series.control({ do: first });
}

/** @param {{rounds: Rounds | null}} props */
function Progress({ rounds }) {
  const phase = words.phases[rounds?.phase ?? "none"];
  const swapped = rounds && rounds.seats[0] === 1 && rounds.phase !== "over" && rounds.phase !== "stopped";
  return html`
    <p class="arena-progress" role="status">
      ${rounds && html`<strong>${words.round(rounds.round, rounds.rounds)}</strong> `}<span class="soft">${phase}</span>
      ${swapped && html` <span class="tag">${words.swapped}</span>`}
    </p>`;
}

/** @param {{rounds: Rounds | null}} props */
function Watching({ rounds }) {
  return html`
    <section class="panel stack tight arena-controls" aria-label=${words.controls}>
      <${Progress} rounds=${rounds} />
      <p class="soft small">${words.watching} <a href="/arena">${words.another}</a></p>
    </section>`;
}
