/** The analysis view: a board on which everything can be tried, with what every move is worth. */
import { useVariants, sentenceOf } from "../../app/api.js";
import { isTyping, useTitle, valueOf } from "../../app/dom.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { ZoomButtons } from "../../components/board.js";
import { VariantOptions } from "../../components/forms.js";
import { Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { Steps } from "../../components/replay.js";
import { Bar } from "./bar.js";
import { BoardArea } from "./board.js";
import { connect } from "./engine.js";
import { Explorer } from "./explorer.js";
import { Graph } from "./graph.js";
import { Lines } from "./lines.js";
import { AnalysisModel } from "./model.js";
import { canProve, ProofPanel } from "./proof.js";
import { ReviewPanel } from "./review.js";
import { sourceOf } from "./sources.js";
import { StudyMenu } from "./study.js";
import { nameOf, openingOf } from "./text.js";
import { Tree } from "./tree.js";
import { Judgement, Trial } from "./why.js";

/** @import { Board } from "../../board/board.js" */
/** @import { Params } from "../../app/router.js" */
/** @import { Signal } from "../../app/html.js" */
/** @import { Node } from "./nodes.js" */

/** @typedef {"moves"|"review"|"explorer"|"proof"} Tab */

/**
 * What a key does, outside fields and menus.
 * @type {(model: AnalysisModel, board: Board|null, commenting: Signal<Node|null>) => Record<string, () => unknown>}
 */
function keysOf(model, board, commenting) {
  const ply = model.current.value.ply;
  const pass = model.current.value.legal.find(([, cell]) => cell < 0);
  return {
    "ArrowLeft": () => model.goTo(ply - 1),
    "ArrowRight": () => model.goTo(ply + 1),
    "ArrowUp": () => model.goBeside(-1),
    "ArrowDown": () => model.goBeside(1),
    "Home": () => model.goTo(0),
    "End": () => model.goTo(Infinity),
    "[": () => model.goTo(ply - 1),
    "]": () => model.goTo(ply + 1),
    "{": () => model.goBeside(-1),
    "}": () => model.goBeside(1),
    "e": () => { model.isOn.value = !model.isOn.value; },
    "n": () => model.goToMistake(1),
    "N": () => model.goToMistake(-1),
    "c": () => { commenting.value = model.current.value; },
    "b": () => board?.focus(),
    ...(pass ? { "p": () => model.play(pass[0]) } : {}),
  };
}

/** @type {(model: AnalysisModel, board: {current: Board|null}, commenting: Signal<Node|null>) => void} */
function useKeys(model, board, commenting) {
  useEffect(() => {
    const stop = new AbortController();
    addEventListener("keydown", (event) => {
      const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event);
      const isTab = event.target instanceof Element && event.target.closest("[role=tablist]");
      if (isElsewhere || isTab || document.querySelector("dialog[open]")) return;
      const act = keysOf(model, board.current, commenting)[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }, { signal: stop.signal });
    return () => stop.abort();
  }, [model]);
}

/** What is played, the opening, and the ways to other games. @param {{model: AnalysisModel, spec: string, children?: any}} props */
function Heading({ model, spec, children }) {
  const variants = useVariants();
  const opening = openingOf(model.current.value);
  const known = variants.some(({ name }) => name === spec);
  return html`<header class="analysis-head"><div><h1>${t(model.description.title)}</h1><p class="analysis-opening small">${opening}</p></div>${children}
    <label class="analysis-variant"><span class="visually-hidden">${t("Variant")}</span>
      <select value=${known ? spec : ""}
        onChange=${(/** @type {Event} */ event) => go(`/analysis?spec=${encodeURIComponent(valueOf(event))}`)}>
        ${!known && html`<option value="">${t("Variant")}</option>`}<${VariantOptions} variants=${variants} /></select></label>
  </header>`;
}

/** The players with their stones. @param {{model: AnalysisModel}} props */
function Seats({ model }) {
  const { scores, turn, over } = model.current.value;
  const position = model.positionOf(model.current.value);
  return html`<ul class="analysis-seats" aria-label=${t("Players")}>${model.description.plan.seats.map((paint, at) => html`
    <li key=${at} class=${!over && turn === at + 1 ? "turn" : ""}><${Stone} paint=${paint} size=${18} />
      <span class="elided" title=${nameOf(model, at + 1)}>${nameOf(model, at + 1)}</span>
      ${!over && turn === at + 1 && html`<span class="visually-hidden">${t("to move")}</span>`}
      ${position.bombs.length > 0 && html`<span class="soft small number">${position.overrides[at]}/${position.bombs[at]}</span>`}
      <strong class="number">${scores[at]}</strong></li>`)}</ul>`;
}

/** The panels beside the board, one at a time. @param {{model: AnalysisModel, tab: Signal<Tab>, commenting: Signal<Node|null>}} props */
function Panels({ model, tab, commenting }) {
  /** @type {[Tab, string][]} */
  const tabs = [["moves", t("Moves")], ["review", t("Review")], ["explorer", t("Explorer")]];
  if (canProve(model, model.current.value) || model.engine.proof.value) tabs.push(["proof", t("Proof")]);
  const chosen = tabs.some(([name]) => name === tab.value) ? tab.value : "moves";
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = (tabs.findIndex(([name]) => name === chosen) + step + tabs.length) % tabs.length;
    tab.value = tabs[at][0];
    document.getElementById(`tab-${tabs[at][0]}`)?.focus();
  };
  return html`<div class="analysis-panels">
    <div class="tabs" role="tablist" aria-label=${t("Panels")} onKeyDown=${turn}>${tabs.map(([name, text]) => html`
      <button key=${name} type="button" id=${`tab-${name}`} role="tab" aria-selected=${name === chosen} aria-controls="panel"
        tabindex=${name === chosen ? 0 : -1} onClick=${() => { tab.value = name; }}>${text}</button>`)}</div>
    <div id="panel" class=${`tab-panel ${chosen}`} role="tabpanel" aria-labelledby=${`tab-${chosen}`}>
      ${chosen === "moves" && html`<${Tree} model=${model} commenting=${commenting} />`}
      ${chosen === "review" && html`<${ReviewPanel} model=${model} />`}
      ${chosen === "explorer" && html`<${Explorer} model=${model} />`}
      ${chosen === "proof" && html`<${ProofPanel} model=${model} />`}
    </div></div>`;
}

/** Steps, and what one does most. @param {{model: AnalysisModel, tab: Signal<Tab>}} props */
function Controls({ model, tab }) {
  const line = model.line.value;
  const goTo = (/** @type {number} */ ply) => { model.goTo(ply); };
  const replayed = { plies: { value: line.slice(1) }, viewedPly: { value: model.current.value.ply }, goTo };
  const pass = model.current.value.legal.find(([, cell]) => cell < 0);
  const review = () => {
    tab.value = "review";
    if (!model.engine.review.value && !model.engine.reviewing.value) model.startReview();
  };
  return html`<div class="analysis-controls">
    <${Steps} model=${replayed} />
    ${pass && html`<button type="button" class="button" onClick=${() => model.play(pass[0])}><${Icon} name="skip" />${t("Pass")}</button>`}
    ${model.root.children.length > 0 && !model.engine.unable.value && html`
      <button type="button" class="button" onClick=${review}><${Icon} name="check" />${t("Review")}</button>`}
    <${StudyMenu} key=${model.study} model=${model} />
  </div>`;
}

/** @param {{model: AnalysisModel, spec: string}} props */
function Analysis({ model, spec }) {
  const board = useRef(/** @type {Board|null} */ (null));
  const zoom = useSignal({ scale: 1, maxScale: 1 });
  const tab = useSignal(/** @type {Tab} */ ("moves"));
  const commenting = useSignal(/** @type {Node|null} */ (null));    // the move whose comment is written
  useKeys(model, board, commenting);
  const { width, height } = model.description.plan;
  const shape = (/** @type {HTMLElement|null} */ ground) => ground?.style.setProperty("--board-shape", String(width / height));
  useTitle(t("{variant}, analysis", { variant: t(model.description.title) }));
  return html`<div class=${`analysis ${model.description.seats === 2 ? "pair" : "many"}`}>
    <div class="analysis-ground" ref=${shape}>
      <${Bar} model=${model} /><${BoardArea} model=${model} board=${board} zoom=${zoom} /></div>
    <div class="analysis-side">
      <${Heading} model=${model} spec=${spec}>
        <${ZoomButtons} board=${board} zoom=${zoom} cells=${model.description.plan.x.length} look="quiet" /><//>
      <${Seats} model=${model} />
      <${Alert} text=${model.problem.value} look="small" />
      <${Trial} model=${model} />
      <${Lines} model=${model} />
      <${Judgement} model=${model} />
      <${Panels} model=${model} tab=${tab} commenting=${commenting} />
      ${model.line.value.length > 1 && html`<${Graph} model=${model} />`}
    </div>
    <div class="analysis-foot"><${Controls} model=${model} tab=${tab} /></div>
  </div>`;
}

/** The model of what the address names, for as long as it does. @type {(params: Params) => {model: AnalysisModel|null, problem: string}} */
function useAnalysis({ id, query }) {
  const found = useSignal({ model: /** @type {AnalysisModel|null} */ (null), problem: "" });
  useEffect(() => {
    let isHere = true;
    const link = connect();    // while the positions are on their way
    /** @type {AnalysisModel|null} */
    let made = null;
    sourceOf({ id, query }).then((source) => {
      if (!isHere) return;
      made = new AnalysisModel(source, link);
      found.value = { model: made, problem: "" };
    }, (error) => {
      link.connection.close();
      if (isHere) found.value = { model: null, problem: sentenceOf(error) };
    });
    return () => {
      isHere = false;
      made?.close();
      link.connection.close();
    };
  }, [id, query]);
  return found.value;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const { model, problem } = useAnalysis(params);
  useTitle(t("Analysis"));
  if (model) return html`<${Analysis} key=${model.root.id} model=${model} spec=${model.game.spec} />`;
  return html`<div class="page stack"><h1>${t("Analysis")}</h1>
    ${problem
      ? html`<${Alert} text=${problem} />
          <p class="row"><a class="button primary" href="/analysis?spec=othello">${t("Analyse from the start")}</a></p>`
      : html`<p class="soft loading">${common.loading}</p>`}</div>`;
}
