/** The settings view: name, colours, board, sound. */
import { valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { animation, name, patterns, sound, theme, THEMES } from "../../app/settings.js";
import { common } from "../../app/words.js";
import { Checkbox } from "../../components/forms.js";
import { PageHeader } from "../../components/page.js";

const FLAGS = /** @type {const} */ ([
  [animation, "Animate flipping stones"],
  [patterns, "Show patterns on stones"],
  [sound, "Play a sound at every move"],
]);

export function View() {
  return html`<div class="page settings stack">
    <${PageHeader} title="Settings" lead="Settings are stored in this browser and take effect at once." />
    <section class="panel stack">
      <label class="field"><span>Your name</span>
        <input maxlength="40" autocomplete="nickname" value=${name.value} aria-describedby="name-hint"
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <p class="soft small" id="name-hint">What others see when you play; stored in this browser only.</p>
    </section>
    <fieldset class="panel"><legend class="visually-hidden">Colours</legend>
      <h2 aria-hidden="true">Colours</h2>
      ${THEMES.map((one) => html`
        <label key=${one} class="check"><input type="radio" name="theme" checked=${theme.value === one}
          onChange=${() => { theme.value = one; }} />${common.capital(common.themes[one])}</label>`)}
    </fieldset>
    <section class="panel"><h2>Board</h2>
      ${FLAGS.map(([setting, label]) => html`<${Checkbox} key=${label} label=${label} checked=${setting.value}
        onChange=${(/** @type {boolean} */ checked) => { setting.value = checked; }} />`)}
    </section>
  </div>`;
}
