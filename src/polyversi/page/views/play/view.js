/** The play view: a gallery of all variants with filters, and the set-up of a game over it. */
import { useVariants } from "../../app/api.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { Segments } from "../../components/forms.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { VariantCard } from "../../components/variant-card.js";
import { Setup } from "./setup.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Family, Variant } from "../../app/types.js" */

/** @typedef {{board: string, seats: string, goal: string}} Filter what is wanted; empty where anything will do */

/** @type {(variant: Variant, filter: Filter) => boolean} */
function isWanted(variant, { board, seats, goal }) {
  return (!board || variant.family.name === board) && (!seats || seats in variant.seat_choices)
    && (!goal || variant.fewest_wins === (goal === "fewest"));
}

/** The address at which a variant is set up, with as many seats as are wanted. @type {(variant: Variant, seats?: string) => string} */
function addressOf(variant, seats = "") {
  const values = variant.seat_choices[seats] ?? {};
  return `/play?${new URLSearchParams({ variant: variant.name, ...values })}`;
}

/** @param {{variants: Variant[], filter: Filter, onChange: (filter: Filter) => void}} props */
function Filters({ variants, filter, onChange }) {
  const families = [...new Set(variants.map(({ family }) => family))];
  const counts = [...new Set(variants.flatMap((variant) => Object.keys(variant.seat_choices)))].sort();
  const row = (/** @type {keyof Filter} */ name, /** @type {string} */ label, /** @type {[string, string][]} */ choices) => html`
    <${Segments} label=${label} name=${name} value=${filter[name]} options=${[["", t("All")], ...choices]}
      onChange=${(/** @type {string} */ value) => onChange({ ...filter, [name]: value })} />`;
  return html`<div class="filters">
    ${row("board", t("Board"), families.map(({ name, label }) => [name, t(label)]))}
    ${row("seats", t("Players"), counts.map((count) => [count, count]))}
    ${row("goal", t("Goal"), [["most", t("Most stones")], ["fewest", t("Fewest stones")]])}
  </div>`;
}

/** The variants of one family. @param {{family: Family, variants: Variant[], seats: string}} props */
function Shelf({ family, variants, seats }) {
  return html`<section class="shelf">
    <header><h2>${t(family.label)}</h2>
      ${family.sentence && html`<p class="soft">${t(family.sentence)}</p>`}</header>
    <div class="variant-cards">${variants.map((variant) => html`
      <${VariantCard} key=${variant.name} variant=${variant} href=${addressOf(variant, seats)} />`)}</div>
  </section>`;
}

/** @param {{variants: Variant[], query: URLSearchParams}} props */
function Gallery({ variants, query }) {
  const asked = (/** @type {keyof Filter} */ name) => query.get(name) ?? "";
  const filter = useSignal({ board: asked("board"), seats: asked("seats"), goal: asked("goal") });
  const found = variants.filter((variant) => isWanted(variant, filter.value));
  const families = [...new Set(found.map(({ family }) => family))];
  return html`<div class="gallery stack">
    <${Filters} variants=${variants} filter=${filter.value} onChange=${(/** @type {Filter} */ changed) => { filter.value = changed; }} />
    <p class="soft small" role="status">${plural(found.length, "{count} variant", "{count} variants")}${" · "}
      ${filter.value.goal === "fewest"
        ? t("Every other board can be played for the fewest stones too: the goal is an option when you set up the game.")
        : t("Choose a board to set up a game on it.")}</p>
    ${families.map((family) => html`<${Shelf} key=${family.name} family=${family} seats=${filter.value.seats}
      variants=${found.filter((variant) => variant.family === family)} />`)}
  </div>`;
}

/** What the editor has handed over to this view, or null. @returns {import("../../app/new-game.js").Edited|null} */
function loadEdited() {
  return JSON.parse(sessionStorage.getItem("polyversi.setup") ?? "null");
}

/** @param {{params: Params}} props */
export function View({ params: { query } }) {
  const problem = useSignal("");
  const variants = useVariants((sentence) => { problem.value = sentence; });
  const isEdited = query.get("from") === "editor";
  const edited = useMemo(() => (isEdited ? loadEdited() : null), [isEdited]);
  const wanted = query.get("variant");
  const variant = edited ? variants[0] : variants.find(({ name }) => name === wanted);
  const values = Object.fromEntries([...query].filter(([name]) => name !== "variant"));
  // The set-up lies over the gallery that it was opened from, or over a fresh one.
  const isBehind = useRef(false);
  useEffect(() => { if (!wanted && !isEdited) isBehind.current = true; }, [wanted, isEdited]);
  const close = () => (isBehind.current ? history.back() : go("/play"));
  return html`<div class="page play stack">
    <${PageHeader} title=${t("Play")} lead=${t("Choose a board, then who plays.")}><${OpenRecord} /><//>
    <${Alert} text=${problem.value} />
    ${variants.length > 0 && html`<${Gallery} variants=${variants} query=${query} />`}
    ${variant && (edited || wanted) && html`<${Setup} key=${edited ? "edited" : variant.name} variant=${variant} edited=${edited}
      given=${values} onClose=${close} />`}
  </div>`;
}
