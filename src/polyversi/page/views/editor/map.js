/** Draws an XT map: tiles on a grid, transitions between sides, and the text of it all. */

import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { ZoomableBoard } from "../parts/zoom.js";
import { tileNumber } from "./chart.js";
import { useCheck, Verdict } from "./check.js";
import { drawnMap } from "./gamefield.js";
import { gridPlan } from "./grid.js";
import { brush, chart, draft, firstSide, history, notice, pick, put, text, tool } from "./mapdesk.js";
import { MapFile } from "./mapfile.js";
import { MapNumbers } from "./mapnumbers.js";
import { MapText } from "./maptext.js";
import { brushOf, Palette } from "./palette.js";
import { PlayButton } from "./playbutton.js";
import { Transitions } from "./transitions.js";
import { onUndoKeys, UndoButtons } from "./undo.js";
import { WholeMap } from "./wholemap.js";

/** @typedef {import("./chart.js").Side} Side */

const TEXTS = {
  seat: words.editor.seat,
  side: (/** @type {Side} */ { x, y, direction }) => words.editor.side(x, y, direction),
};
const TOOLS = /** @type {const} */ (["paint", "fill", "join"]);
/** Characters of tiles that are no stones, with the keys that choose them. */
const PLAIN = [["f", "0"], ["h", "-"], ["c", "c"], ["i", "i"], ["b", "b"], ["x", "x"]];

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
          <${Verdict} answer=${answer} onPlace=${goTo} />
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
  const now = chart.value;
  const stroke = useSignal(false);
  const plan = useMemo(() => gridPlan(now, TEXTS), [now.width, now.height, now.players, now.transitions]);
  const tiles = useMemo(() => Uint8Array.from(now.tiles, tileNumber), [now.tiles]);
  const brushes = brushesFor(now.players);
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
    words.editor.cell(plan.names[cell] ?? "", brushes.find((one) => one.tile === tile)?.name ?? ""), [plan]);
  return html`
    <div class="stack" onKeyDown=${press} onPointerDown=${() => { stroke.value = false; }}>
      <div class="editor-bar">
        <fieldset class="palette">
          <legend>${words.editor.map.tool}</legend>
          <div class="segments">
            ${TOOLS.map((name) => html`<label key=${name}>
              <input class="visually-hidden" type="radio" name="tool" checked=${tool.value === name} onChange=${() => take(name)} />
              <span>${words.editor.map.tools[name]}</span></label>`)}
          </div>
        </fieldset>
        <${UndoButtons} history=${history} />
        ${joins
          ? html`<p class="soft editor-hint">${first ? words.editor.map.pickSecond(TEXTS.side(first)) : words.editor.map.pickFirst}
              ${first && html`<button type="button" class="button" onClick=${() => take("join")}>${words.editor.map.cancel}</button>`}</p>`
          : html`<${Palette} legend=${words.editor.map.tile} brushes=${brushes} chosen=${brush.value} theme="slate" paints=${plan.seats}
              onChoose=${(/** @type {number} */ tile) => { brush.value = tile; }} />`}
      </div>
      <${ZoomableBoard} name="editor-board" plan=${plan} config=${{
        tiles, label, selectable: true, animate: false, paint: tool.value === "paint", edges: joins,
        edge: first ? { cell: first.y * now.width + first.x, direction: first.direction } : null,
        title: words.editor.map.board,
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
 * @param {number} players
 * @returns {import("./palette.js").Brush[]}
 */
function brushesFor(players) {
  const plain = PLAIN.map(([key = "", symbol = ""]) => ({ key, tile: tileNumber(symbol), name: words.editor.tile(symbol) }));
  const stones = Array.from({ length: players }, (_, at) =>
    ({ key: String(at + 1), tile: at + 1, name: words.editor.tile(String(at + 1)) }));
  return [...plain.slice(0, 2), ...stones, ...plain.slice(2)];
}
