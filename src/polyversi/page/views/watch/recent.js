/** The games that were played before: who won, against whom, in how many moves. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { resultOf } from "./result.js";

/** @typedef {import("../../app/types.js").Summary} Summary */

/** @param {{games: Summary[], variant: string}} props */
export function Recent({ games, variant }) {
  return html`
    <section class="stack tight" aria-labelledby="watch-recent">
      <h2 id="watch-recent">${words.watch.recent}</h2>
      ${games.length > 0
        ? html`<${RecentTable} games=${games} />`
        : html`<p class="watch-empty panel soft">${variant ? words.watch.nothingOfVariant(words.play.variant(variant)) : words.watch.nothingRecent}</p>`}
    </section>`;
}

/** @param {{games: Summary[]}} props */
function RecentTable({ games }) {
  const { columns } = words.watch;
  return html`
    <div class="panel watch-table">
      <table aria-labelledby="watch-recent">
        <thead>
          <tr>
            <th scope="col">${columns.players}</th>
            <th scope="col">${columns.result}</th>
            <th scope="col">${columns.game}</th>
            <th scope="col" class="watch-right">${columns.moves}</th>
            <th scope="col" class="watch-right">${columns.when}</th>
          </tr>
        </thead>
        <tbody>${games.map((summary) => html`<${Row} key=${summary.id} summary=${summary} />`)}</tbody>
      </table>
    </div>`;
}

/** @param {{summary: Summary}} props */
function Row({ summary }) {
  const { text, score } = resultOf(summary);
  const players = summary.players.map((name) => name || words.watch.somebody);
  return html`
    <tr>
      <td class="watch-who"><a href=${`/game/${summary.id}`}>${players.join(words.watch.against)}</a></td>
      <td class="watch-result"><span>${text}</span> <span class="soft number">${score}</span></td>
      <td class="watch-variant soft">${words.play.spec(summary.spec)}</td>
      <td class="watch-moves watch-right soft number">${summary.plies}<span class="watch-unit"> ${words.watch.unit(summary.plies)}</span></td>
      <td class="watch-when watch-right soft">${words.watch.ago(secondsSince(summary.created))}</td>
    </tr>`;
}

/**
 * @param {string | number} created seconds since 1970, or a date in words
 */
function secondsSince(created) {
  const then = typeof created === "number" ? created * 1000 : Date.parse(created);
  return Math.max(0, (Date.now() - then) / 1000);
}
