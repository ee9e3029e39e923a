/** Replays the moves of a game: a slider, buttons for single steps, and a button that plays them. */
import { valueOf } from "../app/dom.js";
import { html, useEffect, useSignal } from "../app/html.js";
import { number, plural, t } from "../app/i18n.js";
import { IconButton } from "./icons.js";

/**
 * A game being replayed: its moves, the ply that is shown (null for the last one), and a method to show another.
 * @typedef {object} Replayed
 * @property {{readonly value: readonly unknown[]}} plies
 * @property {{readonly value: number|null}} viewedPly
 * @property {(ply: number) => void} goTo
 */

/** Milliseconds a position is shown, by the name of the speed. */
const SPEEDS = { slow: 2000, normal: 1000, fast: 500, fastest: 150 };
/** @typedef {keyof typeof SPEEDS} Speed */
/** @type {() => Record<Speed, string>} */
const speedNames = () => ({ slow: t("Slow"), normal: t("Normal"), fast: t("Fast"), fastest: t("Very fast") });

/** A slider, and a button that plays the moves. @param {{model: Replayed}} props */
export function Replay({ model }) {
  const playing = useSignal(false);
  const speed = useSignal(/** @type {Speed} */ ("normal"));
  const last = model.plies.value.length;
  const ply = Math.min(model.viewedPly.value ?? last, last);
  useEffect(() => {
    if (!playing.value) return undefined;
    const timer = setTimeout(() => {
      model.goTo(ply + 1);
      if (ply + 1 >= last) playing.value = false;
    }, SPEEDS[speed.value]);
    return () => clearTimeout(timer);
  }, [playing.value, ply, last, speed.value]);

  const play = () => {
    if (!playing.value && ply >= last) model.goTo(0);
    playing.value = !playing.value && last > 0;
  };
  const look = (/** @type {number} */ to) => {
    playing.value = false;
    model.goTo(to);
  };
  const start = last ? plural(last, "Start ({count} move)", "Start ({count} moves)") : t("Start position");
  const place = ply > 0 ? t("Move {number} of {total}", { number: number(ply), total: number(last) }) : start;
  return html`
    <section class="replay" aria-label=${t("Replay")}>
      <div class="replay-place small"><span class="soft">${t("Position")}</span>
        <span class="number" aria-hidden="true">${place}</span></div>
      <div class="replay-row">
        <${IconButton} icon=${playing.value ? "pause" : "play"} label=${playing.value ? t("Pause") : t("Play the moves")}
          disabled=${last === 0} onClick=${play} />
        <input type="range" min="0" max=${last} value=${ply} aria-label=${t("Position")} aria-valuetext=${place}
          onInput=${(/** @type {Event} */ event) => look(Number(valueOf(event)))} />
        <label class="replay-speed"><span class="visually-hidden">${t("Speed")}</span>
          <select value=${speed.value} onChange=${(/** @type {Event} */ event) => { speed.value = /** @type {Speed} */ (valueOf(event)); }}>
            ${Object.entries(speedNames()).map(([name, text]) => html`<option value=${name}>${text}</option>`)}
          </select>
        </label>
      </div>
    </section>`;
}

/** Buttons for one step, and to either end. @param {{model: Replayed}} props */
export function Steps({ model }) {
  const total = model.plies.value.length;
  const ply = Math.min(model.viewedPly.value ?? total, total);
  const step = (/** @type {string} */ icon, /** @type {string} */ label, /** @type {number} */ to, look = "") => html`
    <${IconButton} icon=${icon} label=${label} look=${look} disabled=${to === ply || to < 0 || to > total}
      onClick=${() => model.goTo(to)} />`;
  return html`
    <div class="steps">
      ${step("start", t("To the start"), 0, "roomy")}
      ${step("back", t("One move back"), ply - 1)}
      ${step("on", t("One move forward"), ply + 1)}
      ${step("end", t("To the last move"), total, "roomy")}
    </div>`;
}
