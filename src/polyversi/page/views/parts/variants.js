/** The variants in a list to choose from, by the kind of their boards. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";

const FAMILIES = /** @type {const} */ (["square", "hexagon", "rolit", "xt"]);

/** @param {{variants: import("../../app/types.js").Variant[]}} props */
export function VariantOptions({ variants }) {
  return FAMILIES.map((family) => {
    const found = variants.filter((variant) => variant.family === family);
    return found.length > 0 && html`<optgroup key=${family} label=${words.play.families[family]}>
      ${found.map(({ name }) => html`<option key=${name} value=${name}>${words.play.variant(name)}</option>`)}
    </optgroup>`;
  });
}
