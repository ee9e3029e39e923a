/** The game view: its board, players, moves and controls. */
import { account, isAccountKnown, mayPlayHere } from "../../app/account.js";
import { get } from "../../app/api.js";
import { isTyping, useTitle } from "../../app/dom.js";
import { canPlay } from "../../app/features.js";
import { GameModel } from "../../app/game.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { paceGap } from "../../app/pace.js";
import { go } from "../../app/router.js";
import { name, sound } from "../../app/settings.js";
import { savedGame, saveGame, tokenFor } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { ZoomButtons } from "../../components/board.js";
import { Alert } from "../../components/page.js";
import { Replay } from "../../components/replay.js";
import { GoalLine } from "../../components/rules.js";
import { announceGame } from "./announcements.js";
import { BoardArea } from "./board.js";
import { Coach } from "./coach.js";
import { askHint, Controls } from "./controls.js";
import { Join, ShutOut, Waiting } from "./invitation.js";
import { MoveList } from "./moves.js";
import { Outcome } from "./outcome.js";
import { SeatCard } from "./seats.js";
import { Notices, Status } from "./status.js";
import { useRatings } from "./ratings.js";
import { playerName } from "./text.js";

/** @import { Board } from "../../board/board.js" */

/**
 * What a key does in a game, outside fields and menus.
 * @param {GameModel} model
 * @param {Board|null} board
 * @returns {Record<string, (() => void)|undefined>}
 */
function keysOf(model, board) {
  const ply = model.shown.value?.ply ?? 0;
  const pass = model.moves.value.find(([, cell]) => cell < 0);
  return {
    "ArrowLeft": () => model.goTo(ply - 1),
    "ArrowRight": () => model.goTo(ply + 1),
    "Home": () => model.goTo(0),
    "End": () => model.goTo(Infinity),
    "[": () => model.goTo(ply - 1),
    "]": () => model.goTo(ply + 1),
    "b": () => board?.focus(),
    "p": pass && (() => model.play(pass)),
    "h": () => askHint(model),
    "u": () => model.undo(),
    "m": () => { sound.value = !sound.value; },
  };
}

/**
 * The model of a game for as long as its view is shown, with its keys and its sounds.
 * @param {string} id
 * @param {URLSearchParams} query
 * @param {{current: Board|null}} board
 * @param {string} seat the token of whoever is signed in, which this browser does not keep
 */
function useGame(id, query, board, seat) {
  // Opening a seat's link while its game is already shown changes only the address: the query object is a new one then.
  const kept = useMemo(() => tokenFor(id), [id, query]);
  const mayPlay = mayPlayHere.value;
  const token = mayPlay ? seat || kept : "";
  const model = useMemo(() => {
    const saved = savedGame(id);
    const gap = () => paceGap(made.seats.value.some((seat) => made.clocks.limits[seat - 1]?.bank !== null));
    const made = new GameModel(id, { token, name: name.value, gap, asksName: mayPlay && !saved?.links && !saved?.isNamed });
    return made;
  }, [id, token]);
  useEffect(() => {
    const stopAnnouncing = announceGame(model);
    const stopFollowing = model.listen((news) => {
      if (news.kind !== "next" || !model.seats.value.length) return;
      if (!seat) saveGame(news.game, { ...savedGame(news.game), token: model.token });
      go(`/game/${news.game}`);
    });
    const stop = new AbortController();
    addEventListener("keydown", (event) => {
      const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event);
      if (isElsewhere || document.querySelector("dialog[open]")) return;
      const act = keysOf(model, board.current)[event.key.length === 1 ? event.key.toLowerCase() : event.key];
      if (!act) return;
      event.preventDefault();
      act();
    }, { signal: stop.signal });
    return () => { stopAnnouncing(); stopFollowing(); stop.abort(); model.close(); };
  }, [model]);
  const ply = query.get("ply") ?? "";
  useEffect(() => { if (/^\d+$/.test(ply)) model.viewedPly.value = Number(ply); }, [model, ply]);
  return { model, isShutOut: !mayPlay && kept !== "" };
}

/**
 * What is played, the time limit, and how many are watching.
 * @param {{model: GameModel, title: string, children?: any}} props
 */
function Heading({ model, title, children }) {
  const { watching } = model.presence.value;
  const others = watching - (model.seats.value.length ? 0 : 1);
  const human = model.info.value?.kinds.indexOf("human") ?? -1;
  return html`<header class="game-head"><h1>${title}</h1>
    <span class="soft small">${common.limitName(model.info.value?.limit[Math.max(0, human)] ?? "none")}</span>
    ${others > 0 && html`<span class="tag">${t("{count} watching", { count: number(watching) })}</span>`}${children}</header>`;
}

/** The window's title: the game, and the names where there are two players. @param {GameModel} model */
function titleOf(model) {
  const title = model.description.value ? t(model.description.value.title) : t("Game");
  return model.players.value.length === 2 ? `${playerName(model, 1)} – ${playerName(model, 2)} · ${title}` : title;
}

/** What is shown where there is no game: why, and ways on. @param {{model: GameModel}} props */
function NoGame({ model }) {
  if (!model.isMissing.value) {
    const problem = model.problem.value;
    return html`<div class="page stack"><h1>${t("Game")}</h1>
      ${problem ? html`<${Alert} text=${problem} />` : html`<p class="soft loading">${common.loading}</p>`}</div>`;
  }
  return html`<div class="page stack"><h1>${t("There is no game at this address")}</h1>
    <p>${t("The link may be incomplete, or the game is so old that the server has let it go.")}</p>
    <p class="row">${canPlay && html`<a class="button primary" href="/play">${t("Play a game")}</a>`}
      <a class="button" href="/watch">${t("Watch games")}</a></p></div>`;
}

/**
 * The token of one's own seat in a game of the site, on whatever device; empty where there is none, null until that is known.
 * @param {string} id
 * @returns {string|null}
 */
function useOwnSeat(id) {
  const found = useSignal(/** @type {{game: string, person: string, token: string}|null} */ (null));
  const person = account.value?.id ?? "";
  useEffect(() => {
    if (!person) return undefined;
    const stop = new AbortController();
    const tell = (/** @type {string} */ token) => { if (!stop.signal.aborted) found.value = { game: id, person, token }; };
    get(`/api/site/games/${encodeURIComponent(id)}/seat`, stop.signal).then((seat) => tell(seat.token), () => tell(""));
    return () => stop.abort();
  }, [id, person]);
  if (!isAccountKnown.value) return null;
  if (!person) return "";
  return found.value?.game === id && found.value.person === person ? found.value.token : null;
}

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const seat = useOwnSeat(params.id);
  if (seat === null) return html`<p class="soft loading">${common.loading}</p>`;
  return html`<${Game} params=${params} seat=${seat} />`;
}

/** @param {{params: import("../../app/router.js").Params, seat: string}} props */
function Game({ params, seat }) {
  const board = useRef(/** @type {Board|null} */ (null));
  const zoom = useSignal({ scale: 1, maxScale: 1 });
  const { model, isShutOut } = useGame(params.id, params.query, board, seat);
  const ratings = useRatings(params.id, model.phase.value === "over");
  const description = model.description.value;
  useTitle(titleOf(model));
  if (!description) return html`<${NoGame} model=${model} />`;
  const [phase, own] = [model.phase.value, model.seats.value];
  const isPair = description.seats === 2;
  // The visitor's own seat is below the board.
  const [above, below] = own.length === 1 && own[0] === 2 ? [1, 2] : [2, 1];
  const card = (/** @type {number} */ seat) => html`<${SeatCard} key=${seat} model=${model} seat=${seat} rating=${ratings[seat - 1]} />`;
  // Before its start is known, nobody knows which seats this window has.
  const isWatching = model.start.value !== "" && !own.length;
  const about = { model, description };
  return html`<div class=${`game ${isPair ? "pair" : "many"} ${phase}`}>
    <div class="game-top">${isPair
      ? card(above)
      : html`<div class="seat-list" role="group" aria-label=${t("Players")}>
          ${description.plan.seats.map((_, index) => card(index + 1))}</div>`}</div>
    <${BoardArea} ...${about} board=${board} zoom=${zoom} />
    ${isPair && html`<div class="game-bottom">${card(below)}</div>`}
    <div class="game-side">
      <${Heading} model=${model} title=${t(description.title)}>
        <${ZoomButtons} board=${board} zoom=${zoom} cells=${description.plan.x.length} look="quiet" /><//>
      <${GoalLine} game=${model.id} description=${description} />
      ${isShutOut && phase !== "over" && html`<${ShutOut} id=${model.id} />`}
      ${phase === "waiting" && !isShutOut && (model.isAskingName.value ? html`<${Join} ...${about} />` : html`<${Waiting} ...${about} />`)}
      <${Outcome} ...${about} />
      ${phase !== "waiting" && html`<${MoveList} ...${about} />`}
    </div>
    <div class="game-foot">
      <${Notices} model=${model} />
      <${Coach} ...${about} />
      ${phase === "running" && html`<${Status} ...${about} />`}
      ${(phase === "over" || (phase === "running" && isWatching)) && html`<${Replay} model=${model} />`}
      <${Controls} model=${model} />
    </div>
  </div>`;
}
