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
import { begin, offeredValues, takeEdited, usualPlayer } from "./start.js";

/** @import { PlayerInfo, Summary, Variant } from "../../app/types.js" */

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
    <ul class="row">${games.value.map(({ id, spec, players }) => html`<li key=${id}>
      <a class="button" href=${`/game/${id}`}>
        ${words.play.goOnAgainst(words.play.spec(spec), players)}</a></li>`)}
    </ul></section>`;
}

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

/** One click: Othello, black, against a computer that plays well and can be beaten. */
function Quick() {
  const problem = useSignal("");
  const busy = useSignal(false);
  const start = async () => {
    busy.value = true;
    try {
      const me = { kind: "me", name: name.value || words.play.namePlaceholder };
      const players = await get("/api/players?spec=othello");
      const { name: usual, options } = players.find((/** @type {PlayerInfo} */ one) => one.name === usualPlayer(players));
      const computer = { kind: "computer", player: specOf(usual, options, offeredValues(usual)) };
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
      const last = readSpec(kept("spec") ?? "", found.map((/** @type {Variant} */ variant) => variant.name));
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
