/** The review of a game: each player's accuracy and mistakes, the turning points, and the way from mistake to mistake. */
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { JUDGEMENTS, lossText, nameOf, shortMove } from "./text.js";

/** @import { Review } from "./engine.js" */
/** @import { AnalysisModel } from "./model.js" */

/** @param {{model: AnalysisModel, review: Review}} props */
function Totals({ model, review }) {
  const marks = Object.keys(JUDGEMENTS);
  return html`<table class="totals"><caption class="visually-hidden">${t("Accuracy")}</caption>
    <thead><tr><th scope="col">${t("Player")}</th><th scope="col">${t("Accuracy")}</th><th scope="col">${t("Loss a move")}</th>
      ${marks.map((mark) => html`<th key=${mark} scope="col" title=${JUDGEMENTS[mark]()}><span aria-hidden="true">${mark}</span>
        <span class="visually-hidden">${JUDGEMENTS[mark]()}</span></th>`)}</tr></thead>
    <tbody>${review.totals.map(({ seat, accuracy, mean_loss: mean, counts }) => html`<tr key=${seat}>
      <th scope="row"><span class="totals-who"><${Stone} paint=${model.description.plan.seats[seat - 1]} size=${18} />
        <span class="elided" title=${nameOf(model, seat)}>${nameOf(model, seat)}</span></span></th>
      <td class="number">${accuracy === null || accuracy === undefined ? "–" : t("{percent}%", { percent: number(Math.round(accuracy)) })}</td>
      <td class="number">${number(mean, { maximumFractionDigits: 1 })}</td>
      ${counts.map((count, at) => html`<td key=${at} class="number">${number(count)}</td>`)}</tr>`)}</tbody></table>`;
}

/** The moves that decided the game. @param {{model: AnalysisModel, review: Review}} props */
function TurningPoints({ model, review }) {
  const line = model.root.line();
  const nodes = review.turning_points.map((ply) => line[ply]).filter(Boolean);
  if (!nodes.length) return null;
  return html`<p class="turning"><span class="soft small">${t("Turning points")}</span>
    ${nodes.map((node) => html`<button key=${node.id} type="button" class="button" onClick=${() => model.go(node)}>
      <span class="number">${number(node.ply)}. ${shortMove(node.move)}${node.reviewed?.mark ?? ""}</span></button>`)}</p>`;
}

/** @param {{model: AnalysisModel}} props */
function Progress({ model }) {
  const review = model.engine.review.value;
  const [done, plies] = [review?.done ?? 0, review?.plies ?? model.root.line().length - 1];
  return html`<div class="review-progress stack tight">
    <label class="field"><span>${t("{done} of {count} moves reviewed", { done: number(done), count: number(plies) })}</span>
      <progress max=${plies || 1} value=${done}></progress></label>
    <button type="button" class="button" onClick=${() => model.engine.stopReview()}><${Icon} name="stop" />${t("Stop the review")}</button></div>`;
}

/** The way from mistake to mistake. @param {{model: AnalysisModel}} props */
export function Mistakes({ model }) {
  const ply = model.current.value.ply;
  const found = model.mistakes;
  if (!found.length) return null;
  const step = (/** @type {1|-1} */ by, /** @type {string} */ icon, /** @type {string} */ label) => html`
    <button type="button" class="button" disabled=${!found.some((node) => (by > 0 ? node.ply > ply : node.ply < ply))}
      onClick=${() => model.goToMistake(by)}><${Icon} name=${icon} />${label}</button>`;
  return html`<div class="row mistakes" role="group" aria-label=${t("Mistakes")}>
    ${step(-1, "back", t("Previous mistake"))}${step(1, "on", t("Next mistake"))}</div>`;
}

/** @param {{model: AnalysisModel}} props */
export function ReviewPanel({ model }) {
  const { engine } = model;
  const review = engine.review.value;
  const isRunning = engine.reviewing.value > 0;
  const isWhole = review && review.done >= review.plies;
  model.watch();
  const count = model.root.line().length - 1;
  const begin = () => model.startReview();
  return html`<div class="review stack">
    ${!isRunning && !isWhole && html`
      <p class="small soft">${t("Every move is compared with the best one: what it costs, and who played how well.")}</p>
      <button type="button" class="button primary" disabled=${!count || Boolean(engine.unable.value)} onClick=${begin}>
        <${Icon} name="check" />${review ? t("Go on with the review") : t("Review the game")}</button>`}
    ${engine.unable.value && html`<p class="small unable">${engine.unable.value}</p>`}
    <${Alert} text=${engine.reviewProblem.value} look="small" />
    ${isRunning && html`<${Progress} model=${model} />`}
    ${review && html`
      <${Totals} model=${model} review=${review} />
      <${TurningPoints} model=${model} review=${review} />
      <${Mistakes} model=${model} />
      <p class="small soft">${t("?! costs {one} or more, ? {two} or more, ?? {three} or more.", {
        one: lossText(review.thresholds[0]), two: lossText(review.thresholds[1]), three: lossText(review.thresholds[2]) })}
        ${isWhole ? ` ${plural(model.mistakes.length, "{count} move is marked.", "{count} moves are marked.")}` : ""}</p>`}
  </div>`;
}
