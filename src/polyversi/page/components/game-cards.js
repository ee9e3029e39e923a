/** Games that go on, as cards with a small live board each; the rounds of a series are one card. */
import { boardOf, keyOf } from "../app/boards.js";
import { html, useEffect, useSignal } from "../app/html.js";
import { number, plural, t } from "../app/i18n.js";
import { playerName } from "../app/players.js";
import { myGames } from "../app/storage.js";
import { Stone } from "./icons.js";
import { Thumbnail } from "./thumbnail.js";

/** @import { Description, Listed } from "../app/types.js" */

/** The name of each player, as people read it. @param {Listed} game */
export const namesOf = ({ players, kinds }) =>
  players.map((name, at) => (kinds[at] === "computer" ? playerName(name) : name) || t("somebody"));

/** Whether this browser has a seat in a game. @param {Listed} game */
export const isMine = ({ id }) => myGames().includes(id);

/** @param {{games: Listed[]}} props */
export function Cards({ games }) {
  return html`<ul class="game-cards">
    ${games.map((game) => html`<li key=${game.series || game.id}><${Card} game=${game} /></li>`)}</ul>`;
}

/** @param {{game: Listed}} props */
function Card({ game }) {
  const description = useSignal(/** @type {Description|null} */ (null));
  useEffect(() => {
    let isHere = true;
    boardOf(game).then((found) => { if (isHere) description.value = found; }, () => {});
    return () => { isHere = false; };
  }, [keyOf(game)]);
  const found = description.value;
  const { rounds } = game;
  return html`
    <a class="game-card panel" href=${rounds ? `/arena/${rounds.id}` : `/game/${game.id}`}>
      <div class="game-card-board">${found && html`<${Thumbnail} description=${found} position=${game.position}
        label=${t("Board of a game of {variant}", { variant: t(game.title) })} />`}</div>
      <div class="game-card-line small">
        <span class="game-card-spec" title=${t(game.title)}>${t(game.title)}</span>
        ${isMine(game) && html`<span class="tag good">${t("yours")}</span>`}
        <span class="soft number game-card-state">${stateOf(game)}</span>
      </div>
      ${rounds ? html`<${Wins} game=${game} paints=${found?.plan.seats} />` : html`<${Scores} game=${game} paints=${found?.plan.seats} />`}
    </a>`;
}

/** How far a game has come. @param {Listed} game */
function stateOf({ rounds, phase, plies }) {
  if (rounds) return t("Round {round} of {rounds}", { round: number(rounds.round), rounds: number(rounds.rounds ?? rounds.round) });
  return phase === "waiting" ? t("waiting for a player") : plural(plies, "{count} move", "{count} moves");
}

/** @typedef {{game: Listed, paints: import("../app/types.js").Paint[]|undefined}} Props */

/** The stones of each seat. @param {Props} props */
function Scores({ game, paints }) {
  const names = namesOf(game);
  return html`<ul class=${`game-card-players small ${names.length > 2 ? "many" : ""}`}>
    ${names.map((name, at) => html`<${Player} key=${at} paint=${paints?.[at]} name=${name} count=${game.scores[at]} />`)}</ul>`;
}

/** The rounds that each player of a series has won. @param {Props} props */
function Wins({ game: { players, rounds }, paints }) {
  if (!rounds) return null;
  const isSwapped = players[0] !== rounds.players[0];
  return html`<ul class="game-card-players small">
    ${rounds.players.map((spec, at) => html`<${Player} key=${at} paint=${paints?.[isSwapped ? 1 - at : at]} name=${playerName(spec)}
      count=${plural(rounds.wins?.[at] ?? 0, "{count} win", "{count} wins")} />`)}</ul>`;
}

/** @param {{paint: any, name: string, count: number|string}} props */
function Player({ paint, name, count }) {
  return html`<li class="game-card-line"><${Stone} paint=${paint} size=${16} />
    <span class="game-card-name" title=${name}>${name}</span><span class="number game-card-state">${count}</span></li>`;
}
