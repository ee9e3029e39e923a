/** A rating over the games that made it, with the range in which the truth is. */
import { html, useEffect, useRef, useSignal } from "../app/html.js";
import { date, number, t } from "../app/i18n.js";
import { go } from "../app/router.js";
import { common } from "../app/words.js";

/** What a rating was after a game. @typedef {{game: string, time: number, rating: number, deviation: number}} Step */

/** Standard deviations on either side that hold the truth in 95 of 100 cases. */
const SPREAD = 1.96;
/** Pixels, and the room at the left and below for figures. */
const [HEIGHT, LEFT, BELOW, ABOVE] = [180, 44, 22, 8];
const RIGHT = 8;

/** Rounded numbers between two bounds, three to six of them. @type {(low: number, high: number) => number[]} */
function ticksBetween(low, high) {
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000].find((size) => (high - low) / size <= 5) ?? 5000;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, at) => (first + at) * step);
}

/** Where things are drawn. @type {(steps: Step[], width: number) => {x: (at: number) => number, y: (rating: number) => number, ticks: number[]}} */
function scaleOf(steps, width) {
  const ratings = steps.map(({ rating }) => rating);
  // The first games say so little that their range would flatten all the rest.
  const sure = steps.slice(Math.floor(steps.length / 3));
  const low = Math.min(...ratings, ...sure.map(({ rating, deviation }) => rating - SPREAD * deviation)) - 20;
  const high = Math.max(...ratings, ...sure.map(({ rating, deviation }) => rating + SPREAD * deviation)) + 20;
  const bound = (/** @type {number} */ rating) => Math.min(Math.max(rating, low), high);
  return {
    x: (at) => LEFT + (width - LEFT - RIGHT) * (steps.length > 1 ? at / (steps.length - 1) : 0.5),
    y: (rating) => ABOVE + (HEIGHT - ABOVE - BELOW) * (high - bound(rating)) / (high - low),
    ticks: ticksBetween(low, high),
  };
}

/** A step in words. @param {{step: Step, at: number}} props */
const told = ({ step, at }) => t("{rating} after game {number}, {date}", {
  rating: common.rating(step.rating, SPREAD * step.deviation), number: number(at + 1),
  date: date(1000 * step.time, { dateStyle: "medium" }),
});

/** The width of an element, as it changes. @param {{current: HTMLElement|null}} element */
function useWidth(element) {
  const width = useSignal(0);
  useEffect(() => {
    const resized = new ResizeObserver(([{ contentRect }]) => { width.value = Math.round(contentRect.width); });
    if (element.current) resized.observe(element.current);
    return () => resized.disconnect();
  }, []);
  return width.value;
}

/** @param {{steps: Step[], width: number, pointed: number|null}} props */
function Drawing({ steps, width, pointed }) {
  const { x, y, ticks } = scaleOf(steps, width);
  const line = steps.map(({ rating }, at) => `${x(at).toFixed(1)},${y(rating).toFixed(1)}`);
  const edge = (/** @type {1|-1} */ side) => steps.map(({ rating, deviation }, at) =>
    `${x(at).toFixed(1)},${y(rating + side * SPREAD * deviation).toFixed(1)}`);
  const shown = pointed ?? steps.length - 1;
  return html`<svg width=${width} height=${HEIGHT} aria-hidden="true">
    ${ticks.map((tick) => html`<g key=${tick}><line class="rating-grid" x1=${LEFT} x2=${width - RIGHT} y1=${y(tick)} y2=${y(tick)} />
      <text class="rating-figure" x=${LEFT - 6} y=${y(tick)} dy="0.35em" text-anchor="end">${number(tick, { useGrouping: false })}</text></g>`)}
    <polygon class="rating-range" points=${[...edge(1), ...edge(-1).reverse()].join(" ")} />
    <polyline class="rating-line" points=${line.join(" ")} />
    <circle class="rating-dot" cx=${x(shown)} cy=${y(steps[shown].rating)} r="4.5" />
    ${[...new Set([0, steps.length - 1])].map((at) => html`<text key=${at} class="rating-figure" x=${x(at)} y=${HEIGHT - 5}
      text-anchor=${steps.length === 1 ? "middle" : at ? "end" : "start"}>${date(1000 * steps[at].time, { dateStyle: "medium" })}</text>`)}
  </svg>`;
}

/**
 * The graph of one rating, the newest step last; a click goes to the game.
 * @param {{steps: Step[], name: string, gameOf?: (step: Step) => string}} props `gameOf` is the address of a step's game
 */
export function RatingGraph({ steps, name, gameOf = ({ game }) => `/game/${game}` }) {
  const host = useRef(/** @type {HTMLDivElement|null} */ (null));
  const width = useWidth(host);
  const pointed = useSignal(/** @type {number|null} */ (null));
  if (!steps.length) return null;
  const at = Math.min(pointed.value ?? steps.length - 1, steps.length - 1);
  const nearest = (/** @type {PointerEvent} */ event) => {
    const share = (event.offsetX - LEFT) / Math.max(1, width - LEFT - RIGHT);
    pointed.value = Math.round(Math.min(1, Math.max(0, share)) * (steps.length - 1));
  };
  return html`<figure class="rating-graph">
    <div ref=${host} class="rating-plot" role="img" aria-label=${t("Rating of {name}: {now}", { name, now: told({ step: steps[steps.length - 1], at: steps.length - 1 }) })}
      onPointerMove=${nearest} onPointerLeave=${() => { pointed.value = null; }} onClick=${() => { if (pointed.value !== null) go(gameOf(steps[at])); }}>
      ${width > 0 && html`<${Drawing} steps=${steps} width=${width} pointed=${pointed.value} />`}</div>
    <figcaption class="soft small number">${told({ step: steps[at], at })}</figcaption>
  </figure>`;
}
