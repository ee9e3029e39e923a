/** The bar above the board: what is set up, the buttons that run it, and the two delays. */
import { sentenceOf, useAction } from "../../app/api.js";
import { html, useEffect } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { NumberField, OptionFields, Select, VariantOptions } from "../../components/forms.js";
import { Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import * as form from "./form.js";
import { seatName } from "./results.js";
import { createSeries } from "./series.js";

/** @import { Option, Paint } from "../../app/types.js" */
/** @import { Values } from "../../app/specs.js" */
/** @import { Rounds } from "../../app/messages.js" */
/** @import { Series } from "./series.js" */

/** @param {{paints: Paint[]}} props */
function SetUp({ paints }) {
  const change = (/** @type {string} */ name) => { form.variant.value = form.withTwoSeats(name); };
  const info = form.variantInfo.value;
  return html`
    <div class="arena-setup">
      ${[0, 1].map((at) => html`<${PlayerField} key=${at} at=${at} paint=${paints[at]} />`)}
      <div class="stack tight">
        <${Select} label=${t("Variant")} value=${form.variant.value.name} onChange=${change}>
          <${VariantOptions} variants=${form.variants.value} /><//>
        <${Options} title=${info ? t(info.label) : ""} options=${info?.options} choice=${form.variant} />
      </div>
      <${NumberField} label=${t("Number of rounds")} low=${1} high=${form.MAX_ROUNDS} value=${form.rounds.value}
        onNumber=${(/** @type {number} */ value) => { form.rounds.value = value; }} />
    </div>`;
}

/** @param {{at: number, paint: Paint|undefined}} props */
function PlayerField({ at, paint }) {
  const choice = form.chosen[at];
  const info = form.players.value.find(({ name }) => name === choice.value.name);
  const label = html`<span class="arena-label"><${Stone} paint=${paint} size=${20} />
    ${t("Player for {seat}", { seat: seatName(at) })}</span>`;
  return html`
    <div class="stack tight">
      <${Select} label=${label} value=${choice.value.name}
          onChange=${(/** @type {string} */ name) => { choice.value = { name, values: {} }; }}>
        ${form.players.value.map(({ name, label: called, sentence, unsuited }) => html`
          <option key=${name} value=${name} disabled=${unsuited !== null} title=${unsuited ?? t(sentence)}>${t(called)}</option>`)}
      <//>
      <${Options} title=${info ? t(info.label) : ""} options=${info?.options} choice=${choice} />
    </div>`;
}

/** @param {{title: string, options: Option[]|undefined, choice: import("../../app/html.js").Signal<form.Choice>}} props */
function Options({ title, options = [], choice }) {
  if (options.length === 0) return null;
  return html`<details class="choice-options"><summary>${t("Options for {name}", { name: title })}</summary>
    <${OptionFields} options=${options} values=${choice.value.values}
      onChange=${(/** @type {Values} */ values) => { choice.value = { ...choice.value, values }; }} />
  </details>`;
}

/**
 * The delay that counts now, and the one that the next round brings; both can be changed at any time.
 * @param {{series: Series|null, rounds: Rounds|null}} props the series while it is active
 */
function Delays({ series, rounds }) {
  const delay = rounds ? milliseconds(rounds.delay) : form.delay.value;
  const brought = rounds?.next_delay ?? null;
  const next = rounds ? brought && milliseconds(brought) : form.nextDelay.value;
  const isLast = rounds !== null && rounds.round >= rounds.rounds;
  const change = (/** @type {number} */ value) => {
    if (series) series.control({ delay: value / 1000 });
    else form.delay.value = value;
  };
  const changeNext = (/** @type {number|null} */ value) => {
    if (series) series.control({ next_delay: value === null ? null : value / 1000 });
    else form.nextDelay.value = value;
  };
  return html`
    <div class="arena-delays" role="group" aria-label=${t("Delays")} aria-describedby="arena-delays">
      <${NumberField} label=${t("Delay between moves (ms)")} low=${0} high=${form.MAX_DELAY} value=${delay}
        onNumber=${change} />
      <${NumberField} label=${t("Delay for the next round (ms)")} low=${0} high=${form.MAX_DELAY} value=${next}
        isOptional placeholder=${t("no change")} disabled=${isLast} onNumber=${changeNext} />
      <p id="arena-delays" class="soft small">${delaySentence(delay, next, rounds?.round || 1, isLast)}</p>
    </div>`;
}

const milliseconds = (/** @type {number} */ seconds) => Math.round(seconds * 1000);

/** A delay in words. @param {number} delay in ms */
const duration = (delay) => (delay < 1000
  ? t("{count} ms", { count: number(delay) })
  : t("{count} s", { count: number(delay / 1000, { maximumFractionDigits: 2 }) }));

/** What the two delays do. @type {(delay: number, next: number|null, round: number, isLast: boolean) => string} */
function delaySentence(delay, next, round, isLast) {
  const values = { delay: duration(delay), round: number(round), next: duration(next ?? 0), following: number(round + 1) };
  if (isLast) return t("{delay} between moves in this round, the last one.", values);
  if (next === null) return t("{delay} between moves, now and in every round to come.", values);
  return t("{delay} between moves in round {round}, {next} from round {following} on.", values);
}

/** @param {{series: Series|null, rounds: Rounds|null, paints: Paint[]}} props */
export function Controls({ series, rounds, paints }) {
  const { isBusy, problem, run } = useAction();
  useEffect(() => form.loadChoices((error) => { problem.value = sentenceOf(error); }), []);
  useEffect(() => {
    if (rounds && series?.isMine) form.adopt(rounds);
  }, [rounds, form.variants.value, form.players.value]);
  if (series && !series.isMine) {
    return html`
      <section class="panel arena-controls watching" aria-label=${t("Controls")}>
        <${Progress} rounds=${rounds} />
        <p class="soft small">${t("You are watching. Only the browser that started this series can control it.")}${" "}
          <a href="/arena">${t("Start your own series")}</a></p>
      </section>`;
  }
  const phase = rounds?.phase;
  const isActive = phase === "ready" || phase === "running" || phase === "paused";
  const canBegin = !isBusy.value && phase !== "running";
  const create = (/** @type {"start"|"step"} */ first, isTenGames = false) => run(async () => {
    const next = form.nextDelay.value;
    const id = await createSeries({
      spec: form.spec.value, players: form.playerSpecs(), rounds: form.rounds.value, tournament: isTenGames,
      delay: form.delay.value / 1000, next_delay: next === null ? null : next / 1000,
    }, { do: first });
    form.nextDelay.value = null;
    go(`/arena/${id}`);
  });
  const begin = (/** @type {"start"|"step"} */ first) => (isActive ? series?.control({ do: first }) : create(first));
  const button = (
    /** @type {string} */ icon, /** @type {string} */ text, /** @type {boolean} */ isEnabled, /** @type {() => void} */ act, more = {},
  ) => html`<button type="button" class="button" disabled=${!isEnabled} onClick=${act} ...${more}>
    <${Icon} name=${icon} />${text}</button>`;
  return html`
    <section class=${`panel arena-controls ${isActive ? "active" : ""}`} aria-labelledby="arena-controls-title">
      <h2 id="arena-controls-title" class="visually-hidden">${t("Controls")}</h2>
      ${!isActive && html`<${SetUp} paints=${paints} />`}
      <div class="arena-run">
        <${Progress} rounds=${rounds} />
        <div class="arena-buttons" role="group" aria-labelledby="arena-controls-title">
          ${button("play", phase === "paused" ? t("Resume") : t("Start"), canBegin, () => begin("start"), { class: "button primary" })}
          ${button("pause", t("Pause"), phase === "running", () => series?.control({ do: "pause" }))}
          ${button("on", t("Step"), canBegin, () => begin("step"))}
          ${button("stop", t("Stop"), isActive, () => series?.control({ do: "stop" }))}
          ${!isActive && button("again", t("Ten games"), !isBusy.value, () => create("start", true),
            { class: "button arena-ten-games", "aria-describedby": "arena-ten-games" })}
        </div>
        ${!isActive && html`<p id="arena-ten-games" class="soft small">
          ${t("The players swap seats after five games.")}</p>`}
      </div>
      <${Delays} series=${isActive ? series : null} rounds=${isActive ? rounds : null} />
      <${Alert} text=${problem.value} />
    </section>`;
}

/** @param {Rounds["phase"]} phase */
function phaseName(phase) {
  return {
    ready: t("Ready to start."), running: t("Running."), paused: t("Paused."), stopped: t("Stopped."), over: t("Finished."),
  }[phase];
}

/** @param {{rounds: Rounds|null}} props */
function Progress({ rounds }) {
  if (!rounds) return html`<p class="arena-progress soft" role="status">${t("Nothing is running yet.")}</p>`;
  const isSwapped = rounds.seats[0] === 1 && rounds.phase !== "over" && rounds.phase !== "stopped";
  return html`
    <p class="arena-progress" role="status">
      <strong>${roundText(rounds)}</strong>${" "}<span class="soft">${phaseName(rounds.phase)}</span>
      ${isSwapped && html` <span class="tag">${t("seats swapped")}</span>`}
    </p>`;
}

/** @param {{round: number, rounds: number}} series */
export function roundText({ round, rounds }) {
  return round === 0
    ? plural(rounds, "Before the only round", "Before round 1 of {count}")
    : t("Round {round} of {rounds}", { round: number(round), rounds: number(rounds) });
}
