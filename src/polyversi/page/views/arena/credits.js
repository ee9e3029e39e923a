/** What the two players have gathered: read-only, credited to players whichever seat they had. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import * as form from "./form.js";
import { SeatStone } from "./paints.js";

/** @typedef {import("./series.js").Rounds} Rounds */

/** @param {{rounds: Rounds | null}} props */
export function Credits({ rounds }) {
  const names = rounds?.players ?? [form.playerSpec(0), form.playerSpec(1)];
  const wins = rounds?.wins ?? [0, 0];
  const stones = rounds?.stones ?? [0, 0];
  const winner = rounds?.winner ?? null;
  const active = rounds && (rounds.phase === "running" || rounds.phase === "paused");
  return html`
    <section class="panel stack tight arena-result" aria-labelledby="arena-credits">
      <h2 id="arena-credits">${words.arena.credits}</h2>
      <table class="arena-credits" aria-labelledby="arena-credits">
        <thead>
          <tr>
            <td></td>
            ${names.map((name, at) => html`<th scope="col"><span class="arena-player">${name}</span><br />
              <span class="soft small">${words.arena.chosenFor(words.arena.seats[at] ?? "")}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          <tr><th scope="row">${words.arena.wins}</th>${wins.map((count) => html`<td class="number">${count}</td>`)}</tr>
          <tr><th scope="row">${words.arena.stones}</th>${stones.map((count) => html`<td class="number">${count}</td>`)}</tr>
          <tr>
            <th scope="row">${words.arena.now}</th>
            ${names.map((_, at) => html`<td>${active ? html`<${SeatTag} seat=${rounds.seats.indexOf(at)} />` : "–"}</td>`)}
          </tr>
        </tbody>
      </table>
      <dl class="arena-totals">
        <div><dt>${words.arena.draws}</dt><dd class="number">${rounds?.draws ?? 0}</dd></div>
        <div>
          <dt>${words.arena.winner}</dt>
          <dd>${winner === null ? words.arena.undecided : winner === "draw" ? words.arena.drawn : names[winner]}</dd>
        </div>
      </dl>
      <p class="soft small">${words.arena.creditsHint}</p>
    </section>`;
}

/** @param {{seat: number}} props from 0 */
function SeatTag({ seat }) {
  return html`<span class="row arena-seat"><${SeatStone} seat=${seat} size=${22} />
    ${words.arena.colours[seat]}<span class="visually-hidden">, ${words.arena.seats[seat]}</span></span>`;
}
