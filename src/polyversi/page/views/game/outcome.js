/** The result of a game, and what to do next. */
import { get, post, useAction } from "../../app/api.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { go } from "../../app/router.js";
import { readSpec, specWith } from "../../app/specs.js";
import { savedGame, saveGame } from "../../app/storage.js";
import { Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { offenceText, ordinal, ownSeat, playerName as nameOf, resultText, seatName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, PlayerInfo, Result } from "../../app/types.js" */
/** @typedef {{model: GameModel, description: Description}} Props */

/** Everybody by rank, where more than two play. @param {Props & {result: Result}} props */
function Ranks({ model, description, result }) {
  const places = result.ranks.map((rank, index) => ({ rank, seat: index + 1 }));
  places.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return html`
    <ol class="ranks" aria-label=${t("Result")}>${places.map(({ rank, seat }) => html`
      <li key=${seat}><span class="number">${ordinal(rank)}</span>
        <${Stone} paint=${description.plan.seats[seat - 1]} size=${20} />
        <span class="grow">${nameOf(model, seat)}
          <span class="visually-hidden">, ${seatName(model, seat)}</span></span>
        ${description.scoring === "ranks" && html`
          <span class="soft small number">${plural(result.points[seat - 1], "{count} point", "{count} points")}</span>`}
        <span class="number">${number(result.scores[seat - 1])}</span></li>`)}
    </ol>`;
}

/**
 * The opponents next to one in strength: a level up and down, or the players before and after it in the list, which has
 * the strongest first.
 * @type {(spec: string, players: PlayerInfo[]) => {up: string, down: string}}
 */
function neighbours(spec, players) {
  const suited = players.filter((player) => !player.unsuited);
  const { name: own, values } = readSpec(spec, suited);
  const at = suited.findIndex(({ name }) => name === own);
  if (at < 0) return { up: "", down: "" };
  const bounds = suited[at].options.find((option) => option.name === "level");
  const level = Number(values.level ?? bounds?.default ?? 0);
  const offered = (/** @type {PlayerInfo|undefined} */ player) => (player ? specWith(player.name, player.offered) : "");
  const atLevel = (/** @type {number} */ wanted) => {
    const isPossible = level > 0 && wanted >= (bounds?.low ?? wanted) && wanted <= (bounds?.high ?? wanted);
    return bounds && isPossible ? specWith(own, { ...values, level: String(wanted) }) : "";
  };
  return { up: atLevel(level + 1) || offered(suited[at - 1]), down: atLevel(level - 1) || offered(suited[at + 1]) };
}

/** Another game against somebody a little stronger or weaker. @param {Props & {result: Result}} props */
function NextOpponents({ model, description, result }) {
  const players = useSignal(/** @type {PlayerInfo[]} */ ([]));
  const { isBusy, problem, run } = useAction();
  const info = model.info.value;
  const own = ownSeat(model);
  const opponent = info?.kinds.length === 2 && own && info.kinds[2 - own] === "computer" ? info.players[2 - own] : "";
  useEffect(() => {
    if (!opponent || !canPlay) return;
    get(`/api/players?spec=${encodeURIComponent(description.spec)}`)
      .then((found) => { players.value = found; }, () => {});
  }, [opponent]);
  if (!opponent || !info) return null;
  const begin = (/** @type {string} */ player) => run(async () => {
    const seats = info.kinds.map((kind, index) => (kind === "computer"
      ? { kind, player }
      : { kind: "me", name: info.players[index] }));
    const start = description.drawn ? {} : { position: model.start.value };
    const game = info.has_map ? { spec: info.spec, map: description.map } : { spec: info.spec };
    const made = await post("/api/games", { ...game, ...start, seats, limit: info.limit[own - 1] });
    saveGame(made.game, { token: made.token, links: made.links });
    go(`/game/${made.game}`);
  });
  const { up, down } = neighbours(opponent, players.value);
  const choices = [
    up && { player: up, icon: "up", title: t("A stronger opponent") },
    down && { player: down, icon: "down", title: t("A weaker opponent") },
  ].filter((choice) => choice !== "");
  const word = (/** @type {string} */ player) => {
    const [{ name, values: { level } }, { name: now }] = [player, opponent].map((spec) => readSpec(spec, players.value));
    return level && name === now ? t("Level {level}", { level: number(Number(level)) }) : playerName(player);
  };
  const isWon = result.ranks[own - 1] === 1;
  return html`${(isWon ? choices : choices.reverse()).map(({ player, icon, title }) => html`
      <button key=${player} class="button" disabled=${isBusy.value} title=${title} onClick=${() => begin(player)}>
        <${Icon} name=${icon} /><span class="elided">${word(player)}</span><span class="visually-hidden">, ${title}</span></button>`)}
    <${Alert} text=${problem.value} look="small" />`;
}

/** The way to the next game. @param {{model: GameModel}} props */
function Again({ model }) {
  const isMine = model.seats.value.length > 0;
  const next = model.next.value;
  if (next) {
    const isKept = savedGame(model.id)?.token === model.token;    // not so on a site, which knows one's seats
    if (isMine && isKept && !savedGame(next)) saveGame(next, { token: model.token });
    return html`<a class="button primary" href=${`/game/${next}`}>
      ${model.info.value?.kinds.includes("remote") ? t("Go to the next game") : t("Go to the rematch")}</a>`;
  }
  return isMine && html`
    <button class="button primary" disabled=${model.offer.value?.what === "rematch"} onClick=${() => model.rematch()}>
      <${Icon} name="again" />${t("Rematch")}</button>`;
}

/** What to do after a game: one entry each. @param {Props & {result: Result}} props */
function Afterwards(props) {
  const { model } = props;
  return html`<div class="row afterwards">
    <${Again} model=${model} />
    <${NextOpponents} ...${props} />
    ${canPlay && html`
      <a class="button" href=${`/analysis?game=${model.id}&ply=${model.viewedPly.value ?? 0}`}><${Icon} name="graph" />${t("Analyse")}</a>
      <a class="button" href="/play"><${Icon} name="plus" />${t("New game")}</a>`}
  </div>`;
}

/** @param {Props} props */
export function Outcome({ model, description }) {
  const result = model.result.value;
  if (!result) return null;
  const { title, why } = resultText(model, result);
  return html`
    <section class="outcome panel stack tight">
      <h2>${title}</h2>
      <p class="soft">${why}</p>
      ${description.bad_move === "disqualify" && model.offences.value.map((offence) => html`
        <p key=${offence.seat} class="offence small">${offenceText(model, offence)}</p>`)}
      ${description.seats > 2 && html`<${Ranks} model=${model} description=${description} result=${result} />`}
      <${Afterwards} model=${model} description=${description} result=${result} />
    </section>`;
}
