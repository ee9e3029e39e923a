/** The tiles one can put down, as a group of radio buttons with pictures. */

import { html } from "../../app/html.js";
import { TILES } from "../../app/position.js";
import { SIGNS } from "../parts/signs.js";

/** @typedef {import("../../app/types.js").Paint} Paint */
/** @typedef {{key: string, tile: number, name: string}} Brush a tile, the key that chooses it, and what it is called */

/** Here every tile needs a sign. @type {Record<number, string>} */
const ALL_SIGNS = {
  ...SIGNS,
  [TILES.expansion]: "m-5-5l10 10m0-10l-10 10",
  [TILES.hole]: "m-7-7l14 14m0-14l-14 14",
};

/**
 * @param {{legend: string, brushes: Brush[], chosen: number, theme: string, paints: Paint[], onChoose: (tile: number) => void}} props
 */
export function Palette({ legend, brushes, chosen, theme, paints, onChoose }) {
  return html`
    <fieldset class="palette">
      <legend>${legend}</legend>
      <div class="palette-tiles">
        ${brushes.map(({ key, tile, name }) => html`
          <label class="palette-tile" title=${`${name} (${key})`}>
            <input type="radio" name="palette" class="visually-hidden" checked=${chosen === tile} onChange=${() => onChoose(tile)} />
            <${TilePicture} tile=${tile} theme=${theme} paints=${paints} />
            <span class="visually-hidden">${name}</span>
          </label>`)}
      </div>
    </fieldset>`;
}

/** @param {{tile: number, theme: string, paints: Paint[]}} props */
function TilePicture({ tile, theme, paints }) {
  const paint = paints[tile - 1];
  return html`
    <svg class=${`tile-picture ${theme} ${tile === TILES.hole ? "hole" : ""}`} viewBox="-20 -20 40 40" aria-hidden="true">
      ${paint && html`<circle r="15" fill=${paint.fill} /><text y="6" fill=${paint.ink}>${paint.sign}</text>`}
      ${tile === TILES.expansion && html`<circle r="15" class="nobody" />`}
      ${ALL_SIGNS[tile] && html`<path class=${tile === TILES.expansion ? "on-stone" : ""} d=${`M0 0${ALL_SIGNS[tile]}`} />`}
    </svg>`;
}

/**
 * The brush whose key was pressed, if any; keys with a modifier are somebody else's.
 * @param {KeyboardEvent} event
 * @param {Brush[]} brushes
 */
export function brushOf(event, brushes) {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  return brushes.find(({ key }) => key === event.key.toLowerCase());
}
