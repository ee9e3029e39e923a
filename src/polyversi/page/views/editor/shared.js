/** What both editors use: undo history, a board to paint on, the server's check, and the button to play. */
import { asSentence, post, sentenceOf } from "../../app/api.js";
import { isTyping } from "../../app/dom.js";
import { analyse, playFrom } from "../../app/handover.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { themeOf } from "../../app/settings.js";
import { common } from "../../app/words.js";
import { EXPANSION, HOLE } from "../../board/config.js";
import { SYMBOLS } from "../../board/looks.js";
import { ZoomableBoard } from "../../components/board.js";
import { Icon, IconButton } from "../../components/icons.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Description, Paint, Plan, Tile } from "../../app/types.js" */

/** The game: a specification, or the text of a map; neither until the first game is known. */
export const source = signal({ spec: "", map: "" });
/** A map that was drawn here and can be played on, for positions on it. */
export const drawnMap = signal("");

/** How many steps can be taken back. */
const DEPTH = 200;

/** A value with its past and its future. @template T */
export class History {
  /** @param {T} first */
  constructor(first) {
    this.now = signal(first);
    this.past = signal(/** @type {T[]} */ ([]));
    this.future = signal(/** @type {T[]} */ ([]));
  }

  /**
   * Replaces the value.
   * @param {T} value
   * @param {boolean} [same] whether this belongs to the step before, as the cells of one stroke do
   */
  set(value, same = false) {
    if (value === this.now.value) return;
    if (!same) this.past.value = [...this.past.value.slice(1 - DEPTH), this.now.value];
    this.future.value = [];
    this.now.value = value;
  }

  undo() {
    this.#move(this.past, this.future);
  }

  redo() {
    this.#move(this.future, this.past);
  }

  /** @param {Signal<T[]>} from @param {Signal<T[]>} to */
  #move(from, to) {
    const value = from.value.at(-1);
    if (value === undefined) return;
    to.value = [...to.value, this.now.value];
    from.value = from.value.slice(0, -1);
    this.now.value = value;
  }
}

/** @param {{history: History<any>}} props */
function UndoButtons({ history }) {
  return html`
    <div class="row editor-undo">
      <${IconButton} icon="undo" label=${t("Undo")} title=${t("Undo (Ctrl+Z)")} disabled=${!history.past.value.length}
        onClick=${() => history.undo()} />
      <${IconButton} icon="redo" label=${t("Redo")} title=${t("Redo (Ctrl+Shift+Z)")} disabled=${!history.future.value.length}
        onClick=${() => history.redo()} />
    </div>`;
}

/**
 * @param {KeyboardEvent} event
 * @param {History<any>} history
 */
function onUndoKeys(event, history) {
  const isRadio = event.target instanceof HTMLInputElement && event.target.type === "radio";
  // Text fields have their own undo.
  if (!(event.ctrlKey || event.metaKey) || (isTyping(event) && !isRadio)) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) history.undo();
  else if (key === "y" || key === "z") history.redo();
  else return;
  event.preventDefault();
}

/**
 * The tiles that can be put down, with the stones of the seats after the first ones.
 * @param {Tile[]} tiles
 * @param {Paint[]} seats
 * @param {number} first
 * @returns {Tile[]}
 */
export function brushesOf(tiles, seats, first) {
  const stones = seats.map(({ name }, at) => ({ key: String(at + 1), tile: at + 1, name }));
  return [...tiles.slice(0, first), ...stones, ...tiles.slice(first)];
}

/**
 * A board to paint on, with its tiles and undo buttons; keys choose a tile and undo. Tools come before the tiles, and
 * a hint can take the place of the tiles.
 * @param {{legend: string, brushes: Tile[], brush: Signal<number>, history: History<any>, plan: Plan, config: object,
 *   onPaint: (cell: number, same: boolean) => void, tools?: any, hint?: any, children?: any}} props
 */
export function PaintBoard({ legend, brushes, brush, history, plan, config, onPaint, tools, hint, children }) {
  const stroke = useSignal(false);
  const press = (/** @type {KeyboardEvent} */ event) => {
    stroke.value = false;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const chosen = isPlain && !hint && brushes.find(({ key }) => key === event.key.toLowerCase());
    if (chosen) brush.value = chosen.tile;
    onUndoKeys(event, history);
  };
  const undo = html`<${UndoButtons} history=${history} />`;
  const palette = html`
    <fieldset class="palette">
      <legend>${legend}</legend>
      <div class="palette-tiles">${brushes.map(({ key, tile, name }) => html`
        <label class="palette-tile" title=${`${t(name)} (${key})`}>
          <input type="radio" name="palette" class="visually-hidden" checked=${brush.value === tile}
            onChange=${() => { brush.value = tile; }} />
          <${TilePicture} tile=${tile} plan=${plan} />
          <span class="visually-hidden">${t(name)}</span>
        </label>`)}</div>
    </fieldset>`;
  const select = (/** @type {number} */ cell) => {
    const before = history.now.value;
    onPaint(cell, stroke.value);
    if (history.now.value !== before) stroke.value = true;
  };
  return html`
    <div class="editor-main stack" onKeyDown=${press} onPointerDown=${() => { stroke.value = false; }}>
      <div class="editor-bar">${tools}${tools && undo}${hint ?? palette}${!tools && undo}</div>
      <${ZoomableBoard} name="editor-board" plan=${plan}
        config=${{ selectable: true, animate: false, paint: true, onSelect: select, ...config }} />
      ${children}
    </div>`;
}

/** @type {Record<number, string>} */
const SIGNS = { ...SYMBOLS, [EXPANSION]: "m-5-5l10 10m0-10l-10 10" };

/** @param {{tile: number, plan: Plan}} props */
function TilePicture({ tile, plan }) {
  const paint = plan.seats[tile - 1];
  return html`
    <svg class=${`tile-picture ${themeOf(plan)} ${tile === HOLE ? "hole" : ""}`} viewBox="-20 -20 40 40"
      aria-hidden="true">
      ${paint && html`<circle r="15" fill=${paint.fill} /><text y="6" fill=${paint.ink}>${paint.sign}</text>`}
      ${tile === EXPANSION && html`<circle r="15" class="nobody" />`}
      ${SIGNS[tile] && html`<path class=${tile === EXPANSION ? "on-stone" : ""} d=${`M0 0${SIGNS[tile]}`} />`}
    </svg>`;
}

/**
 * @typedef {object} Answer
 * @property {string|null} problem
 * @property {number|null} line
 * @property {number|null} column
 * @property {Description|null} description
 * @property {string} position the canonical position line
 * @property {string[]} moves legal moves, at most a few hundred of them
 * @property {number} [count] how many there are
 * @property {boolean} [is_over]
 */

/** Milliseconds after the last change before the server is asked. */
const DEBOUNCE = 250;

/**
 * The answer to the latest question, or null while it is on its way.
 * @param {{spec?: string, map?: string, position?: string}|null} question
 * @param {Signal<Answer|null>} [shared] where others see the answer too
 */
export function useCheck(question, shared) {
  const own = useSignal(/** @type {Answer|null} */ (null));
  const answer = shared ?? own;
  useEffect(() => {
    let isLatest = true;
    answer.value = null;
    const timer = setTimeout(async () => {
      if (!question) return;
      const found = await post("/api/check", question).catch((error) => ({ problem: sentenceOf(error), moves: [] }));
      if (isLatest) answer.value = found;
    }, DEBOUNCE);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [JSON.stringify(question)]);
  return answer.value;
}

/**
 * The server's answer in a sentence, with a button that goes to the place of a mistake.
 * @param {{answer: Answer|null, onPlace?: (line: number, column: number) => void}} props
 */
export function CheckResult({ answer, onPlace }) {
  let result = html`<p class="soft">${t("Checking…")}</p>`;
  if (answer?.problem) {
    const { line, column } = answer;
    result = html`<div class="problem stack tight"><p>${asSentence(answer.problem)}</p>
      ${onPlace && line && column && html`<button type="button" class="button" onClick=${() => onPlace(line, column)}>
        ${t("Go to line {line}, column {column}", { line, column })}</button>`}
    </div>`;
  } else if (answer?.is_over) result = html`<p class="editor-fine over">${t("The game is over in this position.")}</p>`;
  else if (answer) result = html`<p class="editor-fine">${t("This can be played.")} ${movesText(answer)}</p>`;
  return html`<div class="editor-check" role="status">${result}</div>`;
}

/** @param {Answer} answer */
function movesText({ description, position, moves, count = moves.length }) {
  const seat = description?.seat_symbols.indexOf(position.split(" ")[1] ?? "") ?? -1;
  const name = description?.plan.seats[seat]?.name;
  return name && plural(count, "{seat} has one legal move.", "{seat} has {count} legal moves.",
    { seat: common.capital(t(name)) });
}

/**
 * Hands what was edited to the play view or to the analysis, and goes there.
 * @param {{setup: {spec?: string, map?: string, position?: string}, disabled?: boolean}} props
 */
export function PlayButton({ setup, disabled = false }) {
  return html`
    <button type="button" class="button primary big" disabled=${disabled} onClick=${() => playFrom(setup)}>${t("Play from here")}</button>
    <button type="button" class="button big" disabled=${disabled} onClick=${() => analyse(setup)}>
      <${Icon} name="graph" />${t("Analyse")}</button>`;
}
