/** The map editor: tiles on a grid, transitions between sides, and the map's text. */
import { get, sentenceOf, useCatalogue, useVariants } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { takeEdited } from "../../app/handover.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { Checkbox, FileButton, NumberField, Select } from "../../components/forms.js";
import { IconButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import {
  BOUNDS, defaultMap, directionNames, FREE, HOLE, MAX_TILES, sideName, SYMBOLS, XtMap,
} from "./map-model.js";
import { gridPlan } from "./map-plan.js";
import {
  brush, change, connect, draft, firstSide, history, notice, pick, put, text, tool, xtMap,
} from "./map-state.js";
import { brushesOf, CheckResult, drawnMap, PaintBoard, PlayButton, source, useCheck } from "./shared.js";

/** @import { Side } from "./map-model.js" */

/** The largest file that is read; the largest map needs far less. */
const MAX_FILE_SIZE = 1_000_000;

/** Replaces the map by a text, whether it can be drawn or not. @param {string} written */
function loadText(written) {
  const read = XtMap.parse(written);
  if (read) change(read);
  draft.value = read ? null : written;
}

function MapFile() {
  const problem = useSignal("");
  const maps = useVariants((sentence) => { problem.value = sentence; }).filter((variant) => variant.on_map);
  const choose = async (/** @type {string} */ spec, /** @type {HTMLSelectElement} */ field) => {
    field.value = "";
    try {
      if (spec) loadText((await get(`/api/board?spec=${encodeURIComponent(spec)}`)).map);
    } catch (error) {
      problem.value = sentenceOf(error);
    }
  };
  const read = async (/** @type {File} */ file) => {
    problem.value = file.size > MAX_FILE_SIZE ? t("This file is too large for a map.") : "";
    if (!problem.value) loadText(await file.text());
  };
  const setUp = () => {
    source.value = { spec: "", map: drawnMap.value };
    go("/editor");
  };
  return html`
    <${Select} label=${t("Start from")} value="" onChange=${choose}>
      <option value="">${t("a built-in map…")}</option>
      ${maps.map(({ spec, label }) => html`<option value=${spec}>${t(label)}</option>`)}<//>
    <div class="row">
      <button type="button" class="button" onClick=${() => change(defaultMap())}>${t("New map")}</button>
      <${FileButton} label=${t("Open a map file")} accept=".map,.txt,text/plain" onFile=${read} />
      <button type="button" class="button" onClick=${() => download(draft.value ?? text.value)}>${t("Save the map")}</button>
      <button type="button" class="button" disabled=${!drawnMap.value} onClick=${setUp}>${t("Set up a position on it")}</button>
    </div>
    <${Alert} text=${problem.value} />`;
}

/** Saves a text as a file. @param {string} written */
function download(written) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([written], { type: "text/plain" }));
  link.download = "polyversi.map";
  link.click();
  URL.revokeObjectURL(link.href);
}

/** @typedef {"width"|"height"|"players"|"overrides"|"bombs"|"radius"} MapNumber */

/** The numbers of a map with their names. @returns {[MapNumber, string][]} */
const numbers = () => [
  ["width", t("Width")], ["height", t("Height")], ["players", t("Players")],
  ["overrides", t("Override stones each")], ["bombs", t("Bombs each")], ["radius", t("Bomb radius")],
];

function MapNumbers() {
  const now = xtMap.value;
  const set = (/** @type {MapNumber} */ name, /** @type {number} */ value) => {
    const next = { ...now, [name]: value };
    const isSize = name === "width" || name === "height";
    if (value !== now[name]) change(isSize ? now.resized(next.width, next.height) : new XtMap(next));
  };
  const high = (/** @type {MapNumber} */ name) => {
    const across = { width: now.height, height: now.width }[/** @type {string} */ (name)] ?? 1;
    return Math.min(BOUNDS[name][1], Math.floor(MAX_TILES / across));
  };
  return html`
    <section class="panel stack tight" aria-labelledby="map-numbers">
      <h2 id="map-numbers">${t("Size and players")}</h2>
      <div class="editor-numbers">${numbers().map(([name, label]) => html`
        <${NumberField} key=${name} label=${label} low=${BOUNDS[name][0]} high=${high(name)}
          value=${now[name]} onNumber=${(/** @type {number} */ value) => set(name, value)} />`)}</div>
    </section>`;
}

/** @param {{field: {current: HTMLTextAreaElement|null}}} props */
function MapText({ field }) {
  const write = (/** @type {string} */ written) => {
    const read = XtMap.parse(written);
    // One step of undo for whatever is written in one go.
    if (read) history.set(read, draft.value !== null);
    draft.value = written;
  };
  return html`
    <section class="panel stack tight">
      <label class="field">
        <span>${t("Text of the map")}</span>
        <textarea ref=${field} class="digits editor-text" rows=${Math.min(xtMap.value.height + 6, 16)}
          spellcheck=${false} autocomplete="off" autocapitalize="off" wrap="off" aria-describedby="map-text-hint"
          value=${draft.value ?? text.value} onInput=${(/** @type {Event} */ event) => write(valueOf(event))}
          onBlur=${() => { if (draft.value !== null && XtMap.parse(draft.value)) draft.value = null; }}></textarea>
      </label>
      <p id="map-text-hint" class="soft small">${t("Changes here are drawn at once.")}</p>
    </section>`;
}

/** The ways to make a map symmetric with their names. @returns {["right"|"down"|"turn", string][]} */
const mirrors = () => [["right", t("Left to right")], ["down", t("Top to bottom")], ["turn", t("Half turn")]];

function WholeMap() {
  const pass = useSignal(true);
  const button = (/** @type {string} */ label, /** @type {() => XtMap} */ next) => html`
    <button key=${label} type="button" class="button" onClick=${() => change(next())}>${label}</button>`;
  return html`
    <section class="panel stack tight" aria-labelledby="map-whole">
      <h2 id="map-whole">${t("Whole map")}</h2>
      <div class="row">
        ${button(t("All free"), () => xtMap.value.blank(FREE))}
        ${button(t("All holes"), () => xtMap.value.blank(HOLE))}
      </div>
      <div class="field"><span id="map-symmetric">${t("Make symmetric")}</span>
        <div class="row" role="group" aria-labelledby="map-symmetric">
          ${mirrors().map(([mirror, label]) => button(label, () => xtMap.value.mirrored(mirror, pass.value)))}
        </div></div>
      <${Checkbox} label=${t("Mirrored stones go to the next seat")} checked=${pass.value}
        onChange=${(/** @type {boolean} */ checked) => { pass.value = checked; }} />
    </section>`;
}

function Transitions() {
  const { transitions } = xtMap.value;
  return html`
    <section class="panel stack tight" aria-labelledby="map-transitions">
      <h2 id="map-transitions">${t("Transitions")}
        ${transitions.length > 0 && html` <span class="tag number">${number(transitions.length)}</span>`}</h2>
      ${transitions.length === 0
        ? html`<p class="soft small">
            ${t("No sides are joined yet. Join two free sides: sides next to a hole or the edge of the map.")}</p>`
        : html`<ol class="editor-transitions" tabindex="0" aria-labelledby="map-transitions">
            ${transitions.map(({ from, to }, at) => html`
              <li key=${`${sideName(from)} ${sideName(to)}`}>
                <span class=${`editor-port board-link-${at % 12}`}>${at + 1}</span>
                <span class="grow">${sideName(from)} – ${sideName(to)}</span>
                <${IconButton} icon="close" look="quiet" label=${t("Remove transition {number}", { number: at + 1 })}
                  onClick=${() => change(xtMap.value.with({ transitions: transitions.toSpliced(at, 1) }))} />
              </li>`)}
          </ol>`}
      <${JoinForm} />
    </section>`;
}

function JoinForm() {
  const { width, height } = xtMap.value;
  const chosen = useSignal(/** @type {{from?: Side, to?: Side}} */ ({}));
  const { from = { x: 0, y: 0, direction: 6 }, to = { x: width - 1, y: 0, direction: 2 } } = chosen.value;
  const add = (/** @type {Event} */ event) => {
    event.preventDefault();
    connect(from, to);
  };
  const fields = (/** @type {string} */ legend, /** @type {"from"|"to"} */ end, /** @type {Side} */ side) => {
    const set = (/** @type {keyof Side} */ name, /** @type {string} */ value) => {
      chosen.value = { ...chosen.value, [end]: { ...side, [name]: Number(value) } };
    };
    const place = (/** @type {string} */ label, /** @type {"x"|"y"} */ name, /** @type {number} */ max) => html`
      <label class="field"><span>${label}</span>
        <input type="number" required min="0" max=${max} value=${side[name]}
          onChange=${(/** @type {Event} */ event) => set(name, valueOf(event))} /></label>`;
    return html`
      <fieldset><legend>${legend}</legend>
        <div class="editor-side-fields">
          ${place(t("Column"), "x", width - 1)}${place(t("Row"), "y", height - 1)}
          <${Select} label=${t("Direction")} value=${side.direction} options=${{ ...directionNames() }}
            onChange=${(/** @type {string} */ direction) => set("direction", direction)} />
        </div>
      </fieldset>`;
  };
  return html`
    <details>
      <summary>${t("Join by coordinates")}</summary>
      <form class="stack tight" onSubmit=${add}>
        ${fields(t("From"), "from", from)}${fields(t("To"), "to", to)}
        <button class="button">${t("Join these two")}</button>
      </form>
    </details>`;
}

/** @param {{query: URLSearchParams}} props */
export function MapEditor({ query }) {
  useEffect(() => {
    const handed = query.get("from") === "game" ? takeEdited() : null;
    if (handed?.map) loadText(handed.map);
  }, [query]);
  const written = draft.value ?? text.value;
  const answer = useCheck({ map: written });
  const isFine = answer !== null && !answer.problem;
  const field = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  useEffect(() => { if (isFine) drawnMap.value = written; }, [isFine, written]);
  const goTo = (/** @type {number} */ line, /** @type {number} */ column) => {
    const start = written.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0) + column - 1;
    field.current?.focus();
    field.current?.setSelectionRange(start, start + (/^\S*/.exec(written.slice(start))?.[0].length ?? 0));
  };
  return html`
    <div class="editor-columns">
      <${Drawing} />
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

/** The tools with their names. @returns {["paint"|"fill"|"join", string][]} */
const toolNames = () => [["paint", t("Paint")], ["fill", t("Fill area")], ["join", t("Join sides")]];

/** The tools, the tiles, and the grid they are put on. */
function Drawing() {
  const now = xtMap.value;
  const plan = useMemo(() => gridPlan(now), [now.width, now.height, now.players, now.transitions]);
  const tiles = useMemo(() => Array.from(now.tiles, (symbol) => SYMBOLS.indexOf(symbol)), [now.tiles]);
  const known = useCatalogue()?.tiles;
  const brushes = brushesOf(known ?? [], plan.seats, 2);
  const label = useMemo(() => (/** @type {number} */ cell, /** @type {number} */ tile) =>
    `${plan.names[cell]}, ${t(brushes.find((one) => one.tile === tile)?.name ?? "")}`, [plan, known]);
  const take = (/** @type {typeof tool.value} */ name) => {
    tool.value = name;
    firstSide.value = null;
  };
  const isJoining = tool.value === "join";
  const first = firstSide.value;
  const tools = html`
    <fieldset class="palette">
      <legend>${t("Tool")}</legend>
      <div class="segments">${toolNames().map(([name, title]) => html`<label key=${name}>
        <input class="visually-hidden" type="radio" name="tool" checked=${tool.value === name}
          onChange=${() => take(name)} />
        <span>${title}</span></label>`)}</div>
    </fieldset>`;
  const hint = isJoining ? html`<p class="soft editor-hint">${first
    ? html`${t("From {side}: now pick the second side.", { side: sideName(first) })}
        <button type="button" class="button" onClick=${() => take("join")}>${common.cancel}</button>`
    : t("Pick the first side: click near the edge of a tile, or press Shift and an arrow key on it.")}</p>` : undefined;
  return html`
    <${PaintBoard} legend=${t("Tile")} brushes=${brushes} brush=${brush} history=${history} plan=${plan}
      tools=${tools} hint=${hint}
      onPaint=${(/** @type {number} */ cell, /** @type {boolean} */ same) => { if (!isJoining) put(cell, same); }}
      config=${{
        tiles, label, paint: tool.value === "paint", edges: isJoining, title: t("Map being drawn"),
        edge: first ? { cell: first.y * now.width + first.x, direction: first.direction } : null,
        onEdge: (/** @type {number} */ cell, /** @type {number} */ direction) =>
          pick({ x: cell % now.width, y: Math.floor(cell / now.width), direction }),
      }}>
      ${notice.value && html`<p class="soft small">${notice.value}</p>`}
    <//>`;
}
