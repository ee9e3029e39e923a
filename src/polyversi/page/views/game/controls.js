/** The buttons of a game: replay, hint, take back, resign, sound, share. */
import { announce } from "../../app/announcer.js";
import { sentenceOf } from "../../app/api.js";
import { html, signal, useEffect, useRef, useSignal } from "../../app/html.js";
import { sound } from "../../app/settings.js";
import { CopyButton, Icon, IconButton } from "../../components/icons.js";
import { Steps } from "../../components/replay.js";

/** @import { GameModel } from "../../app/game.js" */

/** The hint that is shown: for which game, at which ply, and where. */
export const hint = signal({ game: "", ply: -1, cell: -1 });

/** Whether everybody else is a computer. @param {GameModel} model */
function isAlone(model) {
  const kinds = model.info.value?.kinds ?? [];
  const own = model.seats.value;
  return own.length > 0 && kinds.every((kind, index) => kind === "computer" || own.includes(index + 1));
}

/** @param {GameModel} model */
const mayHint = (model) => model.ownTurn.value > 0 && isAlone(model);

/** Shows a good move. @param {GameModel} model */
export async function askHint(model) {
  if (!mayHint(model)) return;
  const ply = model.plies.value.length;
  try {
    const { move, cell } = await model.hint();
    if (ply !== model.plies.value.length) return;
    model.viewedPly.value = null;
    hint.value = { game: model.id, ply, cell };
    announce(`Hint: ${move}`);
  } catch (error) {
    model.problem.value = sentenceOf(error);
  }
}

/** Pixels between a box and the place it belongs to, or the edge of the window. */
const MARGIN = 8;

/**
 * Puts an open menu or dialog below a place on the screen, or above it where there is no room.
 * @param {HTMLElement} box
 * @param {DOMRect} place
 */
export function placeBeside(box, place) {
  const { width, height } = box.getBoundingClientRect();
  const left = place.left + (place.width - width) / 2;
  const below = place.bottom + MARGIN;
  const top = below + height < innerHeight ? below : place.top - height - MARGIN;
  box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  box.style.top = `${Math.max(MARGIN, top)}px`;
}

/** @type {Record<string, string>} */
const FILES = {
  txt: "Moves as text",
  jsonl: "Record (JSON Lines)",
  ggf: "Record (GGF)",
  svg: "Picture (SVG)",
  png: "Picture (PNG)",
  gif: "Animation (GIF)",
};

/** @param {{model: GameModel}} props */
function ShareMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const ply = model.shown.value?.ply ?? 0;
  const page = `${location.origin}/game/${model.id}`;
  const opened = () => {
    if (button.current && menu.current?.matches(":popover-open")) {
      placeBeside(menu.current, button.current.getBoundingClientRect());
    }
  };
  return html`
    <button ref=${button} class="button icon" popovertarget="share-menu" aria-label="Share and save"
      title="Share and save"><${Icon} name="share" /></button>
    <div ref=${menu} id="share-menu" class="menu" popover onToggle=${opened} role="group" aria-label="Share and save">
      <${CopyButton} look="quiet" text=${`${page}?ply=${ply}`} label="Copy a link to this position" />
      <${CopyButton} look="quiet" text=${page} label="Copy a link to the game" />
      ${(model.description.value?.files ?? []).map((file) => html`
        <a key=${file} class="button quiet" download=${`polyversi-${model.id}.${file}`}
          href=${`/games/${model.id}.${file}${file === "svg" || file === "png" ? `?ply=${ply}` : ""}`}>
          ${FILES[file] ?? file}</a>`)}
    </div>`;
}

/** Asks once more before the game is given up. @param {{model: GameModel}} props */
function Resign({ model }) {
  const asking = useSignal(/** @type {boolean|null} */ (null));
  const group = useRef(/** @type {HTMLSpanElement|null} */ (null));
  useEffect(() => { if (asking.value !== null) group.current?.querySelector("button")?.focus(); }, [asking.value]);
  const ask = (/** @type {boolean} */ now) => { asking.value = now; };
  if (!asking.value) {
    return html`<span key="quiet" class="sure" ref=${group}>
      <${IconButton} icon="flag" label="Resign" onClick=${() => ask(true)} /></span>`;
  }
  return html`
    <span key="asking" class="sure" ref=${group} role="group" aria-label="Resign the game?">
      <button class="button danger" onClick=${() => { ask(false); model.resign(); }}>Resign</button>
      <button class="button" onClick=${() => ask(false)}>No</button>
    </span>`;
}

/** What a player can do besides moving. @param {{model: GameModel}} props */
function PlayerActions({ model }) {
  const alone = isAlone(model);
  const hasMoved = model.plies.value.some(({ seat, forced }) => model.seats.value.includes(seat) && !forced);
  return html`
    ${alone && html`
      <${IconButton} icon="bulb" label="Hint" disabled=${!mayHint(model)} onClick=${() => askHint(model)} />`}
    <${IconButton} icon="undo" label=${alone ? "Take back" : "Ask to take back"}
      disabled=${!hasMoved || model.pending.value !== null} onClick=${() => model.undo()} />
    <${Resign} model=${model} />`;
}

/** @param {{model: GameModel}} props */
export function Controls({ model }) {
  const isPlaying = model.seats.value.length > 0 && model.phase.value === "running";
  return html`
    <div class="controls">
      <${Steps} model=${model} />
      <div class="actions">
        ${isPlaying && html`<${PlayerActions} model=${model} />`}
        <${IconButton} icon=${sound.value ? "sound" : "mute"} label=${sound.value ? "Sound off" : "Sound on"}
          onClick=${() => { sound.value = !sound.value; }} />
        <${ShareMenu} model=${model} />
      </div>
    </div>`;
}
