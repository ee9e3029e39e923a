/** The settings view: name, colours, board, sound. */
import { isChecked, useTitle, valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { animation, coordinates, name, patterns, sound, theme, THEMES } from "../../app/settings.js";
import { words } from "../../words/words.js";

/** @param {{setting: import("../../vendor/signals-core.js").Signal<boolean>, label: string}} props */
function Flag({ setting, label }) {
  return html`<label class="check"><input type="checkbox" checked=${setting.value}
    onChange=${(/** @type {Event} */ event) => { setting.value = isChecked(event); }} />${label}</label>`;
}

export function SettingsView() {
  useTitle(words.settings.title);
  return html`<div class="page narrow stack">
    <h1>${words.settings.title}</h1>
    <p class="soft">${words.settings.kept}</p>
    <section class="panel stack">
      <label class="field"><span>${words.settings.name}</span>
        <input maxlength="40" autocomplete="nickname" value=${name.value} aria-describedby="name-hint"
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <p class="soft small" id="name-hint">${words.settings.nameHint}</p>
    </section>
    <fieldset class="panel"><legend class="visually-hidden">${words.settings.theme}</legend>
      <h2 aria-hidden="true">${words.settings.theme}</h2>
      ${THEMES.map((one) => html`
        <label key=${one} class="check"><input type="radio" name="theme" checked=${theme.value === one}
          onChange=${() => { theme.value = one; }} />${words.speech.capital(words.shell.themes[one])}</label>`)}
    </fieldset>
    <section class="panel"><h2>${words.settings.board}</h2>
      <${Flag} setting=${animation} label=${words.settings.animation} />
      <${Flag} setting=${patterns} label=${words.settings.patterns} />
      <${Flag} setting=${coordinates} label=${words.settings.coordinates} />
      <${Flag} setting=${sound} label=${words.settings.sound} />
    </section>
  </div>`;
}
