/** Chooses the game whose position is set up: a variant with its options, or the map that was drawn here. */

import { allVariants } from "../../app/api.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { OptionFields, readSpec, specOf } from "../parts/options.js";
import { VariantOptions } from "../parts/variants.js";

/** @typedef {import("../../app/types.js").Variant} Variant */

/** The game: a specification, or the text of a map. */
export const source = signal({ spec: "othello", map: "" });
/** A map that was drawn here and can be played on, for positions on it. */
export const drawnMap = signal("");

/** What the own map is called in the list of variants. */
const OWN = "map";

export function GameField() {
  const variants = useSignal(/** @type {Variant[]} */ ([]));
  useEffect(() => {
    allVariants().then((found) => { variants.value = found; }, () => {});
  }, []);
  const { spec, map } = source.value;
  const { name, values } = readSpec(spec, variants.value.map((variant) => variant.name));
  const variant = variants.value.find((one) => one.name === name);
  const choose = (/** @type {string} */ chosen) => {
    source.value = chosen === OWN ? { spec: "", map: drawnMap.value } : { spec: chosen, map: "" };
  };
  return html`
    <label class="field">
      <span>${words.editor.position.variant}</span>
      <select value=${map ? OWN : name} onChange=${(/** @type {any} */ event) => choose(event.target.value)}>
        ${drawnMap.value && html`<option value=${OWN}>${words.editor.position.ownMap}</option>`}
        <${VariantOptions} variants=${variants.value} />
      </select>
    </label>
    ${!map && variant && html`
      <p class="soft small">${variant.sentence}</p>
      <details>
        <summary>${words.editor.position.options(words.play.variant(name))}</summary>
        <${OptionFields} options=${variant.options} values=${values} onChange=${(/** @type {Record<string, string>} */ changed) => {
          source.value = { spec: specOf(name, variant.options, changed), map: "" };
        }} />
      </details>`}`;
}
