/** Sets up a position of any game: stones, special tiles, whose turn it is, and what everybody has left. */

import { post, Problem, sentenceOf } from "../../app/api.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { cellOf, scores, TILES } from "../../app/position.js";
import { words } from "../../words/words.js";
import { ZoomableBoard } from "../parts/zoom.js";
import { useCheck, Verdict } from "./check.js";
import { GameField, source } from "./gamefield.js";
import { History } from "./history.js";
import { emptyPosition, positionLine, readLine, startPosition } from "./line.js";
import { LineField } from "./linefield.js";
import { brushOf, Palette } from "./palette.js";
import { PlayButton } from "./playbutton.js";
import { SeatFields } from "./seatfields.js";
import { onUndoKeys, UndoButtons } from "./undo.js";

/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/position.js").Position} Position */
/**
 * @typedef {{game: {spec: string, map: string}, description: Description, history: History<Position>,
 *   answer: import("../../vendor/signals-core.js").Signal<import("./check.js").Answer | null>}} Desk a game, its position and what the server says of it
 */

/** What was set up last, for whoever comes back. @type {{from: string, desk: Desk} | null} */
let before = null;

/** @param {{query: URLSearchParams}} props */
export function PositionEditor({ query }) {
  const desk = useSignal(/** @type {Desk | null} */ (null));
  const problem = useSignal("");
  const { spec, map } = source.value;
  const key = `${spec}\n${map}`;
  useEffect(() => {
    const wanted = query.get("spec");
    if (wanted) source.value = { spec: wanted, map: "" };
  }, [query]);
  useEffect(() => {
    if (before?.from === key) {
      desk.value = before.desk;
      return undefined;
    }
    let isLatest = true;
    describe(source.value).then((description) => {
      if (!isLatest) return;
      const line = query.get("position") || description.start;
      const first = readLine(description, line) ?? emptyPosition(description);
      desk.value = { game: source.value, description, history: new History(first), answer: signal(null) };
      before = { from: key, desk: desk.value };
      problem.value = "";
    }, (error) => { if (isLatest) problem.value = sentenceOf(error); });
    return () => { isLatest = false; };
  }, [key]);
  return html`
    <div class="editor-columns">
      ${desk.value ? html`<${Desk} key=${desk.value.description} ...${desk.value} />` : html`<div class="editor-main"></div>`}
      <aside class="editor-side stack">
        <section class="panel stack">
          <${GameField} />
          ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
        </section>
        ${desk.value && html`<${Details} key=${desk.value.description} ...${desk.value} />`}
      </aside>
    </div>`;
}

/**
 * The description of a game of ours, or of one on somebody's own map.
 * @param {{spec: string, map: string}} game
 * @returns {Promise<Description>}
 */
async function describe(game) {
  const { description, problem } = await post("/api/check", game);
  if (!description) throw new Problem(problem);
  return description;
}

/** @param {Desk} desk */
function Desk({ game, description, history, answer: said }) {
  const brush = useSignal(1);
  const stroke = useSignal(false);
  const position = history.now.value;
  const brushes = brushesOf(description);
  const answer = useCheck({ ...game, position: positionLine(description, position) }, said).value;
  const put = (/** @type {number} */ cell) => {
    if (history.now.value.tiles[cell] === brush.value) return;
    const tiles = history.now.value.tiles.with(cell, brush.value);
    history.set({ ...history.now.value, tiles }, stroke.value);
    stroke.value = true;
  };
  const press = (/** @type {KeyboardEvent} */ event) => {
    stroke.value = false;
    const chosen = brushOf(event, brushes);
    if (chosen) brush.value = chosen.tile;
    onUndoKeys(event, history);
  };
  const legal = answer && !answer.problem ? answer.moves.map((move) => cellOf(description, move)).filter((cell) => cell >= 0) : [];
  const counts = scores(position.tiles, description.seats);
  return html`
    <div class="editor-main stack" onKeyDown=${press} onPointerDown=${() => { stroke.value = false; }}>
      <div class="editor-bar">
        <${Palette} legend=${words.editor.position.brush} brushes=${brushes} chosen=${brush.value} theme=${description.plan.theme}
          paints=${description.plan.seats} onChoose=${(/** @type {number} */ tile) => { brush.value = tile; }} />
        <${UndoButtons} history=${history} />
      </div>
      <${ZoomableBoard} name="editor-board" plan=${description.plan} config=${{
        tiles: position.tiles, legal, turn: position.turn, selectable: true, paint: true, animate: false,
        title: words.editor.position.board, onSelect: put,
        label: (/** @type {number} */ cell, /** @type {number} */ tile) =>
          words.editor.cell(description.plan.names[cell] ?? "", nameOf(description, tile)),
      }} />
      <p class="editor-scores soft">${description.plan.seats.map((seat, at) => html`
        <span class="tag number">${words.editor.position.scores(seat.name, counts[at] ?? 0)}</span> `)}</p>
    </div>`;
}

/** @param {Desk} desk */
function Details({ game, description, history, answer }) {
  const position = history.now.value;
  const line = positionLine(description, position);
  const { start, clear, begin } = words.editor.position;
  return html`
    <section class="panel stack">
      <div class="field"><span id="editor-begin">${begin}</span>
        <div class="row" role="group" aria-labelledby="editor-begin">
          <button type="button" class="button" onClick=${() => history.set(startPosition(description))}>${start}</button>
          <button type="button" class="button" onClick=${() => history.set(emptyPosition(description))}>${clear}</button>
        </div>
      </div>
      <${SeatFields} description=${description} position=${position} onChange=${(/** @type {Position} */ next) => history.set(next)} />
      <${LineField} game=${game} description=${description} line=${line} onRead=${(/** @type {Position} */ next) => history.set(next)} />
      <${Verdict} answer=${answer.value} />
      <${PlayButton} setup=${{ ...(game.map ? { map: game.map } : { spec: description.spec }), position: line }}
        disabled=${!answer.value || answer.value.problem !== null || answer.value.is_over} />
    </section>`;
}

/**
 * What can lie on a cell of the game, with the keys that choose it.
 * @param {Description} description
 * @returns {import("./palette.js").Brush[]}
 */
function brushesOf(description) {
  const stones = description.plan.seats.map((seat, at) => ({ key: String(at + 1), tile: at + 1, name: seat.name }));
  const special = [["h", TILES.hole], ["c", TILES.choice], ["i", TILES.inversion], ["b", TILES.bonus], ["x", TILES.expansion]];
  return [
    { key: "f", tile: TILES.empty, name: words.editor.position.empty },
    ...stones,
    ...(description.is_xt ? special : []).map(([key, tile]) =>
      ({ key: String(key), tile: Number(tile), name: nameOf(description, Number(tile)) })),
  ];
}

/**
 * @param {Description} description
 * @param {number} tile
 */
function nameOf(description, tile) {
  if (tile === TILES.empty) return words.editor.position.empty;
  if (tile === TILES.hole) return words.editor.position.bombed;
  const symbol = Object.entries(description.symbols).find(([, number]) => number === tile)?.[0] ?? "";
  return description.plan.seats[tile - 1]?.name ?? words.editor.tile(symbol);
}
