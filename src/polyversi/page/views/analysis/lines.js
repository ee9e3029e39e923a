/** The engine: its switch, how far it has come, the best lines, and what a move is worth to every seat. */
import { html, signal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { load, save } from "../../app/storage.js";
import { NumberInput } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { common } from "../../app/words.js";
import { standingWords } from "./bar.js";
import { isShown } from "./board.js";
import { valueOf } from "./model.js";
import { certainty, figure, seatName, shortMove, standing, toneOf } from "./text.js";

/** @import { Values } from "../../app/messages.js" */
/** @import { MoveValue } from "./engine.js" */
/** @import { AnalysisModel } from "./model.js" */

const MOST = 30;
/** Moves of a line that are shown. */
const LONGEST = 24;
/** How many lines are shown, which is remembered. */
const wanted = signal(Math.min(MOST, Math.max(0, Number(load("analysis.lines") ?? 3))));

/** The switch of the engine. @param {{model: AnalysisModel}} props */
function Switch({ model }) {
  const toggle = () => { model.isOn.value = !model.isOn.value; };
  return html`<button type="button" class="switch" role="switch" aria-checked=${model.isOn.value} onClick=${toggle}
    title=${t("Engine on or off (E)")}><span class="switch-track" aria-hidden="true"></span>${t("Engine")}</button>`;
}

/** The arrows go along a line, so that Tab need not. @param {KeyboardEvent} event */
function walk(event) {
  const at = /** @type {HTMLElement} */ (event.target);
  const next = { ArrowLeft: at.previousElementSibling, ArrowRight: at.nextElementSibling }[event.key];
  if (next === undefined) return;
  event.preventDefault();
  /** @type {HTMLElement|null} */ (next)?.focus();
}

/**
 * A line of moves; pointing at one of them plays the line out on the board.
 * @param {{model: AnalysisModel, values: Values, best: MoveValue}} props
 */
function Line({ model, values, best }) {
  const moves = best.line.length ? best.line.slice(0, LONGEST) : [best.move];
  const tone = toneOf(values.moves[0].value - best.value, values);
  const end = () => model.show([]);
  return html`
    <li class="line"><span class=${`line-value number tone-${tone} ${best.exact ? "exact" : ""}`}
        title=${certainty(best)}>${figure(best.value, values.unit)}<span class="visually-hidden">, ${certainty(best)}</span></span>
      <span class="line-moves" onPointerLeave=${end} onKeyDown=${walk}>${moves.map((move, at) => {
        const show = () => {
          model.pointed.value = best.move;
          model.show(moves.slice(0, at + 1));
        };
        return html`<button key=${at} type="button" class="line-move number" tabindex=${at ? -1 : 0}
          onPointerEnter=${show} onFocus=${show} onBlur=${end} onClick=${() => model.playAll(moves.slice(0, at + 1))}>${shortMove(move)}</button>`;
      })}</span></li>`;
}

/** What a move is worth to every seat, where that is more than two numbers. @param {{model: AnalysisModel, values: Values}} props */
function Points({ model, values }) {
  const best = valueOf(values, model.pointed.value) ?? values.moves[0];
  if (!best?.points) return null;
  return html`<table class="points"><caption class="small soft">${t("Expected rank points after {move}", { move: shortMove(best.move) })}</caption>
    <thead><tr>${best.points.map((_, at) => html`<th key=${at} scope="col">
      <${Stone} paint=${model.description.plan.seats[at]} size=${18} />
      <span class="visually-hidden">${seatName(model, at + 1)}</span></th>`)}</tr></thead>
    <tbody><tr>${best.points.map((one, at) => html`<td key=${at} class=${`number ${model.current.value.turn === at + 1 ? "mover" : ""}`}>
      ${figure(one, "points")}</td>`)}</tr></tbody></table>`;
}

/** How far the engine has come. @type {(model: AnalysisModel, values: Values|null) => string} */
function progress(model, values) {
  const state = model.engine.connection.state.value;
  if (state === "lost") return common.reconnecting;
  if (!values?.moves.length) {
    return values?.wait ? t("The server is busy: about {seconds} s", { seconds: number(Math.ceil(values.wait)) }) : t("Thinking…");
  }
  if (values.done || values.exact) return certainty(values);
  return [certainty(values), values.wait ? t("more in about {seconds} s", { seconds: number(Math.ceil(values.wait)) }) : "…"].join(" ");
}

/** @param {{model: AnalysisModel}} props */
export function Lines({ model }) {
  const node = model.current.value;
  const [isOn, values] = [model.isOn.value, isShown(model) ? model.values.value : null];
  const unable = model.engine.unable.value;
  const isJudged = isOn && !node.over && !unable;
  const stands = isOn && !unable ? standingWords(model, isShown(model) ? standing(model, node) : null) : "";
  const change = (/** @type {number} */ count) => {
    wanted.value = count;
    save("analysis.lines", count);
  };
  return html`
    <section class="engine panel" aria-label=${t("Engine")}>
      <div class="engine-head"><${Switch} model=${model} />
        ${stands && html`<div class="engine-told"><strong class="number">${stands}</strong>
          ${isJudged && html`<p class="small soft engine-progress">${progress(model, model.values.value)}</p>`}</div>`}
        <label class="engine-lines small soft">${t("Lines")}
          <${NumberInput} value=${wanted.value} low=${0} high=${MOST} onNumber=${change} /></label></div>
      ${isOn && node.over && html`<p class="small soft">${t("The game is over here.")}</p>`}
      ${isOn && unable && html`<p class="small unable">${unable}</p>`}
      <${Alert} text=${model.engine.problem.value} look="small" />
      ${isJudged && values && html`
        ${values.unit === "points" && html`<${Points} model=${model} values=${values} />`}
        <ol class="lines" aria-label=${t("Best lines")}>${values.moves.slice(0, wanted.value).map((best) => html`
          <${Line} key=${best.move} model=${model} values=${values} best=${best} />`)}</ol>`}
    </section>`;
}
