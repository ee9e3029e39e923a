/** The game view: its board, players, moves and controls. */
import { isTyping, useTitle } from "../../app/dom.js";
import { GameModel } from "../../app/game.js";
import { html, useEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { name, sound } from "../../app/settings.js";
import { savedGame, saveGame, tokenFor } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { ZoomButtons } from "../../components/board.js";
import { Alert } from "../../components/page.js";
import { Replay } from "../../components/replay.js";
import { announceGame } from "./announcements.js";
import { BoardArea } from "./board.js";
import { askHint, Controls } from "./controls.js";
import { MoveList } from "./moves.js";
import { SeatCard, SeatList } from "./seats.js";
import { Notices, Outcome, Status, Waiting } from "./status.js";
import { words } from "./words.js";

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
 */
function useGame(id, query, board) {
  // A seat's link that is opened where the game is shown already changes the address only: the query is another then.
  const token = useMemo(() => tokenFor(id), [id, query]);
  const model = useMemo(() => new GameModel(id, { token, name: name.value }), [id, token]);
  useEffect(() => {
    const stopAnnouncing = announceGame(model);
    const stopFollowing = model.listen((news) => {
      if (news.kind !== "next" || !model.seats.value.length) return;
      saveGame(news.game, { ...savedGame(news.game), token: model.token });
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
  const wanted = query.get("ply");
  useEffect(() => { if (wanted !== null && /^\d+$/.test(wanted)) model.viewedPly.value = Number(wanted); }, [model, wanted]);
  return model;
}

/** The seats above and below the board: the visitor's own is below. @param {GameModel} model */
function sides(model) {
  const own = model.seats.value;
  return own.length === 1 && own[0] === 2 ? [1, 2] : [2, 1];
}

/**
 * What is played, with how much time, and how many watch.
 * @param {{model: GameModel, title: string, children?: any}} props
 */
function Heading({ model, title, children }) {
  const { watching } = model.presence.value;
  const others = watching - (model.seats.value.length ? 0 : 1);
  const human = model.info.value?.kinds.indexOf("human") ?? -1;
  return html`<header class="game-head"><h1>${title}</h1>
    <span class="soft small">${common.limitName(model.info.value?.limit[Math.max(0, human)] ?? "none")}</span>
    ${others > 0 && html`<span class="tag">${words.watching(watching)}</span>`}${children}</header>`;
}

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const board = useRef(/** @type {Board|null} */ (null));
  const zoom = useSignal({ scale: 1, maxScale: 1 });
  const model = useGame(params.id, params.query, board);
  const description = model.description.value;
  useTitle(description ? words.title(description.spec, model.players.value) : words.game);
  if (!description) {
    const problem = model.problem.value;
    return html`<div class="page stack"><h1>${words.game}</h1>
      ${problem
        ? html`<${Alert} text=${problem} />`
        : html`<p class="soft loading">${common.loading}</p>`}
    </div>`;
  }
  const [above, below] = sides(model);
  const isPair = description.seats === 2;
  // Before its start is known, nobody knows which seats this window has.
  const isWatching = model.start.value !== "" && !model.seats.value.length;
  const isReplay = model.phase.value === "over" || (model.phase.value === "running" && isWatching);
  return html`<div class=${`game ${isPair ? "pair" : "many"} ${model.phase.value}`}>
    <div class="game-top">${isPair
      ? html`<${SeatCard} model=${model} seat=${above} />`
      : html`<${SeatList} model=${model} count=${description.seats} />`}</div>
    <${BoardArea} model=${model} description=${description} board=${board} zoom=${zoom} />
    ${isPair && html`<div class="game-bottom"><${SeatCard} model=${model} seat=${below} /></div>`}
    <div class="game-side">
      <${Heading} model=${model} title=${description.title}>
        <${ZoomButtons} board=${board} zoom=${zoom} cells=${description.plan.x.length} look="quiet" /><//>
      <${Notices} model=${model} />
      ${model.phase.value === "waiting" && html`<${Waiting} model=${model} />`}
      <${Outcome} model=${model} />
      ${model.phase.value !== "waiting" && html`<${MoveList} model=${model} description=${description} />`}
      ${model.phase.value === "running" && html`<${Status} model=${model} />`}
      ${isReplay && html`<${Replay} model=${model} />`}
      <${Controls} model=${model} />
    </div>
  </div>`;
}
