/** What the settings do to a board: a few moves of a small game to step through, and samples of boards and stones. */
import { useFetched } from "../../app/api.js";
import { html, useLayoutEffect, useMemo, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { cellOf, changed, parsePosition } from "../../app/position.js";
import { Looks } from "../../board/looks.js";
import { make } from "../../board/svg.js";
import { BoardHost } from "../../components/board.js";
import { Icon } from "../../components/icons.js";

/** @import { Description } from "../../app/types.js" */
/** @import { Make } from "../../board/looks.js" */

/** The game of the preview, and positions of it with the moves that led to them and those that are possible. */
const SPEC = "othello-6";
const FRAMES = /** @type {const} */ ([
  ["---------O---XXO----XO----OOX------X X", "d2", "e1 e2 e3 e4 b5 c6 e6"],
  ["---------O---XXO----XO----XOX---X--X O", "c6", "a2 b2 a3 b4 b5 f5 b6"],
  ["-------O-O---XOO----XO----XOX---X--X X", "b2", "a1 b1 c2 e2 e3 e4 e6"],
  ["X------X-O---XXO----XX----XOX---X--X O", "a1", "a2 a3 b4 b5 f5"],
  ["X------X-O---XXO----OX---OOOX---X--X X", "b5", "d1 e1 e3 a4 b4 e4 a5 b6 d6 e6"],
]);

/** A board in the middle of a game, as the settings have it. */
export function Preview() {
  const description = /** @type {Description|null} */ (useFetched(`/api/board?spec=${SPEC}`));
  const at = useSignal(0);
  return html`<div class="settings-preview">
    ${description && html`<${PreviewBoard} description=${description} at=${at.value} />`}
    <button type="button" class="button" onClick=${() => { at.value = (at.value + 1) % FRAMES.length; }}>
      <${Icon} name="play" />${t("Next move")}</button>
  </div>`;
}

/** @param {{description: Description, at: number}} props */
function PreviewBoard({ description, at }) {
  const frames = useMemo(() => FRAMES.map(([line, last, legal], number) => {
    const { tiles, turn } = parsePosition(description, line);
    const before = parsePosition(description, FRAMES[Math.max(number - 1, 0)][0]).tiles;
    const cell = cellOf(description, last);
    const cells = legal.split(" ").map((name) => cellOf(description, name));
    return { tiles, turn, last: cell, turned: changed(before, tiles).filter((one) => one !== cell), legal: cells };
  }), [description]);
  return html`<${BoardHost} plan=${description.plan} config=${{ ...frames[at], title: t("Preview of the board") }} />`;
}

/**
 * Two stones on cells of some colours.
 * @param {{theme: string, stones: Make, name: string}} props
 */
export function Sample({ theme, stones, name }) {
  const place = useRef(/** @type {SVGSVGElement|null} */ (null));
  useLayoutEffect(() => {
    const defs = make("defs");
    const looks = new Looks(SAMPLE, `sample-${name}-`, defs);
    looks.dress(SAMPLE.seats, false, stones);
    const drawn = [1, 2].map((seat) => make("g", { transform: `translate(${40 * seat - 20} 20)` }, looks.draw(seat)));
    const cells = make("path", { class: "board-cells", d: "M0 0H40V40H0ZM40 0H80V40H40Z" });
    place.current?.replaceChildren(defs, cells, ...drawn);
  }, [stones]);
  return html`<svg ref=${place} class=${`settings-sample ${theme}`} viewBox="-4 -4 88 48" aria-hidden="true"></svg>`;
}

/** The plan of two cells. */
const SAMPLE = /** @type {import("../../app/types.js").Plan} */ ({
  layout: "square", width: 80, height: 40, theme: "felt", rows: [[0, 1]], x: [20, 60], y: [20, 20], names: ["a1", "b1"],
  outline: [[-20, -20], [20, -20], [20, 20], [-20, 20]], labels: [], dots: [], joined: [], links: [],
  seats: [
    { name: "black", fill: "#17191c", ink: "#ffffff", sign: "" },
    { name: "white", fill: "#f7f5ef", ink: "#17191c", sign: "" },
  ],
});
