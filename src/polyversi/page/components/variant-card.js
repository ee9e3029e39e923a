/** A variant with a picture from the middle of a game, so that boards that begin alike can be told apart. */
import { html } from "../app/html.js";
import { plural, t } from "../app/i18n.js";

/** @import { Variant } from "../app/types.js" */

/** The address of a picture of a game: its start, or the middle of a sample game. @param {string} spec @param {"start"|"middle"} at */
export const pictureOf = (spec, at = "start") => `/api/picture.svg?spec=${encodeURIComponent(spec)}${at === "middle" ? "&at=middle" : ""}`;

/** How many can play: "2 players", "2 to 8 players". @param {Variant} variant */
function seatsText({ seat_choices: choices }) {
  const counts = Object.keys(choices).map(Number);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  if (fewest === most) return plural(most, "{count} player", "{count} players");
  return t("{fewest} to {most} players", { fewest, most });
}

/** @param {{variant: Variant, href: string, level?: 2|3}} props */
export function VariantCard({ variant, href, level = 3 }) {
  return html`
    <a class="variant-card" href=${href}>
      <img src=${pictureOf(variant.spec, "middle")} alt="" width="240" height="240" loading="lazy" decoding="async" />
      <span class="variant-words">
        <span class="variant-name" role="heading" aria-level=${level}>${t(variant.label)}</span>
        <span class="variant-sentence small">${t(variant.sentence)}</span>
        <span class="variant-facts small soft"><span>${t(variant.goal)}</span><span>${seatsText(variant)}</span></span>
      </span>
    </a>`;
}
