/** A proof, watched while it is found: how each first move ends with best play, between bounds that close. */
import { html } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { Icon } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { figure, seatName, shortMove } from "./text.js";

/** @import { Proof } from "./engine.js" */
/** @import { AnalysisModel } from "./model.js" */
/** @import { Node } from "./nodes.js" */

/** Positions with more free cells than this are never proved while somebody watches. */
const MOST_FREE = 34;

/** Whether a proof of a position may end. @type {(model: AnalysisModel, node: Node) => boolean} */
export const canProve = (model, node) => model.description.seats === 2 && !model.description.has_stocks && !node.over
  && model.positionOf(node).tiles.filter((tile) => tile === 0).length <= MOST_FREE;

/** How a position ends with best play: the best of the moves. @param {Proof} proof */
const outcome = ({ moves }) => ({
  low: Math.max(...moves.map(({ low }) => low)), high: Math.max(...moves.map(({ high }) => high)) });

/** @param {{model: AnalysisModel, proof: Proof, cells: number}} props */
function Bounds({ model, proof, cells }) {
  const place = (/** @type {number} */ value) => 50 + (50 * value) / cells;
  const width = (/** @type {number} */ low, /** @type {number} */ high) => (/** @type {HTMLElement|null} */ part) => {
    if (!part) return;
    part.style.left = `${place(low)}%`;
    part.style.width = `${Math.max(place(high) - place(low), 1.5)}%`;
  };
  return html`<table class="bounds"><caption class="visually-hidden">${t("Bounds of each move")}</caption>
    <thead><tr><th scope="col">${t("Move")}</th><th scope="col">${t("Bounds")}</th><th scope="col" aria-hidden="true"></th></tr></thead>
    <tbody>${proof.moves.map(({ move, low, high }) => html`<tr key=${move}>
      <th scope="row"><button type="button" class="line-move number" onClick=${() => model.play(move)}>${shortMove(move)}</button></th>
      <td class="number">${low === high ? figure(low, "stones") : t("{low} to {high}", { low: figure(low, "stones"), high: figure(high, "stones") })}</td>
      <td aria-hidden="true"><span class="bound"><span class=${low === high ? "closed" : ""} ref=${width(low, high)}></span></span></td></tr>`)}</tbody></table>`;
}

/** @param {{model: AnalysisModel}} props */
export function ProofPanel({ model }) {
  const node = model.current.value;
  const { engine } = model;
  const found = engine.proof.value?.position === node.position ? engine.proof.value : null;
  const proof = found?.proof;
  const isRunning = engine.isProving && found !== null;
  const { low, high } = proof?.moves.length ? outcome(proof) : { low: -1, high: 1 };
  const name = seatName(model, low >= 0 ? node.turn : 3 - node.turn);
  return html`<div class="proof stack">
    <p class="small soft">${t("A proof searches the rest of the game to its end: no estimate, nothing left out.")}</p>
    ${isRunning
      ? html`<button type="button" class="button" onClick=${() => engine.stopProof()}><${Icon} name="stop" />${t("Stop the proof")}</button>`
      : html`<button type="button" class="button primary" onClick=${() => engine.prove(node)}>${t("Prove this position")}</button>`}
    <${Alert} text=${found?.problem ?? ""} look="small" />
    ${proof && html`
      ${proof.moves.length > 0 && low === high && html`<p class="proof-result"><strong>${low === 0
        ? t("Proved: with best play it is a draw.")
        : t("Proved: with best play {name} wins by {count}.", { name, count: number(Math.abs(low)) })}</strong></p>`}
      <p class="small number soft">${t("{nodes} nodes in {seconds} s", { nodes: number(proof.nodes), seconds: number(proof.seconds, { maximumFractionDigits: 1 }) })}</p>
      <${Bounds} model=${model} proof=${proof} cells=${model.description.plan.names.length} />`}
  </div>`;
}
