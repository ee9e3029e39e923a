/** The buttons of a game: single steps, hint, take back, resign, play from here, edit, sound, share. */
import { announce } from "../../app/announcer.js";
import { sentenceOf } from "../../app/api.js";
import { canPlay } from "../../app/features.js";
import { figure } from "../../app/figures.js";
import { edit, playFrom } from "../../app/handover.js";
import { html, signal, useEffect, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { sound } from "../../app/settings.js";
import { placeBeside } from "../../components/beside.js";
import { CopyButton, Icon } from "../../components/icons.js";
import { Steps } from "../../components/replay.js";

/** @import { Figure } from "../../board/config.js" */
/** @import { GameModel } from "../../app/game.js" */
/** @import { Setup } from "../../app/handover.js" */

/** The hint that is shown: for which game, at which ply, where, and what it is worth if anybody knows. */
export const hint = signal({ game: "", ply: -1, cell: -1, figures: /** @type {Figure[]} */ ([]) });

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
    const { move, cell, value, unit, exact } = await model.hint();
    if (ply !== model.plies.value.length) return;
    model.viewedPly.value = null;
    const text = value === null ? "" : figure(value, unit);
    hint.value = { game: model.id, ply, cell, figures: text && cell >= 0 ? [{ cell, text, tone: 0, exact }] : [] };
    announce(text ? t("Hint: {move}, value {value}", { move, value: text }) : t("Hint: {move}", { move }));
  } catch (error) {
    model.problem.value = sentenceOf(error);
  }
}

/** What is shown as something to play from or to edit. @param {GameModel} model @returns {Setup} */
export function setupOf(model) {
  const total = model.plies.value.length;
  const position = model.line(Math.min(model.viewedPly.value ?? total, total));
  const description = model.description.value;
  return { ...(model.info.value?.has_map ? { map: description?.map } : { spec: description?.spec }), position };
}

/** Whether the game may be analysed while it goes on: nobody who plays is ever helped. @param {GameModel} model */
const mayAnalyse = (model) => model.phase.value === "running" && (model.info.value?.kinds ?? [""]).every((kind) => kind === "computer");

/** Whether nothing is left to play in what is shown. @param {GameModel} model */
function isOverHere(model) {
  const [kind, ply] = [model.result.value?.verdict.kind, model.viewedPly.value];
  return ply === null && (kind === "win" || kind === "draw");
}

/**
 * A button with an icon, and with its name in a word where there is room.
 * @param {{icon: string, word: string, label?: string, look?: string, [attribute: string]: any}} props
 */
function Action({ icon, word, label = word, look = "", ...attributes }) {
  return html`<button type="button" class=${`button action ${look}`} aria-label=${label} title=${label} ...${attributes}>
    <${Icon} name=${icon} /><span class="action-word" aria-hidden="true">${word}</span></button>`;
}

const toggleSound = () => { sound.value = !sound.value; };
const soundLabel = () => (sound.value ? t("Sound off") : t("Sound on"));

/** @param {{model: GameModel}} props */
function ShareMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const ply = model.shown.value?.ply ?? 0;
  const page = `${location.origin}/game/${model.id}`;
  const opened = () => {
    const button = document.querySelector("[popovertarget=share-menu]");
    if (button && menu.current?.matches(":popover-open")) placeBeside(menu.current, button.getBoundingClientRect());
  };
  return html`
    <${Action} icon="share" word=${t("Share")} label=${t("Share and save")} popovertarget="share-menu" />
    <div ref=${menu} id="share-menu" class="menu" popover onToggle=${opened} role="group" aria-label=${t("Share and save")}>
      <${CopyButton} look="quiet" text=${`${page}?ply=${ply}`} label=${t("Copy a link to this position")} />
      <${CopyButton} look="quiet" text=${page} label=${t("Copy a link to the game")} />
      ${(model.description.value?.files ?? []).map(({ kind, label }) => html`
        <a key=${kind} class="button quiet" download=${`polyversi-${model.id}.${kind}`}
          href=${`/games/${model.id}.${kind}${kind === "svg" || kind === "png" ? `?ply=${ply}` : ""}`}>${t(label)}</a>`)}
      <div class="narrow-only">
        ${canPlay && html`<button class="button quiet" onClick=${() => edit(setupOf(model))}>
          <${Icon} name="pencil" />${t("Edit position")}</button>`}
        <button class="button quiet" onClick=${toggleSound}>
          <${Icon} name=${sound.value ? "sound" : "mute"} />${soundLabel()}</button>
      </div>
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
      <${Action} icon="flag" word=${t("Resign")} onClick=${() => ask(true)} /></span>`;
  }
  return html`
    <span key="asking" class="sure" ref=${group} role="group" aria-label=${t("Resign the game?")}>
      <button class="button danger" onClick=${() => { ask(false); model.resign(); }}>${t("Resign")}</button>
      <button class="button" onClick=${() => ask(false)}>${t("No")}</button>
    </span>`;
}

/** What a player can do besides moving. @param {{model: GameModel}} props */
function PlayerActions({ model }) {
  const alone = isAlone(model);
  const hasMoved = model.plies.value.some(({ seat, forced }) => model.seats.value.includes(seat) && !forced);
  return html`
    ${alone && html`
      <${Action} icon="bulb" word=${t("Hint")} disabled=${!mayHint(model)} onClick=${() => askHint(model)} />`}
    <${Action} icon="undo" word=${t("Take back")} label=${alone ? t("Take back") : t("Ask to take back")}
      disabled=${!hasMoved || model.pending.value !== null} onClick=${() => model.undo()} />
    <${Resign} model=${model} />`;
}

/** @param {{model: GameModel}} props */
export function Controls({ model }) {
  if (model.phase.value === "waiting") return null;
  const isPlaying = model.seats.value.length > 0 && model.phase.value === "running";
  return html`
    <div class="controls">
      <${Steps} model=${model} />
      <div class="actions always">
        <${Action} icon=${sound.value ? "sound" : "mute"} word=${t("Sound")} label=${soundLabel()} look="roomy"
          onClick=${toggleSound} />
        <${ShareMenu} model=${model} />
      </div>
      <div class=${`actions ${isPlaying ? "" : "few"}`}>
        ${isPlaying && html`<${PlayerActions} model=${model} />`}
        ${canPlay && mayAnalyse(model) && html`
          <${Action} icon="graph" word=${t("Analyse")} onClick=${() => go(`/analysis?game=${model.id}&ply=${model.shown.value?.ply ?? 0}`)} />`}
        ${canPlay && html`
          <${Action} icon="branch" word=${isPlaying ? t("From here") : t("Play from here")} label=${t("Play from here")}
            disabled=${isOverHere(model)} onClick=${() => playFrom(setupOf(model))} />
          <${Action} icon="pencil" word=${isPlaying ? t("Edit") : t("Edit position")} label=${t("Edit position")}
            look="roomy" onClick=${() => edit(setupOf(model))} />`}
      </div>
    </div>`;
}
