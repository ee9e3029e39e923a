/** The games going on, each a small board that follows its game. */

import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { isForPlaying } from "../../app/offers.js";
import { words } from "../../words/words.js";
import { LittleBoard } from "../parts/little.js";
import { Stone } from "../parts/stone.js";

/** @typedef {import("../../app/types.js").Summary} Summary */
/** @typedef {import("../../app/types.js").Description} Description */

/**
 * Boards that were asked for already; games of one variant share theirs, XT maps may be anybody's own.
 * @type {Map<string, Promise<Description>>}
 */
const boards = new Map();
/** What the keys of boards that belong to one game begin with. */
const OWN = "game ";

/**
 * @param {Summary} summary
 * @returns {Promise<Description>}
 */
function boardOf({ id, spec }) {
  const key = spec.includes("xt") ? `${OWN}${id}` : spec;
  let asked = boards.get(key);
  if (!asked) {
    asked = get(`/api/games/${id}`).then((info) => info.description);
    asked.catch(() => boards.delete(key));
    boards.set(key, asked);
  }
  return asked;
}

/**
 * Forgets the boards of maps whose games are not shown any more: each of them is large.
 * @param {Summary[]} games
 */
function forgetOthers(games) {
  const shown = new Set(games.map(({ id }) => `${OWN}${id}`));
  for (const key of boards.keys()) if (key.startsWith(OWN) && !shown.has(key)) boards.delete(key);
}

/** @param {{games: Summary[], variant: string}} props */
export function Running({ games, variant }) {
  useEffect(() => forgetOthers(games), [games.map(({ id }) => id).join(" ")]);
  return html`
    <section class="stack tight" aria-labelledby="watch-running">
      <h2 id="watch-running">${words.watch.running}${games.length > 0 && html` <span class="tag number">${games.length}</span>`}</h2>
      ${games.length > 0
        ? html`<ul class="watch-cards">${games.map((summary) => html`<li key=${summary.id}><${Card} summary=${summary} /></li>`)}</ul>`
        : html`<p class="watch-empty panel soft">
            ${variant ? words.watch.nothingOfVariant(words.play.variant(variant)) : words.watch.nothingRunning} ${isForPlaying ? html`<a href="/play">${words.watch.startOne}</a>` : words.watch.willCome}
          </p>`}
    </section>`;
}

/** @param {{summary: Summary}} props */
function Card({ summary }) {
  const description = useSignal(/** @type {Description | null} */ (null));
  useEffect(() => {
    let here = true;
    boardOf(summary).then((found) => { if (here) description.value = found; }, () => {});
    return () => { here = false; };
  }, [summary.id]);
  const found = description.value;
  const players = summary.players.map((name) => name || words.watch.somebody);
  return html`
    <a class="watch-card panel" href=${`/game/${summary.id}`}>
      <div class="watch-board">
        ${found && html`<${LittleBoard} description=${found} position=${summary.position}
          label=${words.watch.boardLabel(words.play.spec(summary.spec))} />`}
      </div>
      <div class="row apart small">
        <span class="watch-spec">${words.play.spec(summary.spec)}</span>
        <span class="soft number">${summary.phase === "waiting" ? words.watch.waiting : words.watch.plies(summary.plies)}</span>
      </div>
      <ul class=${`watch-players small ${players.length > 2 ? "many" : ""}`}>
        ${players.map((name, at) => html`
          <li class="row apart">
            <span class="row tight">
              <${Stone} paint=${found?.plan.seats[at]} size=${16} />
              <span class="watch-name">${name}</span>
            </span>
            <span class="number">${summary.scores[at]}</span>
          </li>`)}
      </ul>
    </a>`;
}
