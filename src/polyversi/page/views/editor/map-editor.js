/** The map editor: tiles on a grid, transitions between sides, and the map's text. */
import { get, loadCatalogue, sentenceOf, useVariants } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { ZoomableBoard } from "../../components/board.js";
import { Checkbox, FileButton, NumberField, Select } from "../../components/forms.js";
import { IconButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import {
  blank, BOUNDS, defaultMap, FREE, HOLE, mirrored, MIRRORS, parseMap, resize, tidy, tileNumber, withoutTransition,
} from "./map-model.js";
import { gridPlan } from "./map-plan.js";
import { brush, change, xtMap, connect, draft, firstSide, history, notice, pick, put, text, tool } from "./map-state.js";
import { brushOf, CheckResult, drawnMap, onUndoKeys, Palette, PlayButton, source, UndoButtons, useCheck } from "./shared.js";
import { words } from "./words.js";

/** @import { Side } from "./map-model.js" */
/** @import { Brush } from "./shared.js" */

/** The largest file that is read; the largest map needs far less. */
const MAX_FILE_SIZE = 1_000_000;

/** Replaces the map by a text, whether it can be drawn or not. @param {string} written */
function loadText(written) {
  const read = parseMap(written);
  if (read) change(read);
  draft.value = read ? null : written;
}

function MapFile() {
  const problem = useSignal("");
  const { open, save, tooLarge, newMap, positionOn } = words.map;
  const read = async (/** @type {File} */ file) => {
    problem.value = file.size > MAX_FILE_SIZE ? tooLarge : "";
    if (!problem.value) loadText(await file.text());
  };
  const setUp = () => {
    source.value = { spec: "", map: drawnMap.value };
    go("/editor");
  };
  return html`
    <${KindField} onText=${loadText} onProblem=${(/** @type {string} */ sentence) => { problem.value = sentence; }} />
    <div class="row">
      <button type="button" class="button" onClick=${() => change(defaultMap())}>${newMap}</button>
      <${FileButton} label=${open} accept=".map,.txt,text/plain" onFile=${read} />
      <button type="button" class="button" onClick=${() => download(draft.value ?? text.value)}>${save}</button>
      <button type="button" class="button" disabled=${!drawnMap.value} onClick=${setUp}>${positionOn}</button>
    </div>
    <${Alert} text=${problem.value} />`;
}

/** @param {{onText: (text: string) => void, onProblem: (sentence: string) => void}} props */
function KindField({ onText, onProblem }) {
  const kinds = useVariants(onProblem).filter((variant) => variant.on_map);
  const choose = async (/** @type {string} */ spec, /** @type {HTMLSelectElement} */ field) => {
    field.value = "";
    try {
      if (spec) onText((await get(`/api/board?spec=${encodeURIComponent(spec)}`)).map);
    } catch (error) {
      onProblem(sentenceOf(error));
    }
  };
  return html`
    <${Select} label=${words.map.kinds} value="" onChange=${choose}>
      <option value="">${words.map.chooseKind}</option>
      ${kinds.map(({ spec, label }) => html`<option value=${spec}>${label}</option>`)}<//>`;
}

/** Saves a text as a file. @param {string} written */
function download(written) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([written], { type: "text/plain" }));
  link.download = words.map.fileName;
  link.click();
  URL.revokeObjectURL(link.href);
}

const FIELDS = /** @type {const} */ (["width", "height", "players", "overrides", "bombs", "radius"]);
/** @typedef {typeof FIELDS[number]} Field */

function MapNumbers() {
  return html`
    <section class="panel stack tight" aria-labelledby="map-numbers">
      <h2 id="map-numbers">${words.map.numbers}</h2>
      <div class="editor-numbers">${FIELDS.map((name) => html`
        <${NumberField} key=${name} label=${words.map[name]} low=${BOUNDS[name][0]} high=${BOUNDS[name][1]}
          value=${xtMap.value[name]} onNumber=${(/** @type {number} */ value) => set(name, value)} />`)}</div>
    </section>`;
}

/**
 * @param {Field} name
 * @param {number} value
 */
function set(name, value) {
  const now = xtMap.value;
  if (value === now[name]) return;
  if (name === "width" || name === "height") {
    const size = { width: now.width, height: now.height, [name]: value };
    change(resize(now, size.width, size.height));
  } else change(tidy({ ...now, [name]: value }));
}

/** @param {{field: {current: HTMLTextAreaElement | null}}} props */
function MapText({ field }) {
  const write = (/** @type {string} */ written) => {
    const read = parseMap(written);
    // One step of undo for whatever is written in one go.
    if (read) history.set(read, draft.value !== null);
    draft.value = written;
  };
  return html`
    <section class="panel stack tight">
      <label class="field">
        <span>${words.map.text}</span>
        <textarea ref=${field} class="digits editor-text" rows=${Math.min(xtMap.value.height + 6, 16)} spellcheck=${false}
          autocomplete="off" autocapitalize="off" wrap="off" aria-describedby="map-text-hint" value=${draft.value ?? text.value}
          onInput=${(/** @type {Event} */ event) => write(valueOf(event))}
          onBlur=${() => { if (draft.value !== null && parseMap(draft.value)) draft.value = null; }}></textarea>
      </label>
      <p id="map-text-hint" class="soft small">${words.map.textHint}</p>
    </section>`;
}

function WholeMap() {
  const pass = useSignal(true);
  const { whole, allFree, allHoles, mirror, passOn, symmetric } = words.map;
  return html`
    <section class="panel stack tight" aria-labelledby="map-whole">
      <h2 id="map-whole">${whole}</h2>
      <div class="row">
        <button type="button" class="button" onClick=${() => change(blank(xtMap.value, FREE))}>${allFree}</button>
        <button type="button" class="button" onClick=${() => change(blank(xtMap.value, HOLE))}>${allHoles}</button>
      </div>
      <div class="field"><span id="map-symmetric">${symmetric}</span>
      <div class="row" role="group" aria-labelledby="map-symmetric">
        ${MIRRORS.map((way) => html`
          <button key=${way} type="button" class="button" onClick=${() => change(mirrored(xtMap.value, way, pass.value))}>${mirror[way]}</button>`)}
      </div></div>
      <${Checkbox} label=${passOn} checked=${pass.value} onChange=${(/** @type {boolean} */ checked) => { pass.value = checked; }} />
    </section>`;
}

export function Transitions() {
  const { transitions } = xtMap.value;
  return html`
    <section class="panel stack tight" aria-labelledby="map-transitions">
      <h2 id="map-transitions">${words.map.transitions} ${transitions.length > 0 && html`<span class="tag number">${transitions.length}</span>`}</h2>
      ${transitions.length === 0
        ? html`<p class="soft small">${words.map.none} ${words.map.joinHint}</p>`
        : html`<ol class="editor-transitions" tabindex="0" aria-labelledby="map-transitions">
            ${transitions.map(({ from, to }, at) => html`
              <li key=${`${sideText(from)} ${sideText(to)}`}>
                <span class=${`editor-port board-link-${at % 12}`}>${at + 1}</span>
                <span class="grow">${sideText(from)} – ${sideText(to)}</span>
                <${IconButton} icon="close" look="quiet" label=${words.map.remove(at + 1)}
                  onClick=${() => change(withoutTransition(xtMap.value, at))} />
              </li>`)}
          </ol>`}
      <${JoinForm} />
    </section>`;
}

/** @param {Side} side */
function sideText({ x, y, direction }) {
  return words.side(x, y, direction);
}

function JoinForm() {
  const chosen = useSignal(/** @type {{from?: Side, to?: Side}} */ ({}));
  const from = chosen.value.from ?? { x: 0, y: 0, direction: 6 };
  const to = chosen.value.to ?? { x: xtMap.value.width - 1, y: 0, direction: 2 };
  const choose = (/** @type {"from"|"to"} */ end) => (/** @type {Side} */ side) => { chosen.value = { ...chosen.value, [end]: side }; };
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    connect(from, to);
  };
  return html`
    <details>
      <summary>${words.map.byNumbers}</summary>
      <form class="stack tight" onSubmit=${add}>
        <${SideFields} legend=${words.map.from} side=${from} onChange=${choose("from")} />
        <${SideFields} legend=${words.map.to} side=${to} onChange=${choose("to")} />
        <button class="button">${words.map.add}</button>
      </form>
    </details>`;
}

/** @param {{legend: string, side: Side, onChange: (side: Side) => void}} props */
function SideFields({ legend, side, onChange }) {
  const { column, row, direction } = words.map;
  const set = (/** @type {keyof Side} */ name) => (/** @type {Event} */ event) => onChange({ ...side, [name]: Number(valueOf(event)) });
  return html`
    <fieldset>
      <legend>${legend}</legend>
      <div class="editor-side-fields">
        <label class="field"><span>${column}</span>
          <input type="number" required min="0" max=${xtMap.value.width - 1} value=${side.x} onChange=${set("x")} /></label>
        <label class="field"><span>${row}</span>
          <input type="number" required min="0" max=${xtMap.value.height - 1} value=${side.y} onChange=${set("y")} /></label>
        <${Select} label=${direction} value=${side.direction} options=${words.directions}
          onChange=${(/** @type {string} */ chosen) => onChange({ ...side, direction: Number(chosen) })} />
      </div>
    </fieldset>`;
}

const TOOLS = /** @type {const} */ (["paint", "fill", "join"]);

export function MapEditor() {
  const written = draft.value ?? text.value;
  const answer = useCheck({ map: written }).value;
  const isFine = answer !== null && !answer.problem;
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useEffect(() => { if (isFine) drawnMap.value = written; }, [isFine, written]);
  const goTo = (/** @type {number} */ line, /** @type {number} */ column) => {
    const start = written.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    field.current?.focus();
    field.current?.setSelectionRange(start, start + (/^\S*/.exec(written.slice(start))?.[0].length ?? 0));
  };
  return html`
    <div class="editor-columns">
      <div class="editor-main stack">
        <${Drawing} />
      </div>
      <aside class="editor-side stack">
        <section class="panel stack">
          <${MapFile} />
          <${CheckResult} answer=${answer} onPlace=${goTo} />
          <${PlayButton} setup=${{ map: written }} disabled=${!isFine} />
        </section>
        <${MapNumbers} />
        <${WholeMap} />
        <${Transitions} />
        <${MapText} field=${field} />
      </aside>
    </div>`;
}

/** The tools, the tiles, and the grid they are put on. */
function Drawing() {
  const now = xtMap.value;
  const stroke = useSignal(false);
  const plan = useMemo(() => gridPlan(now, { seat: words.seat, side: sideText }), [now.width, now.height, now.players, now.transitions]);
  const tiles = useMemo(() => Uint8Array.from(now.tiles, tileNumber), [now.tiles]);
  const plain = useSignal(/** @type {Brush[]} */ ([]));
  useEffect(() => { loadCatalogue().then(({ tiles: found }) => { plain.value = found; }, () => {}); }, []);
  const brushes = brushesFor(plain.value, now.players);
  const press = (/** @type {KeyboardEvent} */ event) => {
    stroke.value = false;
    const chosen = tool.value === "join" ? undefined : brushOf(event, brushes);
    if (chosen) brush.value = chosen.tile;
    onUndoKeys(event, history);
  };
  const take = (/** @type {typeof TOOLS[number]} */ name) => {
    tool.value = name;
    firstSide.value = null;
  };
  const joins = tool.value === "join";
  const first = firstSide.value;
  const label = useMemo(() => (/** @type {number} */ cell, /** @type {number} */ tile) =>
    words.cell(plan.names[cell] ?? "", brushes.find((one) => one.tile === tile)?.name ?? ""), [plan, plain.value]);
  return html`
    <div class="stack" onKeyDown=${press} onPointerDown=${() => { stroke.value = false; }}>
      <div class="editor-bar">
        <fieldset class="palette">
          <legend>${words.map.tool}</legend>
          <div class="segments">
            ${TOOLS.map((name) => html`<label key=${name}>
              <input class="visually-hidden" type="radio" name="tool" checked=${tool.value === name} onChange=${() => take(name)} />
              <span>${words.map.tools[name]}</span></label>`)}
          </div>
        </fieldset>
        <${UndoButtons} history=${history} />
        ${joins
          ? html`<p class="soft editor-hint">${first ? words.map.pickSecond(sideText(first)) : words.map.pickFirst}
              ${first && html`<button type="button" class="button" onClick=${() => take("join")}>${common.cancel}</button>`}</p>`
          : html`<${Palette} legend=${words.map.tile} brushes=${brushes} chosen=${brush.value} theme="slate" paints=${plan.seats}
              onChoose=${(/** @type {number} */ tile) => { brush.value = tile; }} />`}
      </div>
      <${ZoomableBoard} name="editor-board" plan=${plan} config=${{
        tiles, label, selectable: true, animate: false, paint: tool.value === "paint", edges: joins,
        edge: first ? { cell: first.y * now.width + first.x, direction: first.direction } : null,
        title: words.map.board,
        onSelect: (/** @type {number} */ cell) => {
          if (joins) return;
          put(cell, stroke.value);
          stroke.value = true;
        },
        onEdge: (/** @type {number} */ cell, /** @type {number} */ direction) =>
          pick({ x: cell % now.width, y: Math.floor(cell / now.width), direction }),
      }} />
      ${notice.value && html`<p class="soft small">${notice.value}</p>`}
    </div>`;
}

/**
 * What can be put on the map, with the keys that choose it.
 * @param {Brush[]} plain
 * @param {number} players
 * @returns {Brush[]}
 */
function brushesFor(plain, players) {
  const stones = Array.from({ length: players }, (_, at) => ({ key: String(at + 1), tile: at + 1, name: words.stone(at + 1) }));
  return [...plain.slice(0, 2), ...stones, ...plain.slice(2)];
}
