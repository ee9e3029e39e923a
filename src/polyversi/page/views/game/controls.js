/** The buttons of a game: replay, hint, take back, resign, sound, share. */
import { announce } from "../../app/announcer.js";
import { sentenceOf } from "../../app/api.js";
import { selectAll } from "../../app/dom.js";
import { html, signal, useEffect, useRef, useSignal } from "../../app/html.js";
import { sound } from "../../app/settings.js";
import { words } from "../../words/words.js";
import { Icon, IconButton } from "../../components/icons.js";

/** @import { GameModel } from "../../app/game.js" */

/** The hint that is shown: for which game, at which ply, and where. */
export const hint = signal({ game: "", ply: -1, cell: -1 });

/** Whether everybody else is a computer. @param {GameModel} model */
export function isAlone(model) {
  const kinds = model.info.value?.kinds ?? [];
  const own = model.seats.value;
  return own.length > 0 && kinds.every((kind, index) => kind === "computer" || own.includes(index + 1));
}

/** @param {GameModel} model */
export function mayHint(model) {
  return model.asked.value > 0 && isAlone(model);
}

/** @param {GameModel} model */
export function mayUndo(model) {
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
    model.at.value = null;
    hint.value = { game: model.id, ply, cell };
    announce(words.game.hinted(move));
  } catch (error) {
    model.problem.value = sentenceOf(error);
  }
}

/** Space that is kept between the menu and its button or the edge of the window. */
const MARGIN = 8;

/**
 * Copies a text; where the browser does not let us, the text is returned to be copied by hand.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce(words.game.copied);
    return "";
  } catch {
    return text;
  }
}

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

/** Copies an address, and shows it where that is not possible. @param {{paths: [path: string, label: string][]}} props */
function CopyLinks({ paths }) {
  const copied = useSignal("");
  const byHand = useSignal("");
  const take = async (/** @type {string} */ path) => {
    byHand.value = await copy(`${location.origin}${path}`);
    copied.value = byHand.value ? "" : path;
  };
  return html`
    ${paths.map(([path, label]) => html`
      <button key=${label} class="button quiet" onClick=${() => take(path)}>
        <${Icon} name=${copied.value === path ? "check" : "copy"} />${copied.value === path ? words.game.copied : label}
      </button>`)}
    ${byHand.value && html`
      <label class="field"><span>${words.game.copyThis}</span>
        <input readonly value=${byHand.value} onFocus=${selectAll} /></label>`}`;
}

/** @param {{model: GameModel}} props */
export function ShareMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const ply = model.shown.value?.ply ?? 0;
  const opened = () => {
    if (menu.current?.matches(":popover-open") && button.current) place(menu.current, button.current);
  };
  const address = (/** @type {string} */ file) =>
    `/games/${model.id}.${file}${file === "svg" || file === "png" ? `?ply=${ply}` : ""}`;
  return html`
    <button ref=${button} class="button icon" popovertarget="share-menu" aria-label=${words.game.share}
      title=${words.game.share}><${Icon} name="share" /></button>
    <div ref=${menu} id="share-menu" class="menu" popover onToggle=${opened} role="group" aria-label=${words.game.share}>
      <${CopyLinks} paths=${[
        [`/game/${model.id}?ply=${ply}`, words.game.shareLink],
        [`/game/${model.id}`, words.game.shareGame],
      ]} />
      ${(model.description.value?.files ?? []).map((file) => html`
        <a key=${file} class="button quiet" download=${`polyversi-${model.id}.${file}`} href=${address(file)}>
          ${words.game.files[file] ?? file}</a>`)}
    </div>`;
}

/** Milliseconds a position is shown, by the name of the speed. */
const SPEEDS = { slow: 2000, usual: 1000, fast: 500, faster: 150 };
/** @typedef {keyof typeof SPEEDS} Speed */

/** @param {{model: GameModel}} props */
export function Replay({ model }) {
  const playing = useSignal(false);
  const speed = useSignal(/** @type {Speed} */ ("usual"));
  const last = model.plies.value.length;
  const ply = Math.min(model.at.value ?? last, last);
  useEffect(() => {
    if (!playing.value) return undefined;
    const timer = setTimeout(() => {
      model.look(ply + 1);
      if (ply + 1 >= last) playing.value = false;
    }, SPEEDS[speed.value]);
    return () => clearTimeout(timer);
  }, [playing.value, ply, last, speed.value]);

  const play = () => {
    if (!playing.value && ply >= last) model.look(0);
    playing.value = !playing.value && last > 0;
  };
  const look = (/** @type {number} */ to) => {
    playing.value = false;
    model.look(to);
  };
  const { replay } = words.watch;
  return html`
    <section class="replay" aria-label=${replay.title}>
      <label class="replay-slider">
        <span class="row apart small"><span class="soft">${replay.slider}</span>
          <span class="number" aria-hidden="true">${replay.at(ply, last)}</span></span>
        <input type="range" min="0" max=${last} value=${ply} aria-valuetext=${replay.at(ply, last)}
          onInput=${(/** @type {any} */ event) => look(Number(event.target.value))} />
      </label>
      <div class="replay-buttons">
        <button type="button" class="button" disabled=${last === 0} onClick=${play}><${Icon} name=${playing.value ? "pause" : "play"} />
          ${playing.value ? replay.pause : replay.play}</button>
        <label class="replay-speed"><span class="visually-hidden">${replay.speed}</span>
          <select value=${speed.value} onChange=${(/** @type {any} */ event) => { speed.value = event.target.value; }}>
            ${Object.entries(replay.speeds).map(([name, text]) => html`<option value=${name}>${text}</option>`)}
          </select>
        </label>
      </div>
    </section>`;
}

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
