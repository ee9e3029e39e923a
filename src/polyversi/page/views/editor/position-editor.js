/** The position editor: stones, special tiles, turn and stocks of any game. */
import { post, Problem, sentenceOf, useVariants } from "../../app/api.js";
import { isChecked, valueOf } from "../../app/dom.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { cellOf, parsePosition, scores, tileName } from "../../app/position.js";
import { common } from "../../app/words.js";
import { ZoomableBoard } from "../../components/board.js";
import { ChoiceField, NumberInput, readSpec, Select, specOf, VariantOptions } from "../../components/forms.js";
import { CopyButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { brushOf, CheckResult, drawnMap, History, onUndoKeys, Palette, PlayButton, source, UndoButtons, useCheck } from "./shared.js";
import { words } from "./words.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Position } from "../../app/position.js" */
/** @import { Description, Paint } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */
/** @import { Answer, Brush } from "./shared.js" */

/**
 * @param {Description} description
 * @param {Position} position
 */
function positionLine(description, position) {
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
function readLine(description, line) {
  const [cells = "", seat = "", ...rest] = line.trim().split(/\s+/);
  const isKnown = [...cells].every((symbol) => symbol in description.symbols);
  if (!isKnown || cells.length !== description.plan.x.length) return null;
  const position = parsePosition(description, [cells, seat.toUpperCase(), ...rest].join(" "));
  return position.turn > 0 ? position : null;
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
function emptyPosition(description) {
  const start = startPosition(description);
  return { ...start, tiles: start.tiles.map(() => 0), turn: 1 };
}

/** The value of the drawn map in the list of variants. */
const OWN_MAP = "map";

/** Chooses the game: a variant with its options, or the map that was drawn here. */
function GameField() {
  const variants = useVariants();
  const { spec, map } = source.value;
  const { name, values } = readSpec(spec, variants);
  const variant = variants.find((one) => one.name === name);
  const change = (/** @type {string} */ chosen, /** @type {Values} */ changed) => {
    if (chosen === OWN_MAP) source.value = { spec: "", map: drawnMap.value };
    else source.value = { spec: chosen === name && variant ? specOf(name, variant.options, changed) : chosen, map: "" };
  };
  return html`
    <${ChoiceField} label=${words.position.variant} name=${map ? OWN_MAP : name} title=${variant?.label}
      info=${map ? undefined : variant} values=${values} onChange=${change}>
      ${drawnMap.value && html`<option value=${OWN_MAP}>${words.position.ownMap}</option>`}
      <${VariantOptions} variants=${variants} />
    <//>`;
}

/**
 * @param {{game: {spec: string, map: string}, description: Description, line: string,
 *   onRead: (position: Position) => void}} props
 */
function LineField({ game, description, line, onRead }) {
  const draft = useSignal(/** @type {string | null} */ (null));
  const unread = draft.value !== null && !readLine(description, draft.value) ? draft.value : null;
  const answer = useCheck(unread === null ? null : { ...game, position: unread || " " }).value;
  // Whatever changes the position elsewhere replaces what is written here.
  useEffect(() => { if (unread === null) draft.value = null; }, [line]);

  const write = (/** @type {string} */ text) => {
    draft.value = text;
    const read = readLine(description, text);
    if (read) onRead(read);
  };
  return html`
    <div class="stack tight">
      <label class="field">
        <span>${words.position.line}</span>
        <textarea class="digits editor-line" rows="3" spellcheck=${false} autocomplete="off" autocapitalize="off" value=${draft.value ?? line}
          onInput=${(/** @type {Event} */ event) => write(valueOf(event))}
          onBlur=${() => { if (unread === null) draft.value = null; }}></textarea>
      </label>
      ${unread !== null && html`<${CheckResult} answer=${answer} />`}
      <div class="row"><${CopyButton} text=${line} label=${common.copy} /></div>
    </div>`;
}

const MAX_STOCK = 9999;

/** @param {{description: Description, position: Position, onChange: (position: Position) => void}} props */
function SeatFields({ description, position, onChange }) {
  const { turn, phase, phases } = words.position;
  return html`
    <div class="row editor-turn">
      <${Select} class="grow" label=${turn} value=${position.turn}
          onChange=${(/** @type {string} */ seat) => onChange({ ...position, turn: Number(seat), passes: 0 })}>
        ${description.plan.seats.map((seat, at) => html`<option value=${at + 1}>${seat.name}</option>`)}<//>
      ${description.phases.length > 1 && html`
        <${Select} class="grow" label=${phase} value=${position.phase} options=${phases}
          onChange=${(/** @type {"build"|"bomb"} */ chosen) => onChange({ ...position, phase: chosen })} />`}
    </div>
    ${description.has_stocks && html`<${Stocks} seats=${description.plan.seats} position=${position} onChange=${onChange} />`}`;
}

/** @param {{seats: Paint[], position: Position, onChange: (position: Position) => void}} props */
function Stocks({ seats, position, onChange }) {
  const { stocks, seat, overrides, bombs, out } = words.position;
  const disqualify = (/** @type {number} */ number, /** @type {boolean} */ isOut) => {
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
              <td><${NumberInput} low=${0} high=${MAX_STOCK} value=${position[kind][at]}
                aria-label=${`${name}: ${words.position[kind]}`}
                onNumber=${(/** @type {number} */ count) => onChange({ ...position, [kind]: position[kind].with(at, count) })} /></td>`)}
            <td><input type="checkbox" checked=${position.out.includes(at + 1)} aria-label=${`${name}: ${out}`}
              onChange=${(/** @type {Event} */ event) => disqualify(at + 1, isChecked(event))} /></td>
          </tr>`)}
      </tbody>
    </table>`;
}

/**
 * @typedef {{game: {spec: string, map: string}, description: Description, history: History<Position>,
 *   answer: Signal<Answer | null>}} EditedGame a game, its position and what the server says of it
 */

/** What was set up last, for when the editor is opened again. @type {{key: string, game: EditedGame} | null} */
let before = null;

/** @param {{query: URLSearchParams}} props */
export function PositionEditor({ query }) {
  const edited = useSignal(/** @type {EditedGame | null} */ (null));
  const problem = useSignal("");
  const { spec, map } = source.value;
  const key = `${spec}\n${map}`;
  useEffect(() => {
    const wanted = query.get("spec");
    if (wanted) source.value = { spec: wanted, map: "" };
  }, [query]);
  useEffect(() => {
    if (before?.key === key) {
      edited.value = before.game;
      return undefined;
    }
    let isLatest = true;
    describe(source.value).then((description) => {
      if (!isLatest) return;
      const line = query.get("position") || description.start;
      const first = readLine(description, line) ?? emptyPosition(description);
      edited.value = { game: source.value, description, history: new History(first), answer: signal(null) };
      before = { key, game: edited.value };
      problem.value = "";
    }, (error) => { if (isLatest) problem.value = sentenceOf(error); });
    return () => { isLatest = false; };
  }, [key]);
  return html`
    <div class="editor-columns">
      ${edited.value ? html`<${PositionBoard} key=${edited.value.description} ...${edited.value} />` : html`<div class="editor-main"></div>`}
      <aside class="editor-side stack">
        <section class="panel stack">
          <${GameField} />
          <${Alert} text=${problem.value} />
        </section>
        ${edited.value && html`<${Details} key=${edited.value.description} ...${edited.value} />`}
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

/** @param {EditedGame} props */
function PositionBoard({ game, description, history, answer: said }) {
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
        <${Palette} legend=${words.position.brush} brushes=${brushes} chosen=${brush.value} theme=${description.plan.theme}
          paints=${description.plan.seats} onChoose=${(/** @type {number} */ tile) => { brush.value = tile; }} />
        <${UndoButtons} history=${history} />
      </div>
      <${ZoomableBoard} name="editor-board" plan=${description.plan} config=${{
        tiles: position.tiles, legal, turn: position.turn, selectable: true, paint: true, animate: false,
        title: words.position.board, onSelect: put,
        label: (/** @type {number} */ cell, /** @type {number} */ tile) =>
          words.cell(description.plan.names[cell] ?? "", tileName(description, tile)),
      }} />
      <p class="editor-scores soft">${description.plan.seats.map((seat, at) => html`
        <span class="tag number">${words.position.scores(seat.name, counts[at] ?? 0)}</span> `)}</p>
    </div>`;
}

/** @param {EditedGame} props */
function Details({ game, description, history, answer }) {
  const position = history.now.value;
  const line = positionLine(description, position);
  const { start, clear, begin } = words.position;
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
      <${CheckResult} answer=${answer.value} />
      <${PlayButton} setup=${{ ...(game.map ? { map: game.map } : { spec: description.spec }), position: line }}
        disabled=${!answer.value || answer.value.problem !== null || answer.value.is_over} />
    </section>`;
}

/**
 * What can lie on a cell of the game, with the keys that choose it.
 * @param {Description} description
 * @returns {Brush[]}
 */
function brushesOf(description) {
  const stones = description.plan.seats.map((seat, at) => ({ key: String(at + 1), tile: at + 1, name: seat.name }));
  const [empty, ...special] = description.tiles;
  return [...(empty ? [empty] : []), ...stones, ...special];
}
