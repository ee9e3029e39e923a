/** Where a map comes from and where it goes: a file, one of our kinds, or a new one. */

import { allVariants, get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { words } from "../../words/words.js";
import { firstChart, readChart } from "./chart.js";
import { drawnMap, source } from "./gamefield.js";
import { change, draft, text } from "./mapdesk.js";

/** The largest file that is read; the largest map needs far less. */
const LARGEST = 1_000_000;

/** Takes over the text of a map, whether it can be drawn or not. @param {string} written */
function take(written) {
  const read = readChart(written);
  if (read) change(read);
  draft.value = read ? null : written;
}

export function MapFile() {
  const problem = useSignal("");
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const { open, save, tooLarge, newMap, positionOn } = words.editor.map;
  const read = async () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    problem.value = file.size > LARGEST ? tooLarge : "";
    if (!problem.value) take(await file.text());
    if (input.current) input.current.value = "";
  };
  const setUp = () => {
    source.value = { spec: "", map: drawnMap.value };
    go("/editor");
  };
  return html`
    <${KindField} onText=${take} onProblem=${(/** @type {string} */ sentence) => { problem.value = sentence; }} />
    <div class="row">
      <button type="button" class="button" onClick=${() => change(firstChart())}>${newMap}</button>
      <input ref=${input} type="file" hidden accept=".map,.txt,text/plain" aria-label=${open} onChange=${read} />
      <button type="button" class="button" onClick=${() => input.current?.click()}>${open}</button>
      <button type="button" class="button" onClick=${() => download(draft.value ?? text.value)}>${save}</button>
      <button type="button" class="button" disabled=${!drawnMap.value} onClick=${setUp}>${positionOn}</button>
    </div>
    ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}`;
}

/** @param {{onText: (text: string) => void, onProblem: (sentence: string) => void}} props */
function KindField({ onText, onProblem }) {
  const kinds = useSignal(/** @type {string[]} */ ([]));
  useEffect(() => {
    allVariants().then((found) => {
      kinds.value = found.filter(({ family }) => family === "xt").map(({ spec }) => spec);
    }, (error) => onProblem(sentenceOf(error)));
  }, []);
  const choose = async (/** @type {HTMLSelectElement} */ field) => {
    const spec = field.value;
    field.value = "";
    try {
      if (spec) onText((await get(`/api/board?spec=${encodeURIComponent(spec)}`)).map);
    } catch (error) {
      onProblem(sentenceOf(error));
    }
  };
  return html`
    <label class="field">
      <span>${words.editor.map.kinds}</span>
      <select value="" onChange=${(/** @type {any} */ event) => choose(event.target)}>
        <option value="">${words.editor.map.chooseKind}</option>
        ${kinds.value.map((spec) => html`<option value=${spec}>${words.play.variant(spec)}</option>`)}
      </select>
    </label>`;
}

/** Saves a text as a file. @param {string} written */
function download(written) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([written], { type: "text/plain" }));
  link.download = words.editor.map.fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}
