/** How well the computer plays: a slider, and what its level means in words. */
import { valueOf } from "../app/dom.js";
import { html } from "../app/html.js";
import { number, t } from "../app/i18n.js";
import { levelOf } from "../app/new-game.js";

/** @import { PlayerInfo } from "../app/types.js" */

/** @param {{player: PlayerInfo, value: string, onChange: (level: string) => void}} props */
export function LevelSlider({ player, value, onChange }) {
  const option = levelOf(player);
  if (!option) return null;
  const highest = player.levels.length;
  const level = Number(value || option.default);
  const meaning = player.levels[level - 1];
  const words = meaning ? t(meaning) : "";
  return html`
    <label class="level">
      <span class="level-head"><span>${t("Level")}</span>
        <span class="level-number number" aria-hidden="true">
          ${t("{level} of {highest}", { level: number(level), highest: number(highest) })}</span></span>
      <input type="range" min="1" max=${highest} value=${level} aria-valuetext=${`${number(level)}. ${words}`}
        onInput=${(/** @type {Event} */ event) => onChange(valueOf(event))} />
      ${words && html`<span class="level-words small soft" aria-hidden="true">${words}</span>`}
    </label>`;
}
