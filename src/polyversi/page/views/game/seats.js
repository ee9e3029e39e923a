/** The players: name, stones, stocks, clock, presence, and whose turn it is. */
import { announce } from "../../app/announcer.js";
import { html, useEffect, useRef, useState } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { Stone } from "../../components/icons.js";
import { play } from "./announcements.js";
import { RatingTag } from "./ratings.js";
import { offenceText, ordinal, seatName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @typedef {{model: GameModel, seat: number}} Whose */

/** Time is short below this many seconds, or below this share of a small limit. */
const LOW = 10;
const LOW_SHARE = 0.3;
/** Milliseconds between two updates of a running clock. */
const TICK = 100;

/**
 * Time as clocks show it: 1:05:00, 4:59, and the last ten seconds of a clock that runs with their tenths.
 * @param {number} seconds
 * @param {boolean} isRunning
 */
function clockText(seconds, isRunning) {
  if (seconds < LOW && isRunning) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(seconds);
  const pad = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** Renders again every tick while something runs. @param {boolean} isRunning */
function useTicks(isRunning) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => tick((count) => count + 1), TICK);
    return () => clearInterval(timer);
  }, [isRunning]);
}

/** @param {Whose} props */
function Clock({ model, seat }) {
  const warned = useRef(false);
  const isRunning = model.clockTurn.value === seat;
  const limit = model.clocks.limits[seat - 1];
  const left = model.clocks.version.value ? model.clocks.left(seat, isRunning) : null;
  const isLow = left !== null && left < Math.min(LOW, (limit?.bank ?? limit?.seconds ?? 0) * LOW_SHARE);
  const isWarning = isLow && isRunning && limit?.bank !== null && model.seats.value.includes(seat);
  useTicks(isRunning);
  useEffect(() => {
    if (!isWarning || warned.current) return;
    warned.current = true;
    announce(t("{name} is short of time", { name: seatName(model, seat) }));
    play("low");
  }, [isWarning]);
  if (left === null) return null;
  const text = clockText(left, isRunning);
  return html`
    <span class=${`clock number ${isRunning ? "running" : ""} ${isLow ? "low" : ""}`} role="timer"
      aria-label=${t("{time} left", { time: text })}>${text}</span>`;
}

/** What a seat may have left on XT maps, with its icon. */
const STOCKS = /** @type {const} */ ([
  ["overrides", "M-6 2a6 6 0 1 0 2-6M-6-6v4h4"],
  ["bombs", "M-5 2a5 5 0 1 0 10 0a5 5 0 1 0-10 0M2-3l3-4"],
]);

/** @param {Whose} props */
function Stocks({ model, seat }) {
  const position = model.shown.value?.position;
  if (!position?.overrides.length) return null;
  return html`<span class="stocks number">${STOCKS.map(([kind, shape]) => {
    const count = position[kind][seat - 1];
    const text = kind === "bombs"
      ? plural(count, "{count} bomb", "{count} bombs")
      : plural(count, "{count} override stone", "{count} override stones");
    return html`
      <span class="stock" title=${text}>
        <svg viewBox="-9 -9 18 18" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor"
          stroke-width="2" stroke-linecap="round"><path d=${shape} /></svg>
        <span aria-hidden="true">${count}</span><span class="visually-hidden">${text}</span>
      </span>`;
  })}</span>`;
}

/** Whether somebody else is there; computers always are. @param {Whose} props */
function Presence({ model, seat }) {
  const isPerson = model.info.value?.kinds[seat - 1] === "human" && !model.seats.value.includes(seat);
  const isHere = model.presence.value.seats[seat - 1];
  if (!isPerson || isHere === undefined || model.phase.value === "over") return null;
  const text = isHere ? t("here") : t("away");
  return html`<span class=${`presence ${isHere ? "here" : "away"}`} role="img" aria-label=${text} title=${text}></span>`;
}

/** Whether the clocks are shown; computers have a time limit even where people have none. @param {GameModel} model */
function isTimed(model) {
  const { limit, kinds } = model.info.value ?? { limit: [], kinds: [] };
  const ofPeople = limit.filter((_, index) => kinds[index] === "human");
  return ofPeople.length ? ofPeople.some((one) => one !== "none") : limit.some((one) => one.includes("bank"));
}

/** @param {Whose & {rating?: import("./ratings.js").SeatRating}} props */
export function SeatCard({ model, seat, rating }) {
  const [shown, result] = [model.shown.value, model.result.value];
  const paint = model.description.value?.plan.seats[seat - 1];
  if (!shown || !paint) return null;
  const isTurn = shown.turn === seat;
  const isOut = shown.position.out.includes(seat);
  const isFirst = model.players.value.length > 2 && shown.live && result?.ranks[seat - 1] === 1 && result.verdict.kind !== "aborted";
  const offence = model.offences.value.find((one) => one.seat === seat);
  const stones = shown.scores[seat - 1];
  const name = playerName(model.players.value[seat - 1] ?? "");
  return html`
    <section class=${`seat-card ${isTurn ? "turn" : ""} ${isOut ? "out" : ""}`} aria-label=${seatName(model, seat)}>
      <${Stone} paint=${paint} size=${26} />
      <div class="seat-who grow">
        <span class="seat-player" title=${name}>${name || t("waiting…")}</span>
        <${Presence} model=${model} seat=${seat} />
        <${RatingTag} rating=${rating} />
        ${model.seats.value.includes(seat) && html`<span class="tag">${t("you")}</span>`}
        ${isOut && html`<span class="tag bad" title=${offence && offenceText(model, offence)}>${t("out")}</span>`}
        ${isFirst && html`<span class="tag good">${ordinal(1)}</span>`}
        ${isTurn && html`<span class="visually-hidden">${t("to move")}</span>`}
      </div>
      <${Stocks} model=${model} seat=${seat} />
      ${isTimed(model) && !isOut && html`<${Clock} model=${model} seat=${seat} />`}
      <span class="seat-score number"><span aria-hidden="true">${stones}</span>
        <span class="visually-hidden">${plural(stones, "{count} stone", "{count} stones")}</span></span>
    </section>`;
}
