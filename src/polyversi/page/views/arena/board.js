/** The board of the arena: the running game in red and blue, or the start position before there is one; and its moves. */
import { html, useEffect, useMemo, useRef } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { parsePosition, scores } from "../../app/position.js";
import { ZoomableBoard } from "../../components/board.js";
import { Stone } from "../../components/icons.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, Paint } from "../../app/types.js" */

/**
 * What is to be seen of a game: the look of the seats, their stones, and the seat to move (0 for none).
 * @typedef {{description: Description|null, paints: Paint[], stones: number[], turn: number, config: object}} Scene
 */

/** The running game, or else the start of what is set up. @type {(model: GameModel|null, start: Description|null) => Scene} */
export function useScene(model, start) {
  const tiles = useMemo(() => (start ? parsePosition(start, start.start).tiles : []), [start]);
  const shown = model?.shown.value;
  const description = (shown && model?.description.value) || start;
  const paints = description?.plan.seats ?? [];
  if (model && !shown) return { description: null, paints, stones: [], turn: 0, config: {} };
  if (!shown) {
    return { description, paints, stones: scores(tiles, 2), turn: 0, config: { tiles, title: t("Start position") } };
  }
  const { tiles: now, last, turned, turn } = shown;
  const config = { tiles: now, last, turned, turn, title: t("The running game") };
  return { description, paints, stones: shown.scores, turn, config };
}

/** @param {{scene: Scene}} props */
export function RunningGame({ scene: { description, config } }) {
  return html`<section class="arena-game" aria-label=${t("The running game")}>
    ${description && html`<${ZoomableBoard} name="arena-board" plan=${description.plan} config=${config} />`}
  </section>`;
}

/** @param {{model: GameModel, paints: Paint[]}} props */
export function Moves({ model, paints }) {
  const plies = model.plies.value;
  const list = useRef(/** @type {HTMLOListElement|null} */ (null));
  useEffect(() => { list.current?.scrollTo({ top: list.current.scrollHeight }); }, [plies.length]);
  return html`
    <section class="panel stack tight" aria-labelledby="arena-moves">
      <h2 id="arena-moves">${t("Moves")} <span class="soft number">${number(plies.length)}</span></h2>
      ${plies.length === 0 && html`<p class="soft small">${t("No moves yet.")}</p>`}
      <ol class="arena-moves" ref=${list} tabindex=${plies.length ? 0 : undefined} aria-labelledby="arena-moves">
        ${plies.map((ply, at) => html`
          <li key=${at} class=${at === plies.length - 1 ? "last" : ""}>
            <${Stone} paint=${paints[ply.seat - 1]} size=${15} />${ply.move === "pass" ? t("pass") : ply.move}</li>`)}
      </ol>
    </section>`;
}
