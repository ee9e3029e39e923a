/** The running game of the arena, live in red and blue, with scores and moves; before it, the start position. */
import { useFetched } from "../../app/api.js";
import { GameModel } from "../../app/game.js";
import { html, useEffect, useMemo, useRef } from "../../app/html.js";
import { parsePosition, scores } from "../../app/position.js";
import { ZoomableBoard } from "../../components/board.js";
import { Stone } from "../../components/icons.js";
import * as form from "./form.js";
import { words } from "./words.js";

/** @import { Description, Paint } from "../../app/types.js" */
/** @import { Rounds } from "./series.js" */

/** X is red and Y is blue, whatever the variant. @type {Paint[]} */
const PAINTS = ["#c81d3a", "#1d58b8"].map((fill, at) =>
  ({ name: words.colours[at] ?? "", fill, ink: "#ffffff", sign: words.seats[at] ?? "" }));

/** The stone of a seat, beside a text that names it. @param {{seat: number, size?: number}} props the seat from 0 */
export function SeatStone({ seat, size = 26 }) {
  return html`<${Stone} paint=${PAINTS[seat]} size=${size} />`;
}

/** @param {{rounds: Rounds | null}} props */
export function RunningGame({ rounds }) {
  return html`<section class="arena-game" aria-label=${words.board}>
    ${rounds?.game
      ? html`<${LiveGame} key=${rounds.game} id=${rounds.game} names=${rounds.seats.map((at) => rounds.players[at])} />`
      : html`<${Start} spec=${rounds?.spec ?? form.spec.value} names=${rounds?.players ?? [form.playerSpec(0), form.playerSpec(1)]} />`}
  </section>`;
}

/** @param {{id: string, names: string[]}} props the names by seat */
function LiveGame({ id, names }) {
  const model = useMemo(() => new GameModel(id), [id]);
  useEffect(() => () => model.close(), [model]);
  const description = model.description.value;
  const shown = model.shown.value;
  if (!description || !shown) return html`<div class="arena-board"></div>`;
  const config = {
    tiles: shown.tiles, last: shown.last, turned: shown.turned, turn: shown.turn, paints: PAINTS, title: words.board,
  };
  return html`
    <${SeatLine} seat=${0} name=${names[0]} stones=${shown.scores[0]} turn=${shown.turn === 1} />
    <${ZoomableBoard} name="arena-board" plan=${description.plan} config=${config} />
    <${SeatLine} seat=${1} name=${names[1]} stones=${shown.scores[1]} turn=${shown.turn === 2} />
    <${Moves} plies=${model.plies.value} />`;
}

/** @param {{spec: string, names: string[]}} props */
function Start({ spec, names }) {
  /** @type {Description|null} */
  const found = useFetched(`/api/board?spec=${encodeURIComponent(spec)}`);
  const tiles = useMemo(() => (found ? parsePosition(found, found.start).tiles : []), [found]);
  if (!found) return html`<div class="arena-board"></div>`;
  const counts = scores(tiles, 2);
  return html`
    <${SeatLine} seat=${0} name=${names[0]} stones=${counts[0]} turn=${false} />
    <${ZoomableBoard} name="arena-board" plan=${found.plan} config=${{ tiles, paints: PAINTS, title: words.startPosition }} />
    <${SeatLine} seat=${1} name=${names[1]} stones=${counts[1]} turn=${false} />`;
}

/** @param {{seat: 0|1, name: string, stones: number, turn: boolean}} props */
function SeatLine({ seat, name, stones, turn }) {
  return html`
    <p class=${`arena-line ${turn ? "turn" : ""}`}>
      <${SeatStone} seat=${seat} />
      <span class="visually-hidden">${words.seat(seat)}: </span>
      <strong class="arena-player">${name}</strong>
      ${turn && html`<span class="tag">${words.toMove}</span>`}
      <span class="arena-stones number">${stones}</span>
    </p>`;
}

/** @param {{plies: import("../../app/game.js").Ply[]}} props */
function Moves({ plies }) {
  const list = useRef(/** @type {HTMLOListElement | null} */ (null));
  useEffect(() => { list.current?.scrollTo({ top: list.current.scrollHeight }); }, [plies.length]);
  return html`
    <h2 class="arena-heading" id="arena-moves">${words.moves}</h2>
    <ol class="arena-moves panel" ref=${list} tabindex="0" aria-labelledby="arena-moves">
      ${plies.map((ply, at) => html`
        <li key=${at} class=${at === plies.length - 1 ? "last" : ""}><${SeatStone} seat=${ply.seat - 1} size=${15} />${ply.move}</li>`)}
    </ol>`;
}
