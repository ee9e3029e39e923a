/** The variants as pictures to choose from; the maps of XT are drawn when somebody wants to see them. */
import { html, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/types.js").Variant} Variant */

const FAMILIES = /** @type {const} */ (["square", "hexagon", "rolit"]);

/**
 * @param {{variant: Variant, checked: boolean, onChoose: (name: string) => void}} props
 */
function Card({ variant, checked, onChoose }) {
  const { name, sentence, spec, seats, family } = variant;
  return html`<label class="card">
    <input class="visually-hidden" type="radio" name="variant" value=${name} checked=${checked}
      onChange=${() => onChoose(name)} />
    <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt="" width="120" height="120" loading="lazy"
      decoding="async" />
    <span class="card-name">${words.play.variant(name)}</span>
    <span class="card-sentence soft small">${sentence}</span>
    ${family === "xt" && html`<span class="soft small">${words.play.seatsOf(seats)}</span>`}
  </label>`;
}

/**
 * @param {{variants: Variant[], chosen: string, onChoose: (name: string) => void}} props
 */
export function Gallery({ variants, chosen, onChoose }) {
  const maps = variants.filter(({ family }) => family === "xt");
  const open = useSignal(maps.some(({ name }) => name === chosen));
  /** @param {Variant} variant */
  const card = (variant) => html`
    <${Card} key=${variant.name} variant=${variant} checked=${variant.name === chosen} onChoose=${onChoose} />`;
  return html`<fieldset class="gallery stack"><legend class="visually-hidden">${words.play.variants}</legend>
    <div class="families">${FAMILIES.map((family) => html`<section key=${family} class=${`family ${family}`}>
      <h2>${words.play.families[family]}</h2>
      <div class="cards">${variants.filter((variant) => variant.family === family).map(card)}</div></section>`)}</div>
    <details open=${open.value} onToggle=${(/** @type {any} */ event) => { open.value = event.target.open; }}>
      <summary><h2>${words.play.families.xt}</h2></summary>
      <p class="soft small">${words.play.xtHint}</p>
      ${open.value && html`<div class="cards maps">${maps.map(card)}</div>`}
    </details>
  </fieldset>`;
}
