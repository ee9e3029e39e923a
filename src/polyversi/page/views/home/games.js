/** Games that are going on, as small boards. */
import { boardOf } from "../../app/boards.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { Thumbnail } from "../../components/thumbnail.js";

/** @import { Description, Listed } from "../../app/types.js" */

/** Who plays, in a few words. @param {Listed} game */
export function namesOf({ players, kinds }) {
  if (players.length > 2) return plural(players.length, "{count} player", "{count} players");
  return players.map((player, at) => (kinds[at] === "computer" ? playerName(player) : player) || t("Waiting…")).join(" – ");
}

/** Where a game can be seen; a round of a series is seen with the others. @param {Listed} game */
export const addressOf = ({ id, rounds }) => (rounds ? `/arena/${rounds.id}` : `/game/${id}`);

/** @param {{summary: Listed}} props */
function GameCard({ summary }) {
  const board = useSignal(/** @type {Description|null} */ (null));
  useEffect(() => {
    let isHere = true;
    boardOf(summary).then((found) => { if (isHere) board.value = found; }, () => {});
    return () => { isHere = false; };
  }, [summary.id]);
  const moves = summary.phase === "waiting" ? t("Waiting for a player") : plural(summary.plies, "{count} move", "{count} moves");
  return html`
    <a class="home-game" href=${addressOf(summary)}>
      <span class="home-game-board">${board.value && html`<${Thumbnail} description=${board.value} position=${summary.position}
        label=${t("Board of a game of {variant}", { variant: t(summary.title) })} />`}</span>
      <span class="home-game-words"><strong>${t(summary.title)}</strong><span class="small">${namesOf(summary)}</span>
        <span class="small soft number">${moves}</span></span>
    </a>`;
}

/** @param {{games: Listed[]}} props */
export function GameCards({ games }) {
  return html`<ul class="home-games">${games.map((summary) => html`
    <li key=${summary.id}><${GameCard} summary=${summary} /></li>`)}</ul>`;
}
