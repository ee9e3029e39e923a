/** The front door: what this is, a board that plays, three ways in, and what is going on. */
import { get, sentenceOf, useCatalogue, useVariants } from "../../app/api.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";
import { myGames } from "../../app/storage.js";
import { Alert } from "../../components/page.js";
import { pictureOf, VariantCard } from "../../components/variant-card.js";
import { Doors } from "./doors.js";
import { GameCards } from "./games.js";
import { Stage } from "./stage.js";

/** @import { Listed, Variant } from "../../app/types.js" */
/** @typedef {{variant: Variant, label: string}} Featured */

/** Milliseconds between two looks at the games that are going on. */
const INTERVAL = 5000;
/** How many games there is room for, and how many boards at the top. */
const [MAX_GAMES, MAX_BOARDS] = [4, 4];

/** @type {(path: string, signal?: AbortSignal) => Promise<Listed[]>} */
const runningAt = async (path, signal) => (await get(path, signal)).running;

/** The running games, looked up again and again; with those that moved since the time before. @param {(sentence: string) => void} onProblem */
function useRunning(onProblem) {
  const games = useSignal(/** @type {Listed[]} */ ([]));
  const moving = useSignal(/** @type {Listed[]} */ ([]));
  useEffect(() => whileVisible(async (signal) => {
    try {
      const running = await runningAt("/api/games?state=running", signal);
      const before = new Map(games.value.map(({ id, plies }) => [id, plies]));
      moving.value = running.filter(({ id, plies }) => before.has(id) && before.get(id) !== plies);
      games.value = running;
      onProblem("");
    } catch (error) {
      if (!signal.aborted) onProblem(sentenceOf(error));
    }
  }, INTERVAL), []);
  return { games: games.value, moving: moving.value };
}

/** The games of this browser that are not over, also those in which nobody has moved for long. @param {Listed[]} running */
function useOwn(running) {
  const ids = useMemo(myGames, []);
  const quiet = useSignal(/** @type {Listed[]} */ ([]));
  useEffect(() => {
    if (ids.length) runningAt("/api/games?state=quiet&running=240").then((found) => { quiet.value = found; }, () => {});
  }, []);
  const all = new Map([...quiet.value, ...running].map((summary) => [summary.id, summary]));
  return ids.flatMap((id) => all.get(id) ?? []);
}

/** The variants that newcomers see first. @param {Variant[]} variants @returns {Featured[]} */
function useFeatured(variants) {
  const featured = useCatalogue()?.featured;
  return useMemo(() => (featured ?? []).flatMap(({ name, label }) => {
    const variant = variants.find((one) => one.name === name);
    return variant ? [{ variant, label }] : [];
  }), [featured, variants]);
}

/** The boards that can be played at once. @param {{featured: Featured[], picked: string, onPick: (name: string) => void}} props */
function Boards({ featured, picked, onPick }) {
  return html`<fieldset class="home-boards"><legend class="visually-hidden">${t("Board")}</legend>
    ${featured.map(({ variant, label }) => html`
      <label key=${variant.name} class="home-board">
        <input class="visually-hidden" type="radio" name="board" checked=${variant.name === picked} onChange=${() => onPick(variant.name)} />
        <img src=${pictureOf(variant.spec, "middle")} alt="" width="96" height="96" /><span>${t(label)}</span>
      </label>`)}
  </fieldset>`;
}

/** Games as cards under a heading. @param {{id: string, title: string, games: Listed[], children?: any}} props */
function Section({ id, title, games, children }) {
  return html`<section class="home-section" aria-labelledby=${id}>
    <header class="row apart"><h2 id=${id}>${title}</h2>${children}</header>
    <${GameCards} games=${games.slice(0, MAX_GAMES)} /></section>`;
}

export function View() {
  const problem = useSignal("");
  const variants = useVariants((sentence) => { problem.value = sentence; });
  const featured = useFeatured(variants);
  const { games, moving } = useRunning((sentence) => { problem.value = sentence; });
  const pick = useSignal("");
  useEffect(() => { document.title = t("Polyversi: every Reversi there is"); }, []);
  const { variant } = featured.find(({ variant: { name } }) => name === pick.value) ?? featured[0] ?? {};
  const mine = useOwn(games);
  const isMine = (/** @type {Listed} */ { id }) => mine.some((game) => game.id === id);
  const others = games.filter((game) => !isMine(game) && game.plies > 0);
  const more = featured.slice(MAX_BOARDS);
  // Until a board has been picked any game will do; then only one on that board.
  const live = moving.filter((game) => !isMine(game) && (!pick.value || game.variant === variant?.label));
  return html`<div class="home">
    <div class="home-hero">
      <div class="home-words">
        <h1>${t("Every Reversi there is")}</h1>
        <p class="home-lead">${t("Othello, HexaReversi, Reversi XT and their relatives, against the computer or with friends. Free, and without an account.")}</p>
        <${Boards} featured=${featured.slice(0, MAX_BOARDS)} picked=${variant?.name ?? ""} onPick=${(/** @type {string} */ name) => { pick.value = name; }} />
        ${variant && html`<${Doors} key=${variant.name} variant=${variant} count=${variants.length} />`}
        <${Alert} text=${problem.value} />
      </div>
      <div class="home-stage">${variant && html`<${Stage} spec=${variant.spec} live=${live} />`}</div>
    </div>
    ${mine.length > 0 && html`<${Section} id="home-mine" title=${t("Your unfinished games")} games=${mine} />`}
    ${others.length > 0 && html`<${Section} id="home-now" title=${t("Going on now")} games=${others}>
      <a href="/watch">${t("Watch all games")}</a><//>`}
    ${more.length > 0 && html`<section class="home-section" aria-labelledby="home-more">
      <header class="row apart"><h2 id="home-more">${t("More boards")}</h2>
        <a href="/play">${plural(variants.length, "See the one variant", "See all {count} variants")}</a></header>
      <div class="variant-cards">${more.map(({ variant: one }) => html`
        <${VariantCard} key=${one.name} variant=${one} href=${`/play?${new URLSearchParams({ variant: one.name })}`} />`)}</div>
    </section>`}
  </div>`;
}
