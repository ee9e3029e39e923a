/** The position editor: stones, special tiles, turn and stocks of any game. */
import { loadCatalogue, post, Problem, sentenceOf, useVariants } from "../../app/api.js";
import { isChecked, valueOf } from "../../app/dom.js";
import { edited as editedSpec, takeEdited } from "../../app/handover.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { cellOf, parsePosition, scores, tileName } from "../../app/position.js";
import { readSpec, specOf } from "../../app/specs.js";
import { common } from "../../app/words.js";
import { EMPTY } from "../../board/config.js";
import { ChoiceField, NumberInput, Select, VariantOptions } from "../../components/forms.js";
import { CopyButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { brushesOf, CheckResult, drawnMap, History, PaintBoard, PlayButton, source, useCheck } from "./shared.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Position } from "../../app/position.js" */
/** @import { Description, Paint } from "../../app/types.js" */
/** @import { Values } from "../../app/specs.js" */
/** @import { Answer } from "./shared.js" */

/** @param {Description} description @param {Position} position */
function positionLine(description, position) {
  const symbols = Object.fromEntries(Object.entries(description.symbols).map(([symbol, tile]) => [tile, symbol]));
  const line = [position.tiles.map((tile) => symbols[tile]).join(""), description.seat_symbols[position.turn - 1]];
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

/** The start position. @param {Description} description */
const startOf = (description) => parsePosition(description, description.start);

/** An empty board of the game, with the first seat to move. @param {Description} description @returns {Position} */
function emptyPosition(description) {
  const start = startOf(description);
  return { ...start, tiles: start.tiles.map(() => EMPTY), turn: 1 };
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
    <${ChoiceField} label=${t("Variant")} name=${map ? OWN_MAP : name} title=${variant?.label}
      info=${map ? undefined : variant} values=${values} onChange=${change}>
      ${drawnMap.value && html`<option value=${OWN_MAP}>${t("your map")}</option>`}
      <${VariantOptions} variants=${variants} />
    <//>`;
}

/**
 * The position as a line; what is being written, if anything, is in `draft`.
 * @param {{game: {spec: string, map: string}, description: Description, line: string, draft: Signal<string | null>,
 *   onRead: (position: Position) => void}} props
 */
function LineField({ game, description, line, draft, onRead }) {
  const unread = draft.value !== null && !readLine(description, draft.value) ? draft.value : null;
  const answer = useCheck(unread === null ? null : { ...game, position: unread || " " });
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
        <span>${t("Position line")}</span>
        <textarea class="digits editor-line" rows="3" spellcheck=${false} autocomplete="off" autocapitalize="off"
          value=${draft.value ?? line} onInput=${(/** @type {Event} */ event) => write(valueOf(event))}
          onBlur=${() => { if (unread === null) draft.value = null; }}></textarea>
      </label>
      ${unread !== null && html`<${CheckResult} answer=${answer} />`}
      <div class="row"><${CopyButton} text=${line} label=${common.copy} /></div>
    </div>`;
}

const MAX_STOCK = 9999;

/** @param {{description: Description, position: Position, onChange: (changes: Partial<Position>) => void}} props */
function SeatFields({ description, position, onChange }) {
  return html`
    <div class="row editor-turn">
      <${Select} class="grow" label=${t("To move")} value=${position.turn}
          onChange=${(/** @type {string} */ seat) => onChange({ turn: Number(seat), passes: 0 })}>
        ${description.plan.seats.map((seat, at) => html`<option value=${at + 1}>${t(seat.name)}</option>`)}<//>
      ${description.phases.length > 1 && html`
        <${Select} class="grow" label=${t("Phase")} value=${position.phase}
          options=${{ build: t("building"), bomb: t("bombing") }}
          onChange=${(/** @type {"build"|"bomb"} */ phase) => onChange({ phase })} />`}
    </div>
    ${description.has_stocks && html`
      <${Stocks} seats=${description.plan.seats} position=${position} onChange=${onChange} />`}`;
}

/** @param {{seats: Paint[], position: Position, onChange: (changes: Partial<Position>) => void}} props */
function Stocks({ seats, position, onChange }) {
  const stock = (
    /** @type {"overrides"|"bombs"} */ kind, /** @type {string} */ label, /** @type {number} */ at,
  ) => html`
    <td><${NumberInput} low=${0} high=${MAX_STOCK} value=${position[kind][at]} aria-label=${label}
      onNumber=${(/** @type {number} */ count) => onChange({ [kind]: position[kind].with(at, count) })} /></td>`;
  const disqualify = (/** @type {number} */ seat, /** @type {boolean} */ isOut) => {
    const others = position.out.filter((one) => one !== seat);
    onChange({ out: isOut ? [...others, seat].sort() : others });
  };
  return html`
    <table class="editor-stocks" aria-label=${t("What each seat has left")}>
      <thead><tr><th scope="col">${t("Seat")}</th><th scope="col">${t("Overrides")}</th>
        <th scope="col">${t("Bombs")}</th><th scope="col">${t("Out")}</th></tr></thead>
      <tbody>${seats.map(({ name }, at) => html`
        <tr>
          <th scope="row">${t(name)}</th>
          ${stock("overrides", `${t(name)}: ${t("Overrides")}`, at)}${stock("bombs", `${t(name)}: ${t("Bombs")}`, at)}
          <td><input type="checkbox" checked=${position.out.includes(at + 1)} aria-label=${`${t(name)}: ${t("Out")}`}
            onChange=${(/** @type {Event} */ event) => disqualify(at + 1, isChecked(event))} /></td>
        </tr>`)}</tbody>
    </table>`;
}

/**
 * @typedef {{game: {spec: string, map: string}, description: Description, history: History<Position>,
 *   answer: Signal<Answer | null>}} EditedGame a game, its position and the server's check of it
 */

/** What was set up last, for when the editor is opened again. @type {{key: string, game: EditedGame} | null} */
let before = null;

/** @param {{query: URLSearchParams}} props */
export function PositionEditor({ query }) {
  const edited = useSignal(/** @type {EditedGame | null} */ (null));
  const problem = useSignal("");
  const { spec, map } = source.value;
  const key = `${spec}\n${map}`;
  const given = useSignal({ count: 0, position: "" });
  useEffect(() => {
    const handed = query.get("from") === "game" ? takeEdited() : null;
    const wanted = handed ?? { spec: query.get("spec") ?? "", map: "", position: query.get("position") ?? "" };
    if (!wanted.spec && !wanted.map) return;
    if (handed) before = null;
    if (wanted.map) drawnMap.value = wanted.map;
    source.value = { spec: wanted.map ? "" : wanted.spec ?? "", map: wanted.map ?? "" };
    given.value = { count: given.value.count + 1, position: wanted.position ?? "" };
  }, [query]);
  useEffect(() => { editedSpec.value = spec; }, [spec]);
  useEffect(() => {
    if (before?.key === key) {
      edited.value = before.game;
      return undefined;
    }
    let isLatest = true;
    if (!spec && !map) {
      loadCatalogue().then(({ variant }) => {
        const { spec: chosen, map: drawn } = source.peek();    // what the address asks for may have come first
        if (isLatest && !chosen && !drawn) source.value = { spec: variant, map: "" };
      }).catch((error) => { if (isLatest) problem.value = sentenceOf(error); });
    } else post("/api/check", source.value).then((/** @type {Answer} */ { description, problem: found }) => {
      if (!isLatest) return;
      if (!description) throw new Problem(found ?? "");
      const line = given.value.position || description.start;
      const first = readLine(description, line) ?? emptyPosition(description);
      edited.value = { game: source.value, description, history: new History(first), answer: signal(null) };
      before = { key, game: edited.value };
      problem.value = "";
    }).catch((error) => { if (isLatest) problem.value = sentenceOf(error); });
    return () => { isLatest = false; };
  }, [key, given.value.count]);
  return html`
    <div class="editor-columns">
      ${edited.value
        ? html`<${PositionBoard} key=${edited.value.description} ...${edited.value} />`
        : html`<div class="editor-main"></div>`}
      <aside class="editor-side stack">
        <section class="panel stack">
          <${GameField} />
          <${Alert} text=${problem.value} />
        </section>
        ${edited.value && html`<${Details} key=${edited.value.description} ...${edited.value} />`}
      </aside>
    </div>`;
}

/** @param {EditedGame} props */
function PositionBoard({ game, description, history, answer: shared }) {
  const brush = useSignal(1);
  const position = history.now.value;
  const { plan } = description;
  const answer = useCheck({ ...game, position: positionLine(description, position) }, shared);
  const paint = (/** @type {number} */ cell, /** @type {boolean} */ same) => {
    const { tiles } = history.now.value;
    if (tiles[cell] !== brush.value) history.set({ ...history.now.value, tiles: tiles.with(cell, brush.value) }, same);
  };
  const moves = answer && !answer.problem ? answer.moves : [];
  const counts = scores(position.tiles, description.seats);
  return html`
    <${PaintBoard} legend=${t("Tile to place")} brushes=${brushesOf(description.tiles, plan.seats, 1)} brush=${brush}
      history=${history} plan=${plan} onPaint=${paint}
      config=${{
        tiles: position.tiles, turn: position.turn, title: t("Position being set up"),
        legal: moves.map((move) => cellOf(description, move)).filter((cell) => cell >= 0),
        label: (/** @type {number} */ cell, /** @type {number} */ tile) =>
          `${plan.names[cell]}, ${tileName(description, tile)}`,
      }}>
      <p class="editor-scores soft">${plan.seats.map((seat, at) => html`
        <span class="tag number">${t(seat.name)}: ${number(counts[at])}</span> `)}</p>
    <//>`;
}

/** @param {EditedGame} props */
function Details({ game, description, history, answer }) {
  const position = history.now.value;
  const line = positionLine(description, position);
  const draft = useSignal(/** @type {string | null} */ (null));
  const isUnread = draft.value !== null && !readLine(description, draft.value);
  const isFine = answer.value && answer.value.problem === null && !answer.value.is_over && !isUnread;
  const button = (/** @type {string} */ label, /** @type {(description: Description) => Position} */ make) => html`
    <button type="button" class="button" onClick=${() => history.set(make(description))}>${label}</button>`;
  return html`
    <section class="panel stack">
      <div class="field"><span id="editor-begin">${t("Start from")}</span>
        <div class="row" role="group" aria-labelledby="editor-begin">
          ${button(t("Start position"), startOf)}${button(t("Empty board"), emptyPosition)}
        </div>
      </div>
      <${SeatFields} description=${description} position=${position}
        onChange=${(/** @type {Partial<Position>} */ changes) => history.set({ ...position, ...changes })} />
      <${LineField} game=${game} description=${description} line=${line} draft=${draft}
        onRead=${(/** @type {Position} */ next) => history.set(next)} />
      ${!isUnread && html`<${CheckResult} answer=${answer.value} />`}
      <${PlayButton} setup=${{ ...(game.map ? { map: game.map } : { spec: description.spec }), position: line }}
        disabled=${!isFine} />
    </section>`;
}
