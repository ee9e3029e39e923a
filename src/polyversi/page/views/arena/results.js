/** How a series stands: what each player has gathered, and the rounds played so far. */
import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { Stone } from "../../components/icons.js";
import * as form from "./form.js";

/** @import { Paint, Result, Summary } from "../../app/types.js" */
/** @import { Scene } from "./board.js" */
/** @import { Rounds } from "../../app/messages.js" */

/** A seat in words. @param {number} at from 0 */
export const seatName = (at) => (at === 0 ? t("X (red)") : t("Y (blue)"));

/**
 * One column for each player, whichever seat it has.
 * @param {{rounds: Rounds|null, scene: Scene}} props
 */
export function Standings({ rounds, scene }) {
  const names = rounds?.players ?? form.playerSpecs();
  const seatOf = (/** @type {number} */ player) => (rounds ? rounds.seats.indexOf(player) : player);
  const isOver = rounds?.phase === "over" || rounds?.phase === "stopped";
  const isToMove = (/** @type {number} */ player) => !isOver && scene.turn === seatOf(player) + 1;
  const row = (/** @type {string} */ title, /** @type {(player: number) => any} */ of, look = "") => html`
    <tr class=${look}><th scope="row">${title}</th>${[0, 1].map((player) => html`<td class="number">${of(player)}</td>`)}</tr>`;
  return html`
    <section class="panel stack tight arena-standings" aria-labelledby="arena-standings">
      <h2 id="arena-standings">${t("Standings")}</h2>
      <table aria-labelledby="arena-standings">
        <thead><tr><td></td>${names.map((spec, player) => html`
          <th scope="col" class=${isToMove(player) ? "turn" : ""}>
            <${Stone} paint=${scene.paints[seatOf(player)]} size=${28} />
            <span class="arena-name" title=${playerName(spec)}><bdi>${playerName(spec)}</bdi></span></th>`)}</tr></thead>
        <tbody>
          ${row(t("Wins"), (player) => number(rounds?.wins[player] ?? 0), "arena-wins")}
          ${row(t("Stones in all"), (player) => number(rounds?.stones[player] ?? 0))}
          ${row(t("Stones now"), (player) => scene.stones[seatOf(player)])}
          ${row(t("Seat"), (player) => html`<span class="arena-seat">${seatName(seatOf(player))}</span>`)}
        </tbody>
      </table>
      <dl class="arena-totals">
        <div><dt>${t("Draws")}</dt><dd class="number">${number(rounds?.draws ?? 0)}</dd></div>
        <div><dt>${t("Winner")}</dt><dd class="arena-name">${winnerName(rounds?.winner ?? null, names)}</dd></div>
      </dl>
      <p class="soft small">${t("Wins and stones count for the player, whichever seat it had.")}</p>
    </section>`;
}

/** @type {(winner: Rounds["winner"], names: string[]) => string} */
function winnerName(winner, names) {
  if (winner === null) return t("undecided");
  return winner === "draw" ? t("draw") : playerName(names[winner]);
}

/** Rounds that are listed at first. */
const MAX_LISTED = 10;

/** @param {{rounds: Rounds, paints: Paint[]}} props */
export function Played({ rounds, paints }) {
  const all = useSignal(false);
  const isOver = rounds.phase === "over" || rounds.phase === "stopped";
  const games = rounds.games.slice(0, isOver ? undefined : -1);
  const listed = games.map((id, at) => ({ id, round: at + 1 })).reverse().slice(0, all.value ? undefined : MAX_LISTED);
  return html`
    <section class="panel stack tight arena-rounds" aria-labelledby="arena-played">
      <h2 id="arena-played">${t("Rounds played")}</h2>
      ${listed.length === 0
        ? html`<p class="soft">${t("The first round is not over yet.")}</p>`
        : html`<table class="arena-played" aria-labelledby="arena-played">
            <thead><tr><th scope="col">${t("Round")}</th>
              ${[0, 1].map((at) => html`<th scope="col">${seatName(at)}</th>`)}
              <th scope="col">${t("Won by")}</th></tr></thead>
            <tbody>${listed.map(({ id, round }) => html`
              <${Row} key=${id} id=${id} round=${round} rounds=${rounds} paints=${paints} />`)}</tbody>
          </table>`}
      ${listed.length < games.length && html`
        <button type="button" class="button quiet" onClick=${() => { all.value = true; }}>
          ${plural(games.length, "Show the round", "Show all {count} rounds")}</button>`}
    </section>`;
}

/** @param {{id: string, round: number, rounds: Rounds, paints: Paint[]}} props */
function Row({ id, round, rounds, paints }) {
  const game = useSignal(/** @type {Summary|null} */ (null));
  const { players, result } = game.value ?? { players: ["", ""], result: null };
  useEffect(() => {
    // A game that is being aborted has no result yet and is requested again. A new request does not cancel the one
    // before it: where rounds are faster than answers, no answer would ever arrive.
    if (!result) get(`/api/games/${id}`).then((found) => { if (!game.value?.result) game.value = found; }, () => {});
  }, [rounds]);
  return html`
    <tr>
      <th scope="row"><a href=${`/game/${id}`}>${t("Round {round}", { round: number(round) })}</a></th>
      ${players.map((spec, at) => html`<td><span class="arena-cell"><span class="arena-name">${playerName(spec)}</span>
        <strong class="number">${result?.scores[at]}</strong></span></td>`)}
      <td>${result && html`<${Winner} players=${players} result=${result} paints=${paints} />`}</td>
    </tr>`;
}

/** @param {{players: string[], result: Result, paints: Paint[]}} props */
function Winner({ players, result: { ranks, verdict }, paints }) {
  if (verdict.kind === "aborted") return t("aborted");
  if (ranks[0] === ranks[1]) return t("draw");
  const winner = ranks.indexOf(1);
  return html`<span class="arena-cell"><${Stone} paint=${paints[winner]} size=${18} />
    <span class="visually-hidden">${seatName(winner)}, ${playerName(players[winner])}</span>
    <span aria-hidden="true">${paints[winner]?.sign}</span></span>`;
}
