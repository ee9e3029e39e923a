/** The buttons of a game: looking back, hint, taking back, resigning, sound, sharing. */
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { sound } from "../../app/settings.js";
import { words } from "../../words/words.js";
import { IconButton } from "../parts/iconbutton.js";
import { askHint, isAlone, mayHint, mayUndo } from "./actions.js";
import { ShareMenu } from "./share.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

/** @param {{model: GameModel}} props */
function Steps({ model }) {
  const total = model.plies.value.length;
  const ply = Math.min(model.at.value ?? total, total);
  const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {number} */ to, look = "") => html`
    <${IconButton} icon=${icon} label=${label} look=${look} disabled=${to === ply || to < 0 || to > total}
      onClick=${() => model.look(to)} />`;
  return html`
    <div class="steps">
      ${step("start", words.game.toStart, 0, "roomy")}
      ${step("back", words.game.back, ply - 1)}
      ${step("on", words.game.on, ply + 1)}
      ${step("end", words.game.toEnd, total, "roomy")}
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
      <${IconButton} icon="flag" label=${words.game.resign} onClick=${() => ask(true)} /></span>`;
  }
  return html`
    <span key="asking" class="sure" ref=${group} role="group" aria-label=${words.game.resignSure}>
      <button class="button danger" onClick=${() => { ask(false); model.resign(); }}>${words.game.resign}</button>
      <button class="button" onClick=${() => ask(false)}>${words.game.no}</button>
    </span>`;
}

/** What a player can do besides moving. @param {{model: GameModel}} props */
function PlayerActions({ model }) {
  const alone = isAlone(model);
  return html`
    ${alone && html`
      <${IconButton} icon="bulb" label=${words.game.hint} disabled=${!mayHint(model)} onClick=${() => askHint(model)} />`}
    <${IconButton} icon="undo" label=${alone ? words.game.undo : words.game.askUndo} disabled=${!mayUndo(model)}
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
        <${IconButton} icon=${sound.value ? "sound" : "mute"} label=${sound.value ? words.game.mute : words.game.unmute}
          onClick=${() => { sound.value = !sound.value; }} />
        <${ShareMenu} model=${model} />
      </div>
    </div>`;
}
