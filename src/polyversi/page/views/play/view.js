/** The play view: one click starts the default game, and pictures offer all others. */
import { get, useAction, useFetched, useVariants } from "../../app/api.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { playerName } from "../../app/players.js";
import { load, myGames, save } from "../../app/storage.js";
import { readSpec, specOf } from "../../components/forms.js";
import { OpenRecord } from "../../components/open-record.js";
import { Alert, PageHeader } from "../../components/page.js";
import { firstOpponent, Setup, startGame } from "./setup.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Family, Summary, Variant } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** At most this many links to running games are shown. */
const MAX_LINKS = 3;

/** Links to the running games of this browser. @param {{ids: string[]}} props */
function Continue({ ids }) {
  /** @type {Summary[]} */
  const running = useFetched("/api/games")?.running ?? [];
  const own = running.filter(({ id }) => ids.includes(id)).slice(0, MAX_LINKS);
  const names = (/** @type {string[]} */ players) =>
    (players.length > 2 ? `${players.length} players` : players.map((player) => playerName(player) || "…").join(" – "));
  return own.length > 0 && html`<section class="panel continue">
    <h2>Continue your game</h2>
    <ul class="row">${own.map(({ id, title, players }) => html`
      <li key=${id}><a class="button" href=${`/game/${id}`}>${title}: ${names(players)}</a></li>`)}
    </ul></section>`;
}

/** Families with more variants than this are folded. */
const MAX_OPEN = 12;
/** Families with more variants than this take a whole row. */
const MAX_BESIDE = 4;

/** @param {{variants: Variant[], chosen: string, onChoose: (name: string) => void}} props */
function Gallery({ variants, chosen, onChoose }) {
  const card = (/** @type {Variant} */ { name, label, sentence, spec, seats }) => html`
    <label key=${name} class="card">
      <input class="visually-hidden" type="radio" name="variant" value=${name} checked=${name === chosen}
        onChange=${() => onChoose(name)} />
      <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt="" width="120" height="120" loading="lazy"
        decoding="async" />
      <span class="card-name">${label}</span>
      <span class="card-sentence soft small">${sentence}</span>
      ${seats > 2 && html`<span class="soft small">${seats} seats</span>`}
    </label>`;
  const families = [...new Set(variants.map(({ family }) => family))];
  const cards = (/** @type {Family} */ family) => variants.filter((variant) => variant.family === family).map(card);
  const isLong = (/** @type {Family} */ family) => family.variants.length > MAX_OPEN;
  return html`<fieldset class="gallery stack"><legend class="visually-hidden">Variant</legend>
    <div class="families">${families.filter((family) => !isLong(family)).map((family) => html`
      <section key=${family.name} class=${`family ${family.variants.length > MAX_BESIDE ? "wide" : ""}`}>
        <h2>${family.label}</h2>
        <div class="cards">${cards(family)}</div></section>`)}</div>
    ${families.filter(isLong).map((family) => html`
      <details key=${family.name} open=${family.variants.some(({ name }) => name === chosen)}>
        <summary><h2>${family.label}</h2></summary>
        <p class="soft small">${family.sentence}</p>
        <div class="cards maps">${cards(family)}</div>
      </details>`)}
  </fieldset>`;
}

/** One click: Othello, black, against a computer that plays well and can be beaten. */
function Quick() {
  const { isBusy, problem, run } = useAction();
  const start = () => run(async () => {
    const players = await get("/api/players?spec=othello");
    const opponent = firstOpponent(players);
    const seats = /** @type {const} */ (["me", "computer"]).map((kind) => ({ kind, ...opponent }));
    await startGame({ spec: "othello" }, seats, players, "none");
  });
  return html`<div class="quick">
    <button class="button primary big" onClick=${start} disabled=${isBusy.value}>
      ${isBusy.value ? "Starting…" : "Play Othello against the computer"}</button>
    <p class="soft small">You are black and move first. No clock; the computer plays at moderate strength.</p>
    <${Alert} text=${problem.value} />
  </div>`;
}

/** What the editor has handed over to this view, or null. @returns {import("./setup.js").Edited|null} */
function loadEdited() {
  return JSON.parse(sessionStorage.getItem("polyversi.setup") ?? "null");
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
  const edited = useMemo(() => (isEdited ? loadEdited() : null), [isEdited]);
  const variant = variants.find(({ name }) => name === chosen.name);
  const spec = variant ? specOf(variant.name, variant.options, chosen.values) : "";
  useEffect(() => { if (spec) save("spec", spec); }, [spec]);
  return html`<div class="page play stack">
    <${PageHeader} title="Play" lead="Choose a board and the players, or just start."><${OpenRecord} /><//>
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
