/** The play view: one click starts the default game, pictures to choose any other. */
import { get, useAction, useFetched, useVariants } from "../../app/api.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { load, myGames, save } from "../../app/storage.js";
import { readSpec, specOf } from "../../components/forms.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Setup, wantedSeats } from "./setup.js";
import { firstOpponent, loadEditedSetup, startGame } from "./start.js";
import { words } from "./words.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Family, Summary, Variant } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** Links to running games are shown up to this number. */
const MAX_LINKS = 3;

/** Links to the running games of this browser. @param {{ids: string[]}} props */
function Continue({ ids }) {
  const games = useFetched("/api/games");
  const own = games?.running.filter((/** @type {Summary} */ { id }) => ids.includes(id)).slice(0, MAX_LINKS) ?? [];
  if (!own.length) return null;
  return html`<section class="panel continue">
    <h2>${words.resume}</h2>
    <ul class="row">${own.map((/** @type {Summary} */ { id, title, players }) => html`<li key=${id}>
      <a class="button" href=${`/game/${id}`}>
        ${words.resumeGame(title, players)}</a></li>`)}
    </ul></section>`;
}

/** Families with more variants than this are folded: their pictures are drawn when somebody wants to see them. */
const MAX_OPEN = 12;
/** Families with more variants than this take a whole row. */
const MAX_BESIDE = 4;

/** @param {{variant: Variant, checked: boolean, onChoose: (name: string) => void}} props */
function Card({ variant, checked, onChoose }) {
  const { name, label, sentence, spec, seats } = variant;
  return html`<label class="card">
    <input class="visually-hidden" type="radio" name="variant" value=${name} checked=${checked}
      onChange=${() => onChoose(name)} />
    <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt="" width="120" height="120" loading="lazy"
      decoding="async" />
    <span class="card-name">${label}</span>
    <span class="card-sentence soft small">${sentence}</span>
    ${seats > 2 && html`<span class="soft small">${words.seatsOf(seats)}</span>`}
  </label>`;
}

/** @param {{variants: Variant[], chosen: string, onChoose: (name: string) => void}} props */
function Gallery({ variants, chosen, onChoose }) {
  const families = [...new Set(variants.map(({ family }) => family))];
  const cards = (/** @type {Family} */ family) => variants.filter((variant) => variant.family === family).map((variant) => html`
    <${Card} key=${variant.name} variant=${variant} checked=${variant.name === chosen} onChoose=${onChoose} />`);
  const isLong = (/** @type {Family} */ family) => family.variants.length > MAX_OPEN;
  return html`<fieldset class="gallery stack"><legend class="visually-hidden">${words.variants}</legend>
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
    <details open=${open.value} onToggle=${(/** @type {Event} */ event) => { open.value = /** @type {HTMLDetailsElement} */ (event.target).open; }}>
      <summary><h2>${family.label}</h2></summary>
      <p class="soft small">${family.sentence}</p>
      ${open.value && html`<div class="cards maps">${cards()}</div>`}
    </details>`;
}

/** One click: Othello, black, against a computer that plays well and can be beaten. */
function Quick() {
  const { isBusy, problem, run } = useAction();
  const start = () => run(async () => {
    const players = await get("/api/players?spec=othello");
    const opponent = firstOpponent(players);
    const seats = wantedSeats([{ kind: "me", ...opponent }, { kind: "computer", ...opponent }], players);
    await startGame({ spec: "othello", seats, limit: "none" });
  });
  return html`<div class="quick">
    <button class="button primary big" onClick=${start} disabled=${isBusy.value}>
      ${isBusy.value ? words.starting : words.quick}</button>
    <p class="soft small">${words.quickHint}</p>
    <${Alert} text=${problem.value} />
  </div>`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const problem = useSignal("");
  const variants = useVariants((sentence) => { problem.value = sentence; });
  const last = useMemo(() => readSpec(load("spec") ?? "", variants), [variants]);
  const choice = useSignal(/** @type {{name: string, values: Values}|null} */ (null));
  const chosen = choice.value ?? (last.name ? last : { name: "othello", values: {} });
  const ownGames = useMemo(myGames, []);
  const isEdited = params.query.get("from") === "editor";
  const edited = useMemo(() => (isEdited ? loadEditedSetup() : null), [isEdited]);
  const variant = variants.find(({ name }) => name === chosen.name);
  const spec = variant ? specOf(variant.name, variant.options, chosen.values) : "";
  useEffect(() => { if (spec) save("spec", spec); }, [spec]);
  return html`<div class="page play stack">
    <${PageHeader} title=${words.title} lead=${words.lead}><${OpenRecord} /><//>
    ${!edited && html`<${Quick} />${ownGames.length > 0 && html`<${Continue} ids=${ownGames} />`}`}
    <${Alert} text=${problem.value} />
    ${variant && html`<div class=${edited ? "play-edited" : "play-columns"}>
      ${!edited && html`<${Gallery} variants=${variants} chosen=${variant.name}
        onChoose=${(/** @type {string} */ name) => { choice.value = { name, values: {} }; }} />`}
      <${Setup} key=${edited ? "edited" : variant.name} edited=${edited} variant=${variant} spec=${spec}
        values=${chosen.values} onValues=${(/** @type {Values} */ values) => { choice.value = { ...chosen, values }; }} />
    </div>`}
  </div>`;
}
