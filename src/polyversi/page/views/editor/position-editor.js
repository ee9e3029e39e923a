/** The position editor: stones, special tiles, turn and stocks of any game. */
import { announce } from "../../app/announcer.js";
import { allVariants, post, Problem, sentenceOf } from "../../app/api.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { cellOf, parsePosition, scores, tileName } from "../../app/position.js";
import { words } from "../../words/words.js";
import { ZoomableBoard } from "../../components/board.js";
import { NumberInput, OptionFields, readSpec, specOf, VariantOptions } from "../../components/forms.js";
import { Icon } from "../../components/icons.js";
import { readChart } from "./map-model.js";
import { brushOf, drawnMap, History, onUndoKeys, Palette, PlayButton, source, UndoButtons, useCheck, Verdict } from "./shared.js";

/** @import { Position } from "../../app/position.js" */
/** @import { Description, Variant } from "../../app/types.js" */

/**
 * @param {Description} description
 * @param {Position} position
 */
export function positionLine(description, position) {
  const symbols = Object.fromEntries(Object.entries(description.symbols).map(([symbol, tile]) => [tile, symbol]));
  const line = [position.tiles.map((tile) => symbols[tile] ?? "-").join(""), description.seat_symbols[position.turn - 1] ?? ""];
  if (position.passes) line.push(`passes=${position.passes}`);
  if (description.has_stocks) {
    if (position.phase === "bomb") line.push("phase=bomb");
    line.push(`overrides=${position.overrides.join("/")}`, `bombs=${position.bombs.join("/")}`);
    if (position.out.length > 0) line.push(`out=${position.out.join("/")}`);
  }
  return line.join(" ");
}

/**
 * The position of a line, or null where it cannot be drawn; what is wrong with it is for the server to say.
 * @param {Description} description
 * @param {string} line
 * @returns {Position | null}
 */
export function readLine(description, line) {
  const [cells = "", seat = "", ...rest] = line.trim().split(/\s+/);
  const isKnown = [...cells].every((symbol) => symbol in description.symbols);
  if (!isKnown || cells.length !== description.plan.x.length) return null;
  const position = parsePosition(description, [cells, seat.toUpperCase(), ...rest].join(" "));
  return position.turn > 0 ? withStocks(description, position) : null;
}

/**
 * The position with the stocks of every seat: a line leaves out what is as at the start.
 * @param {Description} description
 * @param {Position} position
 * @returns {Position}
 */
function withStocks(description, position) {
  if (!description.has_stocks) return position;
  const initial = readChart(description.map);
  const filled = (/** @type {number[]} */ stocks, /** @type {number} */ each) =>
    Array.from({ length: description.seats }, (_, at) => stocks[at] ?? each);
  return {
    ...position,
    overrides: filled(position.overrides, initial?.overrides ?? 0),
    bombs: filled(position.bombs, initial?.bombs ?? 0),
  };
}

/**
 * The position in which the game begins.
 * @param {Description} description
 * @returns {Position}
 */
export function startPosition(description) {
  return /** @type {Position} */ (readLine(description, description.start));
}

/**
 * An empty board of the game, with the first seat to move.
 * @param {Description} description
 * @returns {Position}
 */
export function emptyPosition(description) {
  const start = startPosition(description);
  return { ...start, tiles: start.tiles.map(() => 0), turn: 1 };
}

/** What the own map is called in the list of variants. */
const OWN = "map";

export function GameField() {
  const variants = useSignal(/** @type {Variant[]} */ ([]));
  useEffect(() => {
    allVariants().then((found) => { variants.value = found; }, () => {});
  }, []);
  const { spec, map } = source.value;
  const { name, values } = readSpec(spec, variants.value);
  const variant = variants.value.find((one) => one.name === name);
  const choose = (/** @type {string} */ chosen) => {
    source.value = chosen === OWN ? { spec: "", map: drawnMap.value } : { spec: chosen, map: "" };
  };
  return html`
    <label class="field">
      <span>${words.editor.position.variant}</span>
      <select value=${map ? OWN : name} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${drawnMap.value && html`<option value=${OWN}>${words.editor.position.ownMap}</option>`}
        <${VariantOptions} variants=${variants.value} />
      </select>
    </label>
    ${!map && variant && html`
      <p class="soft small">${variant.sentence}</p>
      <details>
        <summary>${words.editor.position.options(variant.label)}</summary>
        <${OptionFields} options=${variant.options} values=${values} onChange=${(/** @type {Record<string, string>} */ changed) => {
          source.value = { spec: specOf(name, variant.options, changed), map: "" };
        }} />
      </details>`}`;
}

/**
 * @param {{game: {spec: string, map: string}, description: import("../../app/types.js").Description, line: string,
 *   onRead: (position: import("../../app/position.js").Position) => void}} props
 */
export function LineField({ game, description, line, onRead }) {
  const draft = useSignal(/** @type {string | null} */ (null));
  const said = useSignal("");
  const unread = draft.value !== null && !readLine(description, draft.value) ? draft.value : null;
  const answer = useCheck(unread === null ? null : { ...game, position: unread || " " }).value;
  // Whatever changes the position elsewhere replaces what is written here.
  useEffect(() => { if (unread === null) draft.value = null; }, [line]);

  const write = (/** @type {string} */ text) => {
    draft.value = text;
    const read = readLine(description, text);
    if (read) onRead(read);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      said.value = words.editor.position.copied;
    } catch {
      said.value = words.editor.position.notCopied;
    }
    announce(said.value);
  };
  return html`
    <div class="stack tight">
      <label class="field">
        <span>${words.editor.position.line}</span>
        <textarea class="digits editor-line" rows="3" spellcheck=${false} autocomplete="off" autocapitalize="off" value=${draft.value ?? line}
          onInput=${(/** @type {any} */ event) => write(event.target.value)}
          onBlur=${() => { if (unread === null) draft.value = null; }}></textarea>
      </label>
      ${unread !== null && html`<${Verdict} answer=${answer} />`}
      <div class="row">
        <button type="button" class="button" onClick=${copy}><${Icon} name="copy" />${words.editor.position.copy}</button>
        ${said.value && html`<span class="soft small">${said.value}</span>`}
      </div>
    </div>`;
}

const MOST_STOCK = 9999;

/**
 * @param {{description: import("../../app/types.js").Description, position: Position, onChange: (position: Position) => void}} props
 */
export function SeatFields({ description, position, onChange }) {
  const { turn, phase, phases } = words.editor.position;
  return html`
    <div class="row editor-turn">
      <label class="field grow">
        <span>${turn}</span>
        <select value=${position.turn} onChange=${(/** @type {any} */ event) => onChange({ ...position, turn: Number(event.target.value), passes: 0 })}>
          ${description.plan.seats.map((seat, at) => html`<option value=${at + 1}>${seat.name}</option>`)}
        </select>
      </label>
      ${description.phases.length > 1 && html`
        <label class="field grow">
          <span>${phase}</span>
          <select value=${position.phase} onChange=${(/** @type {any} */ event) => onChange({ ...position, phase: event.target.value })}>
            ${Object.entries(phases).map(([name, text]) => html`<option value=${name}>${text}</option>`)}
          </select>
        </label>`}
    </div>
    ${description.has_stocks && html`<${Stocks} seats=${description.plan.seats} position=${position} onChange=${onChange} />`}`;
}

/** @param {{seats: import("../../app/types.js").Paint[], position: Position, onChange: (position: Position) => void}} props */
function Stocks({ seats, position, onChange }) {
  const { stocks, seat, overrides, bombs, out } = words.editor.position;
  const expel = (/** @type {number} */ number, /** @type {boolean} */ isOut) => {
    const others = position.out.filter((one) => one !== number);
    onChange({ ...position, out: isOut ? [...others, number].sort() : others });
  };
  return html`
    <table class="editor-stocks" aria-label=${stocks}>
      <thead><tr>${[seat, overrides, bombs, out].map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>
        ${seats.map(({ name }, at) => html`
          <tr>
            <th scope="row">${name}</th>
            ${/** @type {const} */ (["overrides", "bombs"]).map((kind) => html`
              <td><${NumberInput} low=${0} high=${MOST_STOCK} value=${position[kind][at]}
                aria-label=${`${name}: ${words.editor.position[kind]}`}
                onNumber=${(/** @type {number} */ count) => onChange({ ...position, [kind]: position[kind].with(at, count) })} /></td>`)}
            <td><input type="checkbox" checked=${position.out.includes(at + 1)} aria-label=${`${name}: ${out}`}
              onChange=${(/** @type {any} */ event) => expel(at + 1, event.target.checked)} /></td>
          </tr>`)}
      </tbody>
    </table>`;
}

/**
 * @typedef {{game: {spec: string, map: string}, description: Description, history: History<Position>,
 *   answer: import("../../vendor/signals-core.js").Signal<import("./shared.js").Answer | null>}} Desk a game, its position and what the server says of it
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
          words.editor.cell(description.plan.names[cell] ?? "", tileName(description, tile)),
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
 * @returns {import("./shared.js").Brush[]}
 */
function brushesOf(description) {
  const stones = description.plan.seats.map((seat, at) => ({ key: String(at + 1), tile: at + 1, name: seat.name }));
  const [empty, ...special] = description.tiles;
  return [...(empty ? [empty] : []), ...stones, ...special];
}
