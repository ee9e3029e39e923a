/** Games that are over, as a list: who played whom, how it ended, and when. */
import { canPlay } from "../../app/features.js";
import { html } from "../../app/html.js";
import { language, number, plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { Icon } from "../../components/icons.js";
import { isMine, namesOf } from "./cards.js";

/** @import { Listed, Result } from "../../app/types.js" */

/** @param {{games: Listed[]}} props */
export function Finished({ games }) {
  return html`
    <div class="panel watch-table">
      <table aria-labelledby="watch-recent">
        <thead><tr>
          <th scope="col">${t("Players")}</th><th scope="col">${t("Result")}</th><th scope="col">${t("Variant")}</th>
          <th scope="col" class="watch-right">${t("Length")}</th><th scope="col" class="watch-right">${t("When")}</th>
          <th scope="col"><span class="visually-hidden">${t("Analysis")}</span></th>
        </tr></thead>
        <tbody>${games.map((game) => html`<${Row} key=${game.series || game.id} game=${game} />`)}</tbody>
      </table></div>`;
}

/** @param {{game: Listed}} props */
function Row({ game }) {
  const { id, rounds, title, plies, created, ended } = game;
  const names = rounds ? rounds.players.map(playerName) : namesOf(game);
  const length = rounds
    ? plural(rounds.round, "{count} round", "{count} rounds")
    : plural(plies, "{count} move", "{count} moves");
  return html`
    <tr>
      <td class="watch-who"><a class="watch-clamp" href=${rounds ? `/arena/${rounds.id}` : `/game/${id}`}>
        ${names.map((name, at) => html`${at > 0 && " – "}<bdi key=${at} class="watch-one" title=${name}>${name}</bdi>`)}</a>
        ${isMine(game) && html` <span class="tag good">${t("yours")}</span>`}</td>
      <td class="watch-result"><span class="watch-clamp">${rounds ? seriesResult(rounds) : resultText(game)}</span></td>
      <td class="watch-variant soft"><span class="watch-clamp">${t(title)}</span></td>
      <td class="watch-moves watch-right soft number">${length}</td>
      <td class="watch-when watch-right soft">${ago(ended ?? Number(created))}</td>
      <td class="watch-analyse">${canPlay && !rounds && plies > 0 && html`<a class="button quiet icon" href=${`/analysis?game=${id}`}
        aria-label=${t("Analyse {names}", { names: names.join(" – ") })} title=${t("Analyse")}><${Icon} name="graph" /></a>`}</td>
    </tr>`;
}

/** How a series stands or ended. @param {NonNullable<Listed["rounds"]>} rounds */
function seriesResult({ players, winner, wins, draws, phase }) {
  const score = wins?.map((count) => number(count)).join("–") ?? "";
  const drawn = draws ? `, ${plural(draws, "{count} draw", "{count} draws")}` : "";
  if (winner === "draw") return t("Draw, {score}", { score }) + drawn;
  if (typeof winner === "number") {
    const [high, low] = [number(wins?.[winner] ?? 0), number(wins?.[1 - winner] ?? 0)];
    return t("{name} won {score}", { name: playerName(players[winner]), score: `${high}–${low}` }) + drawn;
  }
  return (phase === "stopped" ? t("Stopped at {score}", { score }) : t("{score} so far", { score })) + drawn;
}

/** How one of two players lost otherwise than on the board. @type {Record<string, (winner: string, loser: string) => string>} */
const BEATEN = {
  "timeout": (winner) => t("{name} won on time", { name: winner }),
  "resigned": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} resigned", { name: loser }) }),
  "disconnect": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} left", { name: loser }) }),
  "illegal move": (winner, loser) =>
    t("{name} won: {reason}", { name: winner, reason: t("{name} made an illegal move", { name: loser }) }),
  "crash": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} crashed", { name: loser }) }),
  "stall": (winner, loser) => t("{name} won: {reason}", { name: winner, reason: t("{name} did not answer", { name: loser }) }),
  "disqualified": (winner, loser) =>
    t("{name} won: {reason}", { name: winner, reason: t("{name} was disqualified", { name: loser }) }),
};

/** How a game ended, in a few words. @param {Listed} game */
function resultText(game) {
  const { result } = game;
  if (!result || result.verdict.kind === "aborted") return t("Not finished");
  const names = namesOf(game);
  const { ranks, verdict } = result;
  const winners = names.filter((_, at) => ranks[at] === 1);
  const loser = verdict.seat;
  const isPair = names.length === 2;
  if (isPair && loser && verdict.kind in BEATEN) return BEATEN[verdict.kind](names[2 - loser], names[loser - 1]);
  if (winners.length === 0) return t("Nobody won");
  const score = scoreOf(result);
  if (winners.length > 1) {
    return winners.length === names.length
      ? t("Draw, {score}", { score })
      : t("Draw between {names}, {score}", { names: winners.join(", "), score });
  }
  return t("{name} won {score}", { name: winners[0], score });
}

/** The score of a game, the winner's first. @param {Result} result */
function scoreOf({ scores, ranks }) {
  const order = scores.map((_, at) => at).sort((one, other) => ranks[one] - ranks[other]);
  return order.map((at) => number(scores[at])).join("–");
}

/** The longest units that fit, in minutes. @type {[unit: Intl.RelativeTimeFormatUnit, minutes: number][]} */
const UNITS = [["year", 525_600], ["month", 43_200], ["day", 1440], ["hour", 60], ["minute", 1]];

/** How long ago something was. @param {number} when seconds since 1970 */
function ago(when) {
  const minutes = (Date.now() / 1000 - when) / 60;
  const [unit, length] = UNITS.find(([, least]) => minutes >= least) ?? ["second", 0];
  if (!length) return t("just now");
  return new Intl.RelativeTimeFormat(language.value, { numeric: "auto", style: "short" }).format(-Math.floor(minutes / length), unit);
}
