/** The buttons of a game: replay, hint, take back, resign, sound, share. */
import { announce } from "../../app/announcer.js";
import { sentenceOf } from "../../app/api.js";
import { html, signal, useEffect, useRef, useSignal } from "../../app/html.js";
import { sound } from "../../app/settings.js";
import { CopyButton, Icon, IconButton } from "../../components/icons.js";
import { Steps } from "../../components/replay.js";
import { words } from "./words.js";

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
function mayHint(model) {
  return model.ownTurn.value > 0 && isAlone(model);
}

/** @param {GameModel} model */
function mayUndo(model) {
  const own = model.seats.value;
  const hasMoved = model.plies.value.some(({ seat, forced }) => own.includes(seat) && !forced);
  return hasMoved && model.phase.value === "running" && !model.pending.value;
}

/** Shows a good move. @param {GameModel} model */
export async function askHint(model) {
  if (!mayHint(model)) return;
  const ply = model.plies.value.length;
  try {
    const { move, cell } = await model.hint();
    if (ply !== model.plies.value.length) return;
    model.viewedPly.value = null;
    hint.value = { game: model.id, ply, cell };
    announce(words.hinted(move));
  } catch (error) {
    model.problem.value = sentenceOf(error);
  }
}

/** Space that is kept between the menu and its button or the edge of the window. */
const MARGIN = 8;

/**
 * Puts an open menu above its button, or below where there is no room.
 * @param {HTMLElement} menu
 * @param {HTMLElement} button
 */
function place(menu, button) {
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const above = at.top - height - MARGIN;
  menu.style.left = `${Math.max(MARGIN, Math.min(at.right - width, innerWidth - width - MARGIN))}px`;
  menu.style.top = `${above >= MARGIN ? above : at.bottom + MARGIN}px`;
}

/** @param {{model: GameModel}} props */
function ShareMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const ply = model.shown.value?.ply ?? 0;
  const opened = () => {
    if (menu.current?.matches(":popover-open") && button.current) place(menu.current, button.current);
  };
  const address = (/** @type {string} */ file) =>
    `/games/${model.id}.${file}${file === "svg" || file === "png" ? `?ply=${ply}` : ""}`;
  return html`
    <button ref=${button} class="button icon" popovertarget="share-menu" aria-label=${words.share}
      title=${words.share}><${Icon} name="share" /></button>
    <div ref=${menu} id="share-menu" class="menu" popover onToggle=${opened} role="group" aria-label=${words.share}>
      <${CopyButton} look="quiet" text=${`${location.origin}/game/${model.id}?ply=${ply}`} label=${words.shareLink} />
      <${CopyButton} look="quiet" text=${`${location.origin}/game/${model.id}`} label=${words.shareGame} />
      ${(model.description.value?.files ?? []).map((file) => html`
        <a key=${file} class="button quiet" download=${`polyversi-${model.id}.${file}`} href=${address(file)}>
          ${words.files[file] ?? file}</a>`)}
    </div>`;
}

/** Asks once more before the game is given up. @param {{model: GameModel}} props */
function Resign({ model }) {
  const asking = useSignal(false);
  const group = useRef(/** @type {HTMLSpanElement|null} */ (null));
  const touched = useRef(false);
  useEffect(() => { if (touched.current) group.current?.querySelector("button")?.focus(); }, [asking.value]);
  const ask = (/** @type {boolean} */ now) => {
    touched.current = true;
    asking.value = now;
  };
  if (!asking.value) {
    return html`<span key="quiet" class="sure" ref=${group}>
      <${IconButton} icon="flag" label=${words.resign} onClick=${() => ask(true)} /></span>`;
  }
  return html`
    <span key="asking" class="sure" ref=${group} role="group" aria-label=${words.resignSure}>
      <button class="button danger" onClick=${() => { ask(false); model.resign(); }}>${words.resign}</button>
      <button class="button" onClick=${() => ask(false)}>${words.no}</button>
    </span>`;
}

/** What a player can do besides moving. @param {{model: GameModel}} props */
function PlayerActions({ model }) {
  const alone = isAlone(model);
  return html`
    ${alone && html`
      <${IconButton} icon="bulb" label=${words.hint} disabled=${!mayHint(model)} onClick=${() => askHint(model)} />`}
    <${IconButton} icon="undo" label=${alone ? words.undo : words.askUndo} disabled=${!mayUndo(model)}
      onClick=${() => model.undo()} />
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
        <${IconButton} icon=${sound.value ? "sound" : "mute"} label=${sound.value ? words.mute : words.unmute}
          onClick=${() => { sound.value = !sound.value; }} />
        <${ShareMenu} model=${model} />
      </div>
    </div>`;
}
