/** The settings view: name, colours, board, sound. */
import { useTitle, valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { animation, coordinates, name, patterns, sound, theme, THEMES } from "../../app/settings.js";
import { common } from "../../app/words.js";
import { Checkbox } from "../../components/forms.js";
import { words } from "./words.js";

/** @import { Signal } from "../../app/html.js" */

/** @param {{setting: Signal<boolean>, label: string}} props */
function Flag({ setting, label }) {
  return html`<${Checkbox} label=${label} checked=${setting.value}
    onChange=${(/** @type {boolean} */ checked) => { setting.value = checked; }} />`;
}

export function View() {
  useTitle(words.title);
  return html`<div class="page settings stack">
    <h1>${words.title}</h1>
    <p class="soft">${words.stored}</p>
    <section class="panel stack">
      <label class="field"><span>${words.name}</span>
        <input maxlength="40" autocomplete="nickname" value=${name.value} aria-describedby="name-hint"
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <p class="soft small" id="name-hint">${words.nameHint}</p>
    </section>
    <fieldset class="panel"><legend class="visually-hidden">${words.theme}</legend>
      <h2 aria-hidden="true">${words.theme}</h2>
      ${THEMES.map((one) => html`
        <label key=${one} class="check"><input type="radio" name="theme" checked=${theme.value === one}
          onChange=${() => { theme.value = one; }} />${common.capital(common.themes[one])}</label>`)}
    </fieldset>
    <section class="panel"><h2>${words.board}</h2>
      <${Flag} setting=${animation} label=${words.animation} />
      <${Flag} setting=${patterns} label=${words.patterns} />
      <${Flag} setting=${coordinates} label=${words.coordinates} />
      <${Flag} setting=${sound} label=${words.sound} />
    </section>
  </div>`;
}
