/** The move that was played against the best one: what it cost, why, and the way to try again. */
import { post, useAction } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Icon } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { said } from "../../components/rules.js";
import { figure, JUDGEMENTS, lossText, shortMove } from "./text.js";

/** @import { Sentence } from "../../app/types.js" */
/** @import { AnalysisModel } from "./model.js" */
/** @import { Node } from "./nodes.js" */

/** What the better move keeps, in sentences that the server has worked out. @param {{model: AnalysisModel, node: Node}} props */
function Reasons({ model, node }) {
  const found = useSignal(/** @type {Sentence[]|null} */ (null));
  const { isBusy, problem, run } = useAction();
  const ask = () => run(async () => {
    const { reviewed, parent } = node;
    if (!reviewed || !parent) return;
    const best = { move: reviewed.best, line: reviewed.line };
    const answer = await post("/api/analysis/why", { ...model.game, position: parent.position, move: node.move, best });
    found.value = answer.reasons;
  });
  if (found.value) {
    return html`<ul class="reasons">${found.value.map((reason, index) => html`<li key=${index}>${said(reason)}</li>`)}
      ${!found.value.length && html`<li>
        ${t("No corner, no safe stones, no parity and no mobility tell them apart: only the line shows it.")}</li>`}</ul>`;
  }
  return html`<button type="button" class="button" disabled=${isBusy.value} onClick=${ask}><${Icon} name="help" />${t("Why?")}</button>
    <${Alert} text=${problem.value} look="small" />`;
}

/** What a review says of the move that led here. @param {{model: AnalysisModel}} props */
export function Judgement({ model }) {
  const node = model.current.value;
  model.watch();
  const { reviewed } = node;
  if (!reviewed?.mark || !node.parent || model.trial.value) return null;
  const unit = model.engine.review.value?.unit ?? "stones";
  const before = node.parent;
  const line = reviewed.line.length ? reviewed.line : [reviewed.best];
  const show = async () => {
    await model.go(before);
    await model.playAll(line);
  };
  return html`
    <section class="judgement panel" aria-label=${t("Judgement")}>
      <p><strong>${shortMove(node.move)}${reviewed.mark} ${common.capital(JUDGEMENTS[reviewed.mark]())}:</strong>${" "}
        ${t("it loses {loss}; {best} is worth {value}.", {
          loss: lossText(reviewed.loss), best: shortMove(reviewed.best), value: figure(reviewed.best_value, unit) })}
        ${reviewed.exact && html` <span class="tag good">${t("exact")}</span>`}</p>
      <div class="row">
        <button type="button" class="button" onClick=${show}><${Icon} name="branch" />${t("Better line")}</button>
        <button type="button" class="button" onClick=${() => model.tryAgain(node)}><${Icon} name="again" />${t("Try again here")}</button>
        <${Reasons} key=${node.id} model=${model} node=${node} />
      </div>
    </section>`;
}

/** A move that is to be found. @param {{model: AnalysisModel}} props */
export function Trial({ model }) {
  const trial = model.trial.value;
  useEffect(() => { if (trial) document.querySelector("#trial")?.scrollIntoView({ block: "nearest" }); }, [trial === null]);
  if (!trial) return null;
  const played = trial.node.children.find(({ reviewed }) => reviewed?.mark);
  const end = () => { model.trial.value = null; };
  const hasNext = played && model.mistakes.some((node) => node.ply > played.ply);
  const next = () => {
    const found = model.mistakes.find((node) => played && node.ply > played.ply);
    if (found) model.tryAgain(found);
  };
  const answer = trial.isRight === null
    ? trial.tried ? t("Judging {move}…", { move: shortMove(trial.tried) })
      : t("Find a better move than {move}", { move: shortMove(played?.move ?? "") })
    : trial.isRight ? trial.loss > 0
      ? t("{move} is good: it loses {loss} against the best.", { move: shortMove(trial.tried), loss: lossText(trial.loss) })
      : t("{move} is right: nothing is better.", { move: shortMove(trial.tried) })
      : t("{move} loses {loss}. Try another one.", { move: shortMove(trial.tried), loss: lossText(trial.loss) });
  return html`
    <section id="trial" class=${`trial panel ${trial.isRight === null ? "" : trial.isRight ? "right" : "wrong"}`} aria-label=${t("Try again here")}>
      <p><strong>${trial.isRight ? html`<${Icon} name="check" />` : ""}${answer}</strong></p>
      <div class="row">
        ${hasNext && html`<button type="button" class="button primary" onClick=${next}>${t("Next mistake")}</button>`}
        <button type="button" class="button" onClick=${end}>${trial.isRight ? t("Close") : t("Show the values")}</button>
      </div>
    </section>`;
}
