/** What both editors use: undo history, palette, the server's check, and the button to play. */
import { asSentence, post, sentenceOf } from "../../app/api.js";
import { isTyping } from "../../app/dom.js";
import { computed, html, signal, useEffect, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { EXPANSION, HOLE } from "../../board/config.js";
import { SYMBOLS } from "../../board/looks.js";
import { IconButton } from "../../components/icons.js";
import { words } from "./words.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Description, Paint } from "../../app/types.js" */

/** The game: a specification, or the text of a map. */
export const source = signal({ spec: "othello", map: "" });
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
    this.canUndo = computed(() => this.past.value.length > 0);
    this.canRedo = computed(() => this.future.value.length > 0);
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

  /**
   * @param {Signal<T[]>} from
   * @param {Signal<T[]>} to
   */
  #move(from, to) {
    const value = from.value.at(-1);
    if (value === undefined) return;
    to.value = [...to.value, this.now.value];
    from.value = from.value.slice(0, -1);
    this.now.value = value;
  }
}

/** @param {{history: History<any>}} props */
export function UndoButtons({ history }) {
  return html`
    <div class="row editor-undo">
      <${IconButton} icon="undo" label=${words.undo} title=${`${words.undo} (Ctrl+Z)`}
        disabled=${!history.canUndo.value} onClick=${() => history.undo()} />
      <${IconButton} icon="redo" label=${words.redo} title=${`${words.redo} (Ctrl+Shift+Z)`}
        disabled=${!history.canRedo.value} onClick=${() => history.redo()} />
    </div>`;
}

/**
 * @param {KeyboardEvent} event
 * @param {History<any>} history
 */
export function onUndoKeys(event, history) {
  if (!(event.ctrlKey || event.metaKey) || isWriting(event)) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) history.undo();
  else if (key === "y" || key === "z") history.redo();
  else return;
  event.preventDefault();
}

/** Whether the keys belong to a field that has an undo of its own. @param {KeyboardEvent} event */
function isWriting(event) {
  const isRadio = event.target instanceof HTMLInputElement && event.target.type === "radio";
  return isTyping(event) && !isRadio;
}

/** @typedef {{key: string, tile: number, name: string}} Brush a tile, the key that chooses it, and what it is called */

/** @type {Record<number, string>} */
const SIGNS = { ...SYMBOLS, [EXPANSION]: "m-5-5l10 10m0-10l-10 10" };

/**
 * @param {{legend: string, brushes: Brush[], chosen: number, theme: string, paints: Paint[], onChoose: (tile: number) => void}} props
 */
export function Palette({ legend, brushes, chosen, theme, paints, onChoose }) {
  return html`
    <fieldset class="palette">
      <legend>${legend}</legend>
      <div class="palette-tiles">
        ${brushes.map(({ key, tile, name }) => html`
          <label class="palette-tile" title=${`${name} (${key})`}>
            <input type="radio" name="palette" class="visually-hidden" checked=${chosen === tile} onChange=${() => onChoose(tile)} />
            <${TilePicture} tile=${tile} theme=${theme} paints=${paints} />
            <span class="visually-hidden">${name}</span>
          </label>`)}
      </div>
    </fieldset>`;
}

/** @param {{tile: number, theme: string, paints: Paint[]}} props */
function TilePicture({ tile, theme, paints }) {
  const paint = paints[tile - 1];
  return html`
    <svg class=${`tile-picture ${theme} ${tile === HOLE ? "hole" : ""}`} viewBox="-20 -20 40 40" aria-hidden="true">
      ${paint && html`<circle r="15" fill=${paint.fill} /><text y="6" fill=${paint.ink}>${paint.sign}</text>`}
      ${tile === EXPANSION && html`<circle r="15" class="nobody" />`}
      ${SIGNS[tile] && html`<path class=${tile === EXPANSION ? "on-stone" : ""} d=${`M0 0${SIGNS[tile]}`} />`}
    </svg>`;
}

/**
 * The brush whose key was pressed, if any; keys with a modifier are not ours.
 * @param {KeyboardEvent} event
 * @param {Brush[]} brushes
 */
export function brushOf(event, brushes) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return brushes.find(({ key }) => key === event.key.toLowerCase());
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
 * @param {{spec?: string, map?: string, position?: string} | null} question
 * @param {Signal<Answer | null>} [shared] where others see the answer too
 */
export function useCheck(question, shared) {
  const own = useSignal(/** @type {Answer | null} */ (null));
  const answer = shared ?? own;
  const asked = JSON.stringify(question);
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
  }, [asked]);
  return answer;
}

/**
 * What the server says, in a sentence; the place of what was wrong can be gone to.
 * @param {{answer: Answer | null, onPlace?: (line: number, column: number) => void}} props
 */
export function CheckResult({ answer, onPlace }) {
  let said = html`<p class="soft">${words.checking}</p>`;
  if (answer?.problem) {
    const { line, column } = answer;
    said = html`<div class="problem stack tight"><p>${asSentence(answer.problem)}</p>
      ${onPlace && line && column && html`
        <button type="button" class="button" onClick=${() => onPlace(line, column)}>${words.map.goTo(line, column)}</button>`}
    </div>`;
  } else if (answer) {
    said = html`<p class=${`editor-fine ${answer.is_over ? "over" : ""}`}>${answer.is_over ? words.over : words.fine} ${movesOf(answer)}</p>`;
  }
  return html`<div class="editor-check" role="status">${said}</div>`;
}

/** @param {Answer} answer */
function movesOf({ description, position, moves, count, is_over: isOver }) {
  const symbol = position.split(" ")[1] ?? "";
  const seat = description?.plan.seats[description.seat_symbols.indexOf(symbol)]?.name;
  return seat && !isOver ? words.moves(common.capital(seat), count ?? moves.length) : "";
}

/** Leaves what was edited to the play view and goes there. @param {{setup: {spec?: string, map?: string, position?: string}, disabled?: boolean}} props */
export function PlayButton({ setup, disabled = false }) {
  const play = () => {
    sessionStorage.setItem("polyversi.setup", JSON.stringify(setup));
    go("/play?from=editor");
  };
  return html`<button type="button" class="button primary big" disabled=${disabled} onClick=${play}>${words.play}</button>`;
}
