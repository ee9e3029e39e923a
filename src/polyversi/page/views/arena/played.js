/** The rounds played so far, newest first, each with a link to its game. */

import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { SeatStone } from "./paints.js";

/** @typedef {import("./series.js").Rounds} Rounds */
/** @typedef {import("../../app/types.js").Summary} Summary */

/** Rounds that are listed before somebody wants more. */
const FEW = 10;

/** How games that are over came out; they do not change any more. @type {Map<string, Promise<Summary>>} */
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
  const listed = games.map((id, at) => ({ id, number: at + 1 })).reverse().slice(0, all.value ? undefined : FEW);
  return html`
    <section class="panel stack tight arena-rounds" aria-labelledby="arena-played">
      <h2 id="arena-played">${words.arena.played}</h2>
      ${listed.length === 0
        ? html`<p class="soft">${words.arena.nonePlayed}</p>`
        : html`<table class="arena-played" aria-labelledby="arena-played">
            <thead><tr>
              <th scope="col">${words.arena.columns.round}</th>
              <th scope="col">${words.arena.columns.x}</th>
              <th scope="col">${words.arena.columns.y}</th>
              <th scope="col">${words.arena.columns.result}</th>
            </tr></thead>
            <tbody>${listed.map(({ id, number }) => html`<${Row} key=${id} id=${id} number=${number} rounds=${rounds} />`)}</tbody>
          </table>`}
      ${listed.length < games.length && html`
        <button type="button" class="button quiet" onClick=${() => { all.value = true; }}>${words.arena.all(games.length)}</button>`}
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
      <th scope="row"><a href=${`/game/${id}`}>${words.arena.openGame(number)}</a></th>
      ${players.map((name, at) => html`<td>${name} <span class="soft number">${result?.scores[at]}</span></td>`)}
      <td>${result && winnerOf(players, result)}</td>
    </tr>`;
}

/**
 * @param {string[]} players
 * @param {import("../../app/types.js").Result} result
 */
function winnerOf(players, result) {
  if (result.verdict?.kind === "aborted") return words.arena.broken;
  const first = result.ranks.flatMap((rank, at) => (rank === 1 ? [at] : []));
  const [winner] = first;
  if (winner === undefined || first.length > 1) return words.arena.drawn;
  return html`<span class="row arena-seat"><${SeatStone} seat=${winner} size=${18} />${players[winner]}</span>`;
}
