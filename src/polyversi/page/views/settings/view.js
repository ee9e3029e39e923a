/** The settings view: name and language, colours, board and stones, moves and sound. */
import { valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { languageName, LANGUAGES, number, t } from "../../app/i18n.js";
import {
  animation, BOARD_THEMES, boardTheme, chosenLanguage, coordinates, legalMoves, name, pace, patterns, sound, STONES,
  stones, theme, THEMES, volume,
} from "../../app/settings.js";
import { common } from "../../app/words.js";
import { Checkbox, Select } from "../../components/forms.js";
import { PageHeader } from "../../components/page.js";
import { Preview, Sample } from "./preview.js";

/** @import { Signal } from "../../app/html.js" */

/** @returns {Record<typeof BOARD_THEMES[number], string>} */
const boardNames = () => ({
  own: t("As each game has it"), felt: t("Green felt"), wood: t("Wood"), sand: t("Sand"), slate: t("Slate"),
  ocean: t("Ocean"), violet: t("Violet"),
});

/** @returns {Record<typeof STONES[number], string>} */
const stoneNames = () => ({
  domed: t("Domed"), flat: t("Flat"), glass: t("Glass"), turned: t("Turned"), coin: t("Coin"),
});

/**
 * A few words to choose one from.
 * @param {{legend: string, setting: Signal<any>, options: Record<string, string>}} props
 */
function Segments({ legend, setting, options }) {
  return html`<fieldset class="settings-segments"><legend>${legend}</legend>
    <div class="segments">${Object.entries(options).map(([value, text]) => html`<label key=${value}>
      <input class="choice" type="radio" name=${legend} checked=${setting.value === value}
        onChange=${() => { setting.value = value; }} /><span>${text}</span></label>`)}</div>
  </fieldset>`;
}

/**
 * Pictures to choose one from.
 * @param {{legend: string, setting: Signal<any>, options: Record<string, string>,
 *   sample: (value: string) => any}} props
 */
function Pictures({ legend, setting, options, sample }) {
  return html`<fieldset><legend>${legend}</legend>
    <div class="settings-pictures">${Object.entries(options).map(([value, text]) => html`
      <label key=${value}><input class="choice" type="radio" name=${legend} checked=${setting.value === value}
        onChange=${() => { setting.value = value; }} />${sample(value)}<span>${text}</span></label>`)}</div>
  </fieldset>`;
}

function You() {
  const known = Object.fromEntries(LANGUAGES.map((tag) => [tag, languageName(tag)]));
  return html`<section class="panel stack" aria-labelledby="settings-you"><h2 id="settings-you">${t("You")}</h2>
    <div class="settings-fields">
      <label class="field"><span>${t("Your name")}</span>
        <input maxlength="40" autocomplete="nickname" value=${name.value} aria-describedby="name-hint"
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <${Select} label=${t("Language")} value=${chosenLanguage.value}
        options=${{ "": t("As in the browser"), ...known }}
        onChange=${(/** @type {string} */ tag) => { chosenLanguage.value = tag; }} />
    </div>
    <p class="soft small" id="name-hint">
      ${t("Others see your name when you play; it is stored in this browser only.")}</p>
  </section>`;
}

function Colours() {
  const names = Object.fromEntries(THEMES.map((one) => [one, common.capital(common.themes[one])]));
  return html`<section class="panel stack" aria-labelledby="settings-colours">
    <h2 id="settings-colours">${t("Colours")}</h2>
    <${Segments} legend=${t("The page")} setting=${theme} options=${names} />
    <${Pictures} legend=${t("Boards")} setting=${boardTheme} options=${boardNames()}
      sample=${(/** @type {string} */ value) => html`<${Sample} name=${`board-${value}`} stones=${stones.value}
        theme=${value === "own" ? "felt" : value} />`} />
    <${Pictures} legend=${t("Stones")} setting=${stones} options=${stoneNames()}
      sample=${(/** @type {any} */ value) => html`<${Sample} name=${`stones-${value}`} stones=${value}
        theme=${boardTheme.value === "own" ? "felt" : boardTheme.value} />`} />
    <${Flag} setting=${patterns} label=${t("Show patterns on stones")} />
  </section>`;
}

/** @param {{setting: Signal<boolean>, label: string}} props */
const Flag = ({ setting, label }) => html`<${Checkbox} label=${label} checked=${setting.value}
  onChange=${(/** @type {boolean} */ checked) => { setting.value = checked; }} />`;

function Moves() {
  const change = (/** @type {Event} */ event) => { volume.value = Number(valueOf(event)) / 100; };
  const percent = number(volume.value, { style: "percent" });
  return html`<section class="panel stack" aria-labelledby="settings-moves">
    <h2 id="settings-moves">${t("Board and moves")}</h2>
    <${Segments} legend=${t("Names of columns and rows")} setting=${coordinates}
      options=${{ none: t("None"), small: t("Small"), large: t("Large") }} />
    <${Segments} legend=${t("Pace of the others' moves")} setting=${pace}
      options=${{ instant: t("Instant"), calm: t("Calm"), slow: t("Slow") }} />
    <div class="settings-flags">
      <${Flag} setting=${legalMoves} label=${t("Mark possible moves")} />
      <${Flag} setting=${animation} label=${t("Animate flipping stones")} />
      <${Flag} setting=${sound} label=${t("Play a sound at every move")} />
    </div>
    <label class="field settings-volume"><span class="row apart"><span>${t("Volume")}</span>
        <span class="number" aria-hidden="true">${percent}</span></span>
      <input type="range" min="0" max="100" step="5" value=${Math.round(100 * volume.value)} disabled=${!sound.value}
        aria-valuetext=${percent} onInput=${change} /></label>
  </section>`;
}

export function View() {
  return html`<div class="page settings stack">
    <${PageHeader} title=${t("Settings")} lead=${t("Settings are stored in this browser and take effect at once.")} />
    <div class="settings-columns">
      <div class="stack"><${You} /><${Colours} /><${Moves} /></div>
      <${Preview} />
    </div>
  </div>`;
}
