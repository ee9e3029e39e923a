/** Games of this browser that are still going on. */
import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { myGames } from "../../app/mine.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/types.js").Summary} Summary */

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
