/** The results of a series: totals by player, and the rounds played so far. */
import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { Stone } from "../../components/icons.js";
import { Name } from "../../components/page.js";
import { PAINTS } from "./board.js";
import * as form from "./form.js";

/** @import { Summary } from "../../app/types.js" */
/** @import { Rounds } from "./series.js" */

/** @param {{rounds: Rounds|null}} props */
export function Totals({ rounds }) {
  const names = rounds?.players ?? form.playerSpecs();
  const winner = rounds?.winner ?? null;
  const isActive = rounds?.phase === "running" || rounds?.phase === "paused";
  const row = (/** @type {string} */ title, /** @type {number[]} */ counts = [0, 0]) => html`
    <tr><th scope="row">${title}</th>${counts.map((count) => html`<td class="number">${count}</td>`)}</tr>`;
  return html`
    <section class="panel stack tight arena-result" aria-labelledby="arena-result-table">
      <h2 id="arena-result-table">Result so far</h2>
      <table class="arena-result-table" aria-labelledby="arena-result-table">
        <thead><tr><td></td>${names.map((name, at) => html`
          <th scope="col"><span class="arena-player"><${Name} text=${name} /></span><br />
            <span class="soft small">chosen for ${PAINTS[at].sign}</span></th>`)}</tr></thead>
        <tbody>
          ${row("Wins", rounds?.wins)}
          ${row("Stones", rounds?.stones)}
          <tr><th scope="row">Seat now</th>${names.map((_, at) => html`
            <td>${isActive ? html`<${Seat} paint=${PAINTS[rounds.seats.indexOf(at)]} />` : "–"}</td>`)}</tr>
        </tbody>
      </table>
      <dl class="arena-totals">
        <div><dt>Draws</dt><dd class="number">${rounds?.draws ?? 0}</dd></div>
        <div><dt>Winner</dt>
          <dd>${winner === null ? "undecided" : winner === "draw" ? "draw" : html`<${Name} text=${names[winner]} />`}</dd></div>
      </dl>
      <p class="soft small">Wins and stones count for the player, whichever seat it had.</p>
    </section>`;
}

/** @param {{paint: import("../../app/types.js").Paint}} props */
function Seat({ paint }) {
  return html`<span class="row arena-seat"><${Stone} paint=${paint} />
    ${paint.name}<span class="visually-hidden">, ${paint.sign}</span></span>`;
}

/** Rounds that are listed at first. */
const MAX_LISTED = 10;

/** @param {{rounds: Rounds}} props */
export function Played({ rounds }) {
  const all = useSignal(false);
  const isOver = rounds.phase === "over" || rounds.phase === "stopped";
  const games = rounds.games.slice(0, isOver ? undefined : -1);
  const listed = games.map((id, at) => ({ id, number: at + 1 })).reverse().slice(0, all.value ? undefined : MAX_LISTED);
  return html`
    <section class="panel stack tight arena-rounds" aria-labelledby="arena-played">
      <h2 id="arena-played">Rounds played</h2>
      ${listed.length === 0
        ? html`<p class="soft">The first round is not over yet.</p>`
        : html`<table class="arena-played" aria-labelledby="arena-played">
            <thead><tr><th scope="col">Round</th><th scope="col">X, red</th>
              <th scope="col">Y, blue</th><th scope="col">Won by</th></tr></thead>
            <tbody>${listed.map(({ id, number }) => html`
              <${Row} key=${id} id=${id} number=${number} rounds=${rounds} />`)}</tbody>
          </table>`}
      ${listed.length < games.length && html`
        <button type="button" class="button quiet" onClick=${() => { all.value = true; }}>
          All ${games.length} rounds</button>`}
    </section>`;
}

/** @param {{id: string, number: number, rounds: Rounds}} props */
function Row({ id, number, rounds }) {
  const game = useSignal(/** @type {Summary|null} */ (null));
  const { players, result } = game.value ?? { players: ["", ""], result: null };
  useEffect(() => {
    // A game that is being aborted has no result yet and is requested again. A new request does not cancel the one
    // before it: where rounds are faster than answers, no answer would ever arrive.
    if (!result) get(`/api/games/${id}`).then((found) => { if (!game.value?.result) game.value = found; }, () => {});
  }, [rounds]);
  return html`
    <tr>
      <th scope="row"><a href=${`/game/${id}`}>Round ${number}</a></th>
      ${players.map((name, at) => html`<td class="arena-player"><${Name} text=${name} /> <span class="soft number">${result?.scores[at]}</span></td>`)}
      <td>${result && winnerOf(players, result)}</td>
    </tr>`;
}

/**
 * @param {string[]} players
 * @param {import("../../app/types.js").Result} result
 */
function winnerOf(players, { ranks, verdict }) {
  if (verdict.kind === "aborted") return "aborted";
  if (ranks[0] === ranks[1]) return "draw";
  const winner = ranks.indexOf(1);
  return html`<span class="row arena-seat"><${Stone} paint=${PAINTS[winner]} size=${18} /><span class="arena-player"><${Name} text=${players[winner]} /></span></span>`;
}
