/** The play view: one click starts the default game, pictures to choose any other. */
import { allVariants, get, sentenceOf } from "../../app/api.js";
import { useTitle } from "../../app/dom.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { name } from "../../app/settings.js";
import { keep, kept, myGames } from "../../app/storage.js";
import { words } from "../../words/words.js";
import { readSpec, specOf } from "../../components/forms.js";
import { OpenRecord } from "../../components/open-record.js";
import { Setup } from "./setup.js";
import { begin, firstOpponent, takeEdited } from "./start.js";

/** @import { Family, Summary, Variant } from "../../app/types.js" */

const MOST = 3;

export function Continue() {
  const games = useSignal(/** @type {Summary[]} */ ([]));
  useEffect(() => {
    const ids = myGames();
    if (!ids.length) return;
    get("/api/games").then(({ running }) => {
      games.value = running.filter((/** @type {Summary} */ { id }) => ids.includes(id)).slice(0, MOST);
    }, () => {});    // whoever cannot be told of old games can still begin a new one
  }, []);
  if (!games.value.length) return null;
  return html`<section class="panel continue">
    <h2>${words.play.goOn}</h2>
    <ul class="row">${games.value.map(({ id, title, players }) => html`<li key=${id}>
      <a class="button" href=${`/game/${id}`}>
        ${words.play.goOnAgainst(title, players)}</a></li>`)}
    </ul></section>`;
}

/** Families with more variants than this are folded: their pictures are drawn when somebody wants to see them. */
const MAX_OPEN = 12;
/** Families with more variants than this take a whole row. */
const MAX_BESIDE = 4;

/**
 * @param {{variant: Variant, checked: boolean, onChoose: (name: string) => void}} props
 */
function Card({ variant, checked, onChoose }) {
  const { name, label, sentence, spec, seats } = variant;
  return html`<label class="card">
    <input class="visually-hidden" type="radio" name="variant" value=${name} checked=${checked}
      onChange=${() => onChoose(name)} />
    <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt="" width="120" height="120" loading="lazy"
      decoding="async" />
    <span class="card-name">${label}</span>
    <span class="card-sentence soft small">${sentence}</span>
    ${seats > 2 && html`<span class="soft small">${words.play.seatsOf(seats)}</span>`}
  </label>`;
}

/**
 * @param {{variants: Variant[], chosen: string, onChoose: (name: string) => void}} props
 */
export function Gallery({ variants, chosen, onChoose }) {
  const families = [...new Set(variants.map(({ family }) => family))];
  const cards = (/** @type {Family} */ family) => variants.filter((variant) => variant.family === family).map((variant) => html`
    <${Card} key=${variant.name} variant=${variant} checked=${variant.name === chosen} onChoose=${onChoose} />`);
  const isLong = (/** @type {Family} */ family) => family.variants.length > MAX_OPEN;
  return html`<fieldset class="gallery stack"><legend class="visually-hidden">${words.play.variants}</legend>
    <div class="families">${families.filter((family) => !isLong(family)).map((family) => html`
      <section key=${family.name} class=${`family ${family.variants.length > MAX_BESIDE ? "wide" : ""}`}>
        <h2>${family.label}</h2>
        <div class="cards">${cards(family)}</div></section>`)}</div>
    ${families.filter(isLong).map((family) => html`
      <${Folded} key=${family.name} family=${family} isOpen=${family.variants.some(({ name }) => name === chosen)}
        cards=${() => cards(family)} />`)}
  </fieldset>`;
}

/** @param {{family: Family, isOpen: boolean, cards: () => any}} props */
function Folded({ family, isOpen, cards }) {
  const open = useSignal(isOpen);
  return html`
    <details open=${open.value} onToggle=${(/** @type {any} */ event) => { open.value = event.target.open; }}>
      <summary><h2>${family.label}</h2></summary>
      <p class="soft small">${family.sentence}</p>
      ${open.value && html`<div class="cards maps">${cards()}</div>`}
    </details>`;
}

/** One click: Othello, black, against a computer that plays well and can be beaten. */
function Quick() {
  const problem = useSignal("");
  const busy = useSignal(false);
  const start = async () => {
    busy.value = true;
    try {
      const me = { kind: "me", name: name.value || words.play.namePlaceholder };
      const players = await get("/api/players?spec=othello");
      const { player, values } = firstOpponent(players);
      const { options } = players.find((/** @type {{name: string}} */ one) => one.name === player);
      const computer = { kind: "computer", player: specOf(player, options, values) };
      await begin({ spec: "othello", seats: [me, computer], limit: "none" });
    } catch (error) {
      problem.value = sentenceOf(error);
      busy.value = false;
    }
  };
  return html`<div class="quick">
    <button class="button primary big" onClick=${start} disabled=${busy.value}>
      ${busy.value ? words.play.beginning : words.play.quick}</button>
    <p class="soft small">${words.play.quickHint}</p>
    ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
  </div>`;
}

/** @param {{params: import("../../app/router.js").Params}} props */
export function PlayView({ params }) {
  useTitle(words.play.title);
  const variants = useSignal(/** @type {Variant[]} */ ([]));
  const problem = useSignal("");
  const chosen = useSignal({ name: "othello", values: /** @type {Record<string, string>} */ ({}) });
  useEffect(() => {
    allVariants().then((found) => {
      variants.value = found;
      const last = readSpec(kept("spec") ?? "", found);
      if (last.name) chosen.value = last;
    }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  const isEdited = params.query.get("from") === "editor";
  const edited = useMemo(() => (isEdited ? takeEdited() : null), [isEdited]);
  const variant = variants.value.find((one) => one.name === chosen.value.name);
  const spec = variant ? specOf(variant.name, variant.options, chosen.value.values) : "";
  useEffect(() => { if (spec) keep("spec", spec); }, [spec]);
  return html`<div class="page play stack">
    <div class="row apart">
      <div><h1>${words.play.title}</h1><p class="soft">${words.play.lead}</p></div><${OpenRecord} /></div>
    ${!edited && html`<${Quick} /><${Continue} />`}
    ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
    ${variant && html`<div class=${edited ? "play-edited" : "play-columns"}>
      ${!edited && html`<${Gallery} variants=${variants.value} chosen=${variant.name}
        onChoose=${(/** @type {string} */ one) => { chosen.value = { name: one, values: {} }; }} />`}
      <${Setup} key=${edited ? "edited" : variant.name} edited=${edited} variant=${variant} spec=${spec}
        values=${chosen.value.values} onValues=${(/** @type {Record<string, string>} */ values) => { chosen.value = { ...chosen.value, values }; }} />
    </div>`}
  </div>`;
}
