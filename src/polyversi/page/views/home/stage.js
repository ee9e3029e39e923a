/** The board of the front page: a game of this server while one moves, otherwise a sample game that is replayed. */
import { useFetched } from "../../app/api.js";
import { boardOf } from "../../app/boards.js";
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { cellOf, changed, parsePosition } from "../../app/position.js";
import { BoardHost } from "../../components/board.js";
import { IconButton } from "../../components/icons.js";
import { addressOf, namesOf } from "./games.js";

/** @import { Description, Listed } from "../../app/types.js" */
/** @typedef {{description: Description, start: string, moves: [move: string, position: string][], middle: number}} Sample */

/** Milliseconds that a position is shown, and the last one. */
const [STEP, END] = [1100, 5000];
/** Milliseconds after its last move for which a live game stays on the board. */
const PATIENCE = 20_000;

/** Whether the visitor's system asks for less motion. */
const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether an element can be seen: it is on the screen, and its tab is in front. @param {{current: Element|null}} element */
function useInSight(element) {
  const isSeen = useSignal(true);
  useEffect(() => {
    let isOnScreen = true;
    const update = () => { isSeen.value = isOnScreen && !document.hidden; };
    const observer = new IntersectionObserver(([entry]) => { isOnScreen = entry.isIntersecting; update(); });
    if (element.current) observer.observe(element.current);
    document.addEventListener("visibilitychange", update);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", update);
    };
  }, []);
  return isSeen.value;
}

/** A position on a board that cannot be touched. @param {{description: Description, before: string, position: string, move?: string}} props */
function Picture({ description, before, position, move = "" }) {
  const tiles = parsePosition(description, position).tiles;
  const last = move ? cellOf(description, move) : -1;
  const turned = last < 0 ? [] : changed(parsePosition(description, before).tiles, tiles).filter((cell) => cell !== last);
  return html`<div class="stage-board" inert aria-hidden="true"><${BoardHost} plan=${description.plan}
    config=${{ tiles, last: last < 0 ? null : last, turned, coordinates: "none" }} /></div>`;
}

/** The game that has moved last, with its board, for as long as it moves. @param {Listed[]} moving */
function useLive(moving) {
  const live = useSignal(/** @type {{summary: Listed, description: Description, at: number}|null} */ (null));
  useEffect(() => {
    const now = live.value;
    const next = moving.find(({ id }) => id === now?.summary.id) ?? (now && Date.now() - now.at < PATIENCE ? null : moving[0]);
    if (!next) {
      if (now && Date.now() - now.at >= PATIENCE) live.value = null;
      return undefined;
    }
    let isHere = true;
    boardOf(next).then((description) => {
      if (isHere) live.value = { summary: next, description, at: Date.now() };
    }, () => {});
    return () => { isHere = false; };
  }, [moving]);
  return live.value;
}

/** @param {{spec: string, live: Listed[]}} props */
export function Stage({ spec, live: moving }) {
  const figure = useRef(/** @type {HTMLElement|null} */ (null));
  const live = useLive(moving);
  const isSeen = useInSight(figure);
  const isPlaying = useSignal(!wantsStillness());
  const sample = /** @type {Sample|null} */ (useFetched(`/api/sample?spec=${encodeURIComponent(spec)}`));
  const ply = useSignal(/** @type {number|null} */ (null));
  useEffect(() => { ply.value = null; }, [sample]);
  const last = sample?.moves.length ?? 0;
  // A replay begins when the board has begun to fill; where nothing moves, its middle is shown.
  const at = Math.min(ply.value ?? (isPlaying.value ? Math.floor((sample?.middle ?? 0) / 3) : sample?.middle ?? 0), last);
  const isRunning = isPlaying.value && isSeen && sample !== null && !live;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(() => { ply.value = at < last ? at + 1 : 0; }, at < last ? STEP : END);
    return () => clearTimeout(timer);
  }, [isRunning, at, last]);

  const position = (/** @type {number} */ number) => (number > 0 ? sample?.moves[number - 1][1] : sample?.start) ?? "";
  const shown = live?.description ?? sample?.description;
  return html`
    <figure ref=${figure} class="stage">
      ${live
        ? html`<${Picture} key=${live.summary.id} description=${live.description} before="" position=${live.summary.position} />`
        : sample && html`<${Picture} key=${spec} description=${sample.description} before=${position(at - 1)}
            position=${position(at)} move=${at > 0 ? sample.moves[at - 1][0] : ""} />`}
      ${!shown && html`<div class="stage-empty"></div>`}
      <figcaption class="stage-caption">${shown && html`
        ${live
          ? html`<a href=${addressOf(live.summary)}><span class="tag good">${t("Live")}</span>
              ${t(live.summary.title)}, ${namesOf(live.summary)}</a>`
          : html`<span class="soft">${t("{variant}: a game between computers", { variant: t(shown.title) })}</span>
            <${IconButton} icon=${isPlaying.value ? "pause" : "play"} look="quiet"
              label=${isPlaying.value ? t("Pause the board") : t("Let the board play")}
              onClick=${() => { isPlaying.value = !isPlaying.value; }} />`}`}
      </figcaption>
    </figure>`;
}
