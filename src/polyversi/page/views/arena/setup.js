/** The fields of the arena: variant, players, delays and rounds. While it runs only the next delay can be changed. */

import { html, useEffect, useRef } from "../../app/html.js";
import { words } from "../../words/words.js";
import { OptionFields } from "../parts/options.js";
import { NumberInput } from "../parts/typed.js";
import { VariantOptions } from "../parts/variants.js";
import * as form from "./form.js";
import { SeatStone } from "./paints.js";

/** @typedef {import("./series.js").Series} Series */
/** @typedef {import("./series.js").Rounds} Rounds */

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
      <${VariantField} fixed=${rounds?.spec ?? null} />
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
  if (fixed) return html`<p class="field"><span>${words.arena.variant}</span><strong>${words.play.spec(fixed)}</strong></p>`;
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
        <summary>${words.arena.options(words.play.variant(name))}</summary>
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
  const variant = form.variants.value.find((one) => one.name === name);
  return { name, values: /** @type {Record<string, string>} */ (variant && variant.seats > 2 ? { players: "2" } : {}) };
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
