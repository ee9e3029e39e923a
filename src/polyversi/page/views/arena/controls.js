/** The setup of a series and the buttons that run it. While it runs, only the delay for the next round can be changed. */
import { sentenceOf, useAction } from "../../app/api.js";
import { html, useEffect } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { ChoiceField, NumberField, VariantOptions } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { Alert, Name } from "../../components/page.js";
import { PAINTS, seatName } from "./board.js";
import * as form from "./form.js";
import { createSeries } from "./series.js";

/** @import { Values } from "../../components/forms.js" */
/** @import { Rounds, Series } from "./series.js" */
/** @typedef {{series: Series|null, rounds: Rounds|null}} Props a series, or null before there is one */

/** @param {Props} props the series while it is active */
function SetUp({ series, rounds }) {
  const isFixed = rounds !== null;
  const delay = rounds ? Math.round(rounds.delay * 1000) : form.delay.value;
  const nextDelay = rounds ? Math.round(rounds.next_delay * 1000) : form.nextDelay.value ?? delay;
  const changeNext = (/** @type {number} */ value) => {
    if (series) series.control({ next_delay: value / 1000 });
    else form.nextDelay.value = value;
  };
  return html`
    <section class="panel stack arena-setup" aria-labelledby="arena-setup">
      <h2 id="arena-setup">Setup</h2>
      <div class="arena-pair">
        ${[0, 1].map((at) => html`<${PlayerField} at=${at} fixed=${rounds?.players[at]} />`)}
      </div>
      <${VariantField} fixed=${rounds?.title} />
      <div class="arena-numbers">
        <${NumberField} label="Delay (ms)" low=${0} high=${form.MAX_DELAY} readonly=${isFixed} value=${delay}
          onNumber=${(/** @type {number} */ value) => { form.delay.value = value; }} />
        <${NumberField} label="Delay for the next round (ms)" low=${0} high=${form.MAX_DELAY} value=${nextDelay}
          onNumber=${changeNext} />
        <${NumberField} label="Number of rounds" low=${1} high=${form.MAX_ROUNDS} readonly=${isFixed}
          value=${rounds?.rounds ?? form.rounds.value}
          onNumber=${(/** @type {number} */ value) => { form.rounds.value = value; }} />
      </div>
    </section>`;
}

/** @param {{fixed: string|undefined}} props */
function VariantField({ fixed }) {
  const { name, values } = form.variant.value;
  if (fixed) return html`<p class="field"><span>Variant</span><strong>${fixed}</strong></p>`;
  const change = (/** @type {string} */ chosen, /** @type {Values} */ changed) => {
    form.variant.value = chosen === name ? { name, values: changed } : form.withTwoSeats(chosen);
  };
  return html`
    <${ChoiceField} label="Variant" name=${name} title=${form.variantInfo.value?.label} info=${form.variantInfo.value}
      values=${values} onChange=${change}><${VariantOptions} variants=${form.variants.value} /><//>`;
}

/** @param {{at: 0|1, fixed: string|undefined}} props */
function PlayerField({ at, fixed }) {
  const { name, values } = form.chosen[at].value;
  const label = html`<span class="row arena-seat">
    <${Stone} paint=${PAINTS[at]} size=${26} />Player for ${seatName(at)}</span>`;
  if (fixed) return html`<p class="field">${label}<strong><${Name} text=${fixed} /></strong></p>`;
  const change = (/** @type {string} */ chosen, /** @type {Values} */ changed) => {
    form.chosen[at].value = { name: chosen, values: changed };
  };
  const info = form.players.value.find((player) => player.name === name);
  return html`
    <${ChoiceField} label=${label} name=${name} title=${info && t(info.label)} info=${info}
      values=${values} onChange=${change}>
      ${form.players.value.map((player) => html`
        <option value=${player.name} disabled=${player.unsuited !== null} title=${player.unsuited ?? player.sentence}>
          ${t(player.label)}</option>`)}
    <//>`;
}

/** @param {Props} props */
export function Controls({ series, rounds }) {
  const { isBusy, problem, run } = useAction();
  useEffect(() => form.loadChoices((error) => { problem.value = sentenceOf(error); }), []);
  useEffect(() => {
    if (rounds && series?.isMine) form.adopt(rounds);
  }, [rounds, form.variants.value, form.players.value]);
  if (series && !series.isMine) {
    return html`
      <section class="panel stack tight arena-controls" aria-label="Controls">
        <${Progress} rounds=${rounds} />
        <p class="soft small">You are watching. Only the browser that started this series can control it.${" "}
          <a href="/arena">Start your own series</a></p>
      </section>`;
  }
  const phase = rounds?.phase;
  const isActive = phase === "ready" || phase === "running" || phase === "paused";
  const canBegin = !isBusy.value && phase !== "running";
  const create = (/** @type {"start"|"step"} */ first, tournament = false) => run(async () => {
    // Before the first game the round is 0, so the delay for the next round applies to the first one.
    const delay = (form.nextDelay.value ?? form.delay.value) / 1000;
    const setup = { spec: form.spec.value, players: form.playerSpecs(), rounds: form.rounds.value, tournament };
    const id = await createSeries({ ...setup, delay, next_delay: delay }, { do: first });
    form.nextDelay.value = null;
    go(`/arena/${id}`);
  });
  const begin = (/** @type {"start"|"step"} */ first) => (isActive ? series?.control({ do: first }) : create(first));
  const button = (
    /** @type {string} */ text, /** @type {boolean} */ isEnabled, /** @type {() => void} */ act, more = {},
  ) => html`<button type="button" class="button" disabled=${!isEnabled} onClick=${act} ...${more}>${text}</button>`;
  return html`
    <section class="panel stack arena-controls" aria-labelledby="arena-controls-title">
      <h2 id="arena-controls-title" class="visually-hidden">Controls</h2>
      <${Progress} rounds=${rounds} />
      <div class="arena-buttons" role="group" aria-labelledby="arena-controls-title">
        ${button(phase === "paused" ? "Resume" : "Start", canBegin, () => begin("start"), { class: "button primary" })}
        ${button("Pause", phase === "running", () => series?.control({ do: "pause" }))}
        ${button("Step", canBegin, () => begin("step"))}
        ${button("Stop", isActive, () => series?.control({ do: "stop" }))}
        ${button("Tournament", !isBusy.value && !isActive, () => create("start", true),
          { class: "button arena-tournament", "aria-describedby": "arena-tournament" })}
      </div>
      <p id="arena-tournament" class="soft small">A tournament is ten games; the players swap seats after five.</p>
      <${Alert} text=${problem.value} />
    </section>
    <${SetUp} series=${isActive ? series : null} rounds=${isActive ? rounds : null} />`;
}

const PHASES = {
  ready: "Ready to start.",
  running: "Running.",
  paused: "Paused.",
  stopped: "Stopped.",
  over: "Finished.",
};

/** @param {{rounds: Rounds|null}} props */
function Progress({ rounds }) {
  if (!rounds) return html`<p class="arena-progress soft" role="status">Nothing is running yet.</p>`;
  const isSwapped = rounds.seats[0] === 1 && rounds.phase !== "over" && rounds.phase !== "stopped";
  return html`
    <p class="arena-progress" role="status">
      <strong>${roundText(rounds)}</strong>${" "}<span class="soft">${PHASES[rounds.phase]}</span>
      ${isSwapped && html` <span class="tag">seats swapped</span>`}
    </p>`;
}

/** @param {Rounds} rounds */
export function roundText({ round, rounds }) {
  return round === 0 ? `Before round 1 of ${rounds}` : `Round ${round} of ${rounds}`;
}
