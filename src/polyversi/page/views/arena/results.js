/** The results of a series: totals by player, and the rounds played so far. */
import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { SeatStone } from "./board.js";
import * as form from "./form.js";
import { words } from "./words.js";

/** @import { Summary } from "../../app/types.js" */
/** @import { Rounds } from "./series.js" */

/** @param {{rounds: Rounds | null}} props */
export function Totals({ rounds }) {
  const names = rounds?.players ?? [form.playerSpec(0), form.playerSpec(1)];
  const wins = rounds?.wins ?? [0, 0];
  const stones = rounds?.stones ?? [0, 0];
  const winner = rounds?.winner ?? null;
  const active = rounds && (rounds.phase === "running" || rounds.phase === "paused");
  return html`
    <section class="panel stack tight arena-result" aria-labelledby="arena-result-table">
      <h2 id="arena-result-table">${words.totals}</h2>
      <table class="arena-result-table" aria-labelledby="arena-result-table">
        <thead>
          <tr>
            <td></td>
            ${names.map((name, at) => html`<th scope="col"><span class="arena-player">${name}</span><br />
              <span class="soft small">${words.chosenFor(words.seats[at] ?? "")}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          <tr><th scope="row">${words.wins}</th>${wins.map((count) => html`<td class="number">${count}</td>`)}</tr>
          <tr><th scope="row">${words.stones}</th>${stones.map((count) => html`<td class="number">${count}</td>`)}</tr>
          <tr>
            <th scope="row">${words.now}</th>
            ${names.map((_, at) => html`<td>${active ? html`<${SeatTag} seat=${rounds.seats.indexOf(at)} />` : "–"}</td>`)}
          </tr>
        </tbody>
      </table>
      <dl class="arena-totals">
        <div><dt>${words.draws}</dt><dd class="number">${rounds?.draws ?? 0}</dd></div>
        <div>
          <dt>${words.winner}</dt>
          <dd>${winner === null ? words.undecided : winner === "draw" ? words.drawn : names[winner]}</dd>
        </div>
      </dl>
      <p class="soft small">${words.totalsHint}</p>
    </section>`;
}

/** @param {{seat: number}} props from 0 */
function SeatTag({ seat }) {
  return html`<span class="row arena-seat"><${SeatStone} seat=${seat} size=${22} />
    ${words.colours[seat]}<span class="visually-hidden">, ${words.seats[seat]}</span></span>`;
}

/** Rounds that are listed at first. */
const MAX_LISTED = 10;

/** Finished games by their id. @type {Map<string, Promise<Summary>>} */
const results = new Map();

/** @param {string} id */
function resultOf(id) {
  let asked = results.get(id);
  if (!asked) {
    asked = get(`/api/games/${id}`);
    // A game that is being broken off has no result yet: it is asked for again.
    asked.then(({ result }) => { if (!result) results.delete(id); }, () => results.delete(id));
    results.set(id, asked);
  }
  return asked;
}

/** @param {{rounds: Rounds}} props */
export function Played({ rounds }) {
  const all = useSignal(false);
  const isOver = rounds.phase === "over" || rounds.phase === "stopped";
  const games = rounds.games.slice(0, isOver ? undefined : -1);
  const listed = games.map((id, at) => ({ id, number: at + 1 })).reverse().slice(0, all.value ? undefined : MAX_LISTED);
  return html`
    <section class="panel stack tight arena-rounds" aria-labelledby="arena-played">
      <h2 id="arena-played">${words.played}</h2>
      ${listed.length === 0
        ? html`<p class="soft">${words.nonePlayed}</p>`
        : html`<table class="arena-played" aria-labelledby="arena-played">
            <thead><tr>
              <th scope="col">${words.columns.round}</th>
              <th scope="col">${words.columns.x}</th>
              <th scope="col">${words.columns.y}</th>
              <th scope="col">${words.columns.result}</th>
            </tr></thead>
            <tbody>${listed.map(({ id, number }) => html`<${Row} key=${id} id=${id} number=${number} rounds=${rounds} />`)}</tbody>
          </table>`}
      ${listed.length < games.length && html`
        <button type="button" class="button quiet" onClick=${() => { all.value = true; }}>${words.all(games.length)}</button>`}
    </section>`;
}

/** @param {{id: string, number: number, rounds: Rounds}} props */
function Row({ id, number, rounds }) {
  const summary = useSignal(/** @type {Summary | null} */ (null));
  useEffect(() => {
    let here = true;
    resultOf(id).then((found) => { if (here) summary.value = found; }, () => {});
    return () => { here = false; };
  }, [id, summary.value?.result ? null : rounds]);
  const players = summary.value?.players ?? ["", ""];
  const result = summary.value?.result ?? null;
  return html`
    <tr>
      <th scope="row"><a href=${`/game/${id}`}>${words.openGame(number)}</a></th>
      ${players.map((name, at) => html`<td>${name} <span class="soft number">${result?.scores[at]}</span></td>`)}
      <td>${result && winnerOf(players, result)}</td>
    </tr>`;
}

/**
 * @param {string[]} players
 * @param {import("../../app/types.js").Result} result
 */
function winnerOf(players, result) {
  if (result.verdict?.kind === "aborted") return words.aborted;
  const first = result.ranks.flatMap((rank, at) => (rank === 1 ? [at] : []));
  const [winner] = first;
  if (winner === undefined || first.length > 1) return words.drawn;
  return html`<span class="row arena-seat"><${SeatStone} seat=${winner} size=${18} />${players[winner]}</span>`;
}
