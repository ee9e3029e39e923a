/** Looks at a game again: a slider over its positions, and playing them by itself. */

import { html, useEffect, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

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
