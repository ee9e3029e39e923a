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

/** @param {{model: AnalysisModel, node: Node, proof: Proof}} props */
function Bounds({ model, node, proof }) {
  const cells = model.description.plan.names.length;
  const play = async (/** @type {string} */ move) => {
    await model.go(node);
    await model.play(move);
  };
  const place = (/** @type {number} */ value) => 50 + (50 * value) / cells;
  const width = (/** @type {number} */ low, /** @type {number} */ high) => (/** @type {HTMLElement|null} */ part) => {
    if (!part) return;
    part.style.left = `${place(low)}%`;
    part.style.width = `${Math.max(place(high) - place(low), 1.5)}%`;
  };
  return html`<table class="bounds"><caption class="visually-hidden">${t("Bounds of each move")}</caption>
    <thead><tr><th scope="col">${t("Move")}</th><th scope="col">${t("Bounds")}</th><th scope="col" aria-hidden="true"></th></tr></thead>
    <tbody>${proof.moves.map(({ move, same, low, high }) => html`<tr key=${move}>
      <th scope="row">${[move, ...same].map((one) => html`
        <button key=${one} type="button" class="line-move number" onClick=${() => play(one)}>${shortMove(one)}</button>`)}</th>
      <td class="number">${low === high ? figure(low, "stones")
        : t("{low} to {high}", { low: figure(low, "stones"), high: figure(high, "stones") })}</td>
      <td aria-hidden="true"><span class="bound"><span class=${low === high ? "closed" : ""} ref=${width(low, high)}></span></span></td>
    </tr>`)}</tbody></table>`;
}

/** What is proved of a position in a sentence; empty while nothing is. @type {(model: AnalysisModel, node: Node, proof: Proof) => string} */
function result(model, node, proof) {
  const { low, high, solved } = proof;
  if (!solved || low !== high) return "";
  if (!low) return t("Proved: with best play it is a draw.");
  const name = seatName(model, low > 0 ? node.turn : 3 - node.turn);
  return t("Proved: with best play {name} wins by {count}.", { name, count: number(Math.abs(low)) });
}

/** @param {{model: AnalysisModel}} props */
export function ProofPanel({ model }) {
  const now = model.current.value;
  const { engine } = model;
  const shown = engine.proof.value;
  const found = shown?.found;
  const isElsewhere = shown && shown.node !== now;
  return html`<div class="proof stack tight">
    <p class="small soft">${t("A proof searches the rest of the game to its end: no estimate, nothing left out.")}</p>
    <div class="row">
      ${shown?.isRunning
        ? html`<button type="button" class="button" onClick=${() => engine.stopProof()}><${Icon} name="stop" />${t("Stop the proof")}</button>`
        : canProve(model, now) && html`<button type="button" class="button primary" onClick=${() => engine.prove(now)}>
            ${t("Prove this position")}</button>`}
      ${isElsewhere && html`<button type="button" class="button" onClick=${() => model.go(shown.node)}>
        ${t("Go to the position of the proof")}</button>`}</div>
    <${Alert} text=${shown?.problem ?? ""} look="small" />
    ${shown && found && html`
      <p class="proof-result" role="status"><strong>${result(model, shown.node, found)}</strong></p>
      <p class="small number soft">${t("{nodes} nodes in {seconds} s", {
        nodes: number(found.nodes), seconds: number(found.seconds, { maximumFractionDigits: 1 }) })}</p>
      <${Bounds} model=${model} node=${shown.node} proof=${found} />`}
  </div>`;
}
