/** The moves with their variations, comments and marks; each leads to the position after it. */
import { html, useLayoutEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { valueOf as fieldValue } from "../../app/dom.js";
import { number, t } from "../../app/i18n.js";
import { Icon, IconButton, Stone } from "../../components/icons.js";
import { JUDGEMENTS, lossText, MARKS, seatName, shortMove } from "./text.js";

/** @import { AnalysisModel } from "./model.js" */
/** @import { Node } from "./nodes.js" */

/** @param {{model: AnalysisModel, node: Node, isNumbered?: boolean}} props */
function Move({ model, node, isNumbered = false }) {
  model.watch();
  const { reviewed } = node;
  const stone = isNumbered && html`<span class="soft small number">${number(node.ply)}</span>
    <${Stone} paint=${model.description.plan.seats[node.seat - 1]} size=${14} />`;
  return html`
    <button type="button" class=${`tree-move ${MARKS[reviewed?.mark ?? ""] ?? ""}`}
        data-node=${node.id} onClick=${() => model.go(node)}>
      ${stone}<span class="visually-hidden">${t("Move {number}, {name}:", { number: number(node.ply), name: seatName(model, node.seat) })}</span>
      <span class="number">${shortMove(node.move)}</span>
      ${reviewed?.mark && html`<span class="tree-mark" aria-hidden="true">${reviewed.mark}</span>
        <span class="visually-hidden">${JUDGEMENTS[reviewed.mark]()}</span>`}
      ${reviewed && reviewed.loss > 0 && html`<span class="tree-loss small number"><span class="visually-hidden">${t("loses")}</span>
        −${lossText(reviewed.loss)}</span>`}
    </button>`;
}

/** What is said about a move: the name of the opening, and the comment. @param {{model: AnalysisModel, node: Node}} props */
function Said({ model, node }) {
  model.watch();
  return html`${node.opening && html`<p class="tree-opening small">${node.opening}</p>`}
    ${node.comment && html`<p class="tree-comment">${node.comment}</p>`}`;
}

/** A variation: its moves one after the other, with its own variations. @param {{model: AnalysisModel, start: Node}} props */
function Variation({ model, start }) {
  model.watch();
  return html`<li class="tree-variation"><div class="tree-flow">${start.line().map((node) => html`
    <${Move} key=${node.id} model=${model} node=${node} isNumbered=${true} />
    ${node.comment && html`<span class="tree-comment">${node.comment}</span>`}`)}</div>
    ${start.line().flatMap((node) => (node.children.length > 1 ? node.children.slice(1) : [])).map((side) => html`
      <ul key=${side.id}><${Variation} model=${model} start=${side} /></ul>`)}</li>`;
}

/** The variations that begin beside a move. @param {{model: AnalysisModel, node: Node}} props */
function Variations({ model, node }) {
  model.watch();
  const sides = node.parent?.children.slice(1) ?? [];
  return sides.length > 0 && html`<ul class="tree-sides">${sides.map((side) => html`
    <${Variation} key=${side.id} model=${model} start=${side} />`)}</ul>`;
}

/** Whether something comes between a move and the next one. @param {Node} node */
const isInterrupted = (node) => Boolean(node.comment || (node.parent?.children.length ?? 0) > 1);

/** The main line of two seats, in rows with a place for each. @type {(main: Node[]) => (Node|null)[][]} */
function pairs(main) {
  /** @type {(Node|null)[][]} */
  const rows = [];
  for (const node of main) {
    const row = rows.at(-1);
    const before = row?.length === 1 ? row[0] : null;
    if (row && before && before.seat === 1 && node.seat === 2 && !isInterrupted(before)) row.push(node);
    else rows.push(node.seat === 1 ? [node] : [null, node]);
  }
  return rows;
}

/** @param {{model: AnalysisModel}} props */
function MainLine({ model }) {
  model.watch();
  const main = model.root.line().slice(1);
  const isPair = model.description.seats === 2;
  const rows = isPair ? pairs(main) : main.map((node) => [node]);
  const move = (/** @type {Node|null|undefined} */ node) => (node
    ? html`<${Move} model=${model} node=${node} />` : html`<span class="tree-gap soft" aria-hidden="true">…</span>`);
  return html`<ol class=${`tree-main ${isPair ? "pair" : "many"}`}>${rows.map((row) => {
    const nodes = row.filter((node) => node !== null);
    const [first] = nodes;
    return html`<li key=${first.id} class="tree-row"><span class="tree-number soft small number" aria-hidden="true">${number(first.ply)}</span>
      ${isPair ? html`${move(row[0])}${row.length > 1 && move(row[1])}` : html`
        <${Stone} paint=${model.description.plan.seats[first.seat - 1]} size=${16} />${move(first)}`}
      ${nodes.map((node) => html`<div key=${node.id} class="tree-said"><${Said} model=${model} node=${node} />
        <${Variations} model=${model} node=${node} /></div>`)}</li>`;
  })}</ol>`;
}

/** Marks the current move, and brings it into view. @type {(box: HTMLElement|null, node: Node) => void} */
function markCurrent(box, node) {
  box?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const now = /** @type {HTMLElement|null|undefined} */ (box?.querySelector(`[data-node="${node.id}"]`));
  if (!box) return;
  now?.setAttribute("aria-current", "step");
  const [frame, place] = [box.getBoundingClientRect(), now?.getBoundingClientRect()];
  if (!place) box.scrollTop = 0;
  else if (place.top < frame.top) box.scrollTop += place.top - frame.top - 8;
  else if (place.bottom > frame.bottom) box.scrollTop += place.bottom - frame.bottom + 8;
}

/** The field for a comment on a move, or at the start on the whole. @param {{model: AnalysisModel, onClose: () => void}} props */
function CommentField({ model, onClose }) {
  const node = model.current.value;
  const field = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const text = useSignal(node.comment);
  useLayoutEffect(() => { field.current?.focus(); }, []);
  const keep = () => {
    const said = text.value.trim();
    if (said !== node.comment) model.edit(() => { node.note = { ...node.note, comment: said || undefined }; });
    onClose();
  };
  return html`<form class="tree-edit stack tight" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); keep(); }}>
    <label class="field"><span>${node.move ? t("Comment on {move}", { move: shortMove(node.move) }) : t("Comment on the game")}</span>
      <textarea ref=${field} rows="2" maxlength="2000" value=${text.value}
        onInput=${(/** @type {Event} */ event) => { text.value = fieldValue(event); }}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Escape") onClose();
          else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
        }}></textarea></label>
    <div class="row"><button class="button primary">${t("Keep")}</button>
      <button type="button" class="button" onClick=${onClose}>${t("Cancel")}</button></div></form>`;
}

/** What can be done with the current move. @param {{model: AnalysisModel, commenting: {value: Node|null}}} props */
function Actions({ model, commenting }) {
  const node = model.current.value;
  model.watch();
  const isSide = node.parent !== null && node.parent.next !== node;
  const isOff = !node.isMain;
  return html`<div class="tree-actions row" role="group" aria-label=${t("This move")}>
    <button type="button" class="button quiet" onClick=${() => { commenting.value = node; }}>
      <${Icon} name="pencil" />${t("Comment")}</button>
    ${(isSide || isOff) && html`
      <button type="button" class="button quiet" onClick=${() => model.edit(() => (isSide ? node : node.branch)?.promote())}>
        <${Icon} name="up" />${t("Promote")}</button>
      <button type="button" class="button quiet" onClick=${() => model.edit(() => node.makeMain())}>
        <${Icon} name="check" />${t("Main line")}</button>`}
    ${node.parent && html`<${IconButton} icon="close" look="quiet" label=${t("Delete this move and what follows")}
      onClick=${() => model.remove(node)} />`}
  </div>`;
}

/** @param {{model: AnalysisModel, commenting: {value: Node|null}}} props */
export function Tree({ model, commenting }) {
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  const node = model.current.value;
  const moves = useMemo(() => html`<${MainLine} model=${model} />`, [model]);
  model.watch();
  useLayoutEffect(() => markCurrent(box.current, node));
  const isEmpty = !model.root.children.length;
  return html`
    <div class="tree" ref=${box} tabindex="0" role="region" aria-label=${t("Moves")}>
      ${model.root.comment && html`<p class="tree-comment">${model.root.comment}</p>`}
      ${moves}
      ${isEmpty && html`<p class="soft small tree-empty">${t("Click any marked cell to try a move.")}</p>`}
    </div>
    ${commenting.value === node
      ? html`<${CommentField} key=${node.id} model=${model} onClose=${() => { commenting.value = null; }} />`
      : html`<${Actions} model=${model} commenting=${commenting} />`}`;
}
