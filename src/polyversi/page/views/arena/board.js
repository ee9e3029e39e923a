/** The running game of the arena, live in red and blue, with scores and moves; before the first game, the start position. */
import { useFetched } from "../../app/api.js";
import { GameModel } from "../../app/game.js";
import { html, useEffect, useMemo, useRef } from "../../app/html.js";
import { parsePosition, scores } from "../../app/position.js";
import { ZoomableBoard } from "../../components/board.js";
import { Stone } from "../../components/icons.js";
import { Name } from "../../components/page.js";
import * as form from "./form.js";

/** @import { Description, Paint } from "../../app/types.js" */
/** @import { Rounds } from "./series.js" */

/** X is red and Y is blue, whatever the variant. @type {Paint[]} */
export const PAINTS = [
  { name: "red", fill: "#c81d3a", ink: "#ffffff", sign: "X" },
  { name: "blue", fill: "#1d58b8", ink: "#ffffff", sign: "Y" },
];

/** A seat in words: "X (red)". @param {number} at from 0 */
export const seatName = (at) => `${PAINTS[at].sign} (${PAINTS[at].name})`;

/** @param {{rounds: Rounds|null}} props */
export function RunningGame({ rounds }) {
  return html`<section class="arena-game" aria-label="The running game">
    ${rounds?.game
      ? html`<${LiveGame} key=${rounds.game} id=${rounds.game} names=${rounds.seats.map((at) => rounds.players[at])} />`
      : html`<${Start} spec=${rounds?.spec ?? form.spec.value} names=${rounds?.players ?? form.playerSpecs()} />`}
  </section>`;
}

/** @param {{id: string, names: string[]}} props the names by seat */
function LiveGame({ id, names }) {
  const model = useMemo(() => new GameModel(id), [id]);
  useEffect(() => () => model.close(), [model]);
  const shown = model.shown.value;
  const { tiles, last, turned, turn } = shown ?? {};
  return html`
    <${Game} description=${shown && model.description.value} names=${names} stones=${shown?.scores} turn=${turn}
      config=${{ tiles, last, turned, turn, title: "The running game" }} />
    ${shown && html`<${Moves} plies=${model.plies.value} />`}`;
}

/** @param {{spec: string, names: string[]}} props */
function Start({ spec, names }) {
  /** @type {Description|null} */
  const found = useFetched(`/api/board?spec=${encodeURIComponent(spec)}`);
  const tiles = useMemo(() => (found ? parsePosition(found, found.start).tiles : []), [found]);
  return html`
    <${Game} description=${found} names=${names} stones=${scores(tiles, 2)} turn=${0}
      config=${{ tiles, title: "Start position" }} />`;
}

/**
 * A board between its two seats.
 * @param {{description: Description|null, names: string[], stones: number[], turn: number, config: object}} props
 */
function Game({ description, names, stones, turn, config }) {
  if (!description) return html`<div class="arena-board"></div>`;
  const line = (/** @type {number} */ at) => html`
    <p class=${`arena-line ${turn === at + 1 ? "turn" : ""}`}>
      <${Stone} paint=${PAINTS[at]} size=${26} />
      <span class="visually-hidden">${seatName(at)}: </span>
      <strong class="arena-player"><${Name} text=${names[at]} /></strong>
      ${turn === at + 1 && html`<span class="tag">to move</span>`}
      <span class="arena-stones number">${stones[at]}</span>
    </p>`;
  return html`${line(0)}
    <${ZoomableBoard} name="arena-board" plan=${description.plan} config=${{ ...config, paints: PAINTS }} />
    ${line(1)}`;
}

/** @param {{plies: import("../../app/game.js").Ply[]}} props */
function Moves({ plies }) {
  const list = useRef(/** @type {HTMLOListElement|null} */ (null));
  useEffect(() => { list.current?.scrollTo({ top: list.current.scrollHeight }); }, [plies.length]);
  return html`
    <h2 class="arena-heading" id="arena-moves">Moves</h2>
    <ol class="arena-moves panel" ref=${list} tabindex="0" aria-labelledby="arena-moves">
      ${plies.map((ply, at) => html`
        <li key=${at} class=${at === plies.length - 1 ? "last" : ""}>
          <${Stone} paint=${PAINTS[ply.seat - 1]} size=${15} />${ply.move}</li>`)}
    </ol>`;
}
