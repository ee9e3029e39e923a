/** The rules of one game: its sections with their examples, or the legend of what lies on its board. */
import { html, useEffect, useRef } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { said } from "../../components/rules.js";
import { EXPANSION } from "../../board/config.js";
import { SYMBOLS } from "../../board/looks.js";
import { ExampleBoard } from "./example.js";

/** @import { Rulebook, RulesEntry, RulesExample, RulesSection, Sentence } from "../../app/types.js" */

/** A tile as the board draws it. @param {{tile: number}} props */
function TilePicture({ tile }) {
  return html`<svg class="thumbnail slate legend-tile" viewBox="-20 -20 40 40" width="40" height="40" aria-hidden="true">
    <path class="thumbnail-cells" d="M-19-19H19V19H-19Z" />
    ${tile === EXPANSION
      ? html`<path class="thumbnail-stone thumbnail-nobody" d="M0 0h0" />`
      : html`<path class="thumbnail-sign" d=${`M0 0${SYMBOLS[tile]}`} />`}
  </svg>`;
}

/** @param {{entry: RulesEntry, example?: RulesExample, isWanted: boolean}} props */
function Entry({ entry, example, isWanted }) {
  const place = useRef(/** @type {HTMLElement|null} */ (null));
  useEffect(() => { if (isWanted) place.current?.scrollIntoView({ block: "center" }); }, []);
  return html`<div ref=${place} class=${`rules-entry ${isWanted ? "wanted" : ""}`}>
    <dt>${entry.tile !== null && html`<${TilePicture} tile=${entry.tile} />`}${t(entry.term)}</dt>
    <dd>${entry.sentences.map(said).join(" ")}
      ${example && html`<${ExampleBoard} example=${example} />`}</dd>
  </div>`;
}

/** @param {{section: RulesSection, examples: RulesExample[], tile?: number}} props */
const Entries = ({ section, examples, tile }) => section.entries.length > 0 && html`<dl class="rules-entries">
  ${section.entries.map((entry) => html`
    <${Entry} key=${entry.term} entry=${entry} isWanted=${entry.tile !== null && entry.tile === tile}
      example=${examples.find(({ name }) => name === entry.example)} />`)}</dl>`;

/** @param {{sentences: Sentence[]}} props */
const Sentences = ({ sentences }) => sentences.length > 0 && html`<ul class="rules-sentences">
  ${sentences.map((sentence) => html`<li>${said(sentence)}</li>`)}</ul>`;

/** @param {{section: RulesSection, examples: RulesExample[], tile?: number}} props */
function Section({ section, examples, tile }) {
  const own = examples.filter((example) => example.section === section.name);
  const shown = own.filter(({ name }) => !section.entries.some(({ example }) => example === name));
  const text = html`<${Sentences} sentences=${section.sentences} />
    <${Entries} section=${section} examples=${own} tile=${tile} />`;
  if (section.name === "options") {
    return html`<details class="rules-section"><summary><h2>${t(section.label)}</h2></summary>${text}</details>`;
  }
  return html`<section class=${`rules-section ${shown.length ? "" : "plain"}`}>
    <div class="rules-text"><h2>${t(section.label)}</h2>${text}</div>
    ${shown.length > 0 && html`<div class="rules-examples">
      ${shown.map((example) => html`<${ExampleBoard} key=${example.name} example=${example} />`)}</div>`}
  </section>`;
}

/** @param {{rules: Rulebook, isLegend?: boolean, tile?: number}} props */
export function RulesText({ rules, isLegend = false, tile }) {
  const sections = rules.sections.filter((section) => !isLegend || section.is_legend);
  return html`<div class=${`rules ${isLegend ? "legend" : ""}`}>
    ${sections.map((section) => html`
      <${Section} key=${section.name} section=${section} examples=${rules.examples} tile=${tile} />`)}
  </div>`;
}
