/** Games that are over, as a list: who played whom, how it ended, and when. */
import { canPlay } from "../../app/features.js";
import { html } from "../../app/html.js";
import { language, number, plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { resultText } from "../../app/results.js";
import { Icon } from "../../components/icons.js";
import { isMine, namesOf } from "../../components/game-cards.js";

/** @import { Listed } from "../../app/types.js" */

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
      <td class="watch-result"><span class="watch-clamp">${rounds ? seriesResult(rounds) : resultText(namesOf(game), game.result)}</span></td>
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

/** The longest units that fit, in minutes. @type {[unit: Intl.RelativeTimeFormatUnit, minutes: number][]} */
const UNITS = [["year", 525_600], ["month", 43_200], ["day", 1440], ["hour", 60], ["minute", 1]];

/** How long ago something was. @param {number} when seconds since 1970 */
function ago(when) {
  const minutes = (Date.now() / 1000 - when) / 60;
  const [unit, length] = UNITS.find(([, least]) => minutes >= least) ?? ["second", 0];
  if (!length) return t("just now");
  return new Intl.RelativeTimeFormat(language.value, { numeric: "auto", style: "short" }).format(-Math.floor(minutes / length), unit);
}
