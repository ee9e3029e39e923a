/** Who plays: name, stones, stocks, clock, presence, and whose turn it is. */
import { html } from "../../app/html.js";
import { offenceWords } from "../../app/tell.js";
import { words } from "../../words/words.js";
import { Stone } from "../parts/stone.js";
import { Clock } from "./clock.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */
/** @typedef {{model: GameModel, seat: number}} Whose */

const STOCKS = {
  overrides: "M-6 2a6 6 0 1 0 2-6M-6-6v4h4",
  bombs: "M-5 2a5 5 0 1 0 10 0a5 5 0 1 0-10 0M2-3l3-4",
};

/** @param {{kind: "overrides"|"bombs", count: number}} props */
function Stock({ kind, count }) {
  const said = words.game[kind](count);
  return html`
    <span class="stock" title=${said}>
      <svg viewBox="-9 -9 18 18" width="18" height="18" aria-hidden="true" fill="none" stroke="currentColor"
        stroke-width="2" stroke-linecap="round"><path d=${STOCKS[kind]} /></svg>
      <span aria-hidden="true">${count}</span><span class="visually-hidden">${said}</span>
    </span>`;
}

/** Override stones and bombs, on XT maps. @param {Whose} props */
function Stocks({ model, seat }) {
  const position = model.shown.value?.position;
  if (!position?.overrides.length) return null;
  return html`
    <span class="stocks number"><${Stock} kind="overrides" count=${position.overrides[seat - 1]} />
      <${Stock} kind="bombs" count=${position.bombs[seat - 1]} /></span>`;
}

/** Whether somebody else is there; computers always are. @param {Whose} props */
function Presence({ model, seat }) {
  const isPerson = model.info.value?.kinds[seat - 1] === "human" && !model.seats.value.includes(seat);
  const here = model.presence.value.seats[seat - 1];
  if (!isPerson || here === undefined || model.phase.value === "over") return null;
  const said = here ? words.game.here : words.game.away;
  return html`<span class=${`presence ${here ? "here" : ""}`} role="img" aria-label=${said} title=${said}></span>`;
}

/** Whether the game is played for time; computers have a limit even where people have none. @param {GameModel} model */
function isTimed(model) {
  const { limit, kinds } = model.info.value ?? { limit: [], kinds: [] };
  const ofPeople = limit.filter((_, index) => kinds[index] === "human");
  return ofPeople.length ? ofPeople.some((one) => one !== "none") : limit.some((one) => one.includes("bank"));
}

/** @param {Whose} props */
function Tags({ model, seat }) {
  const shown = model.shown.value;
  const result = model.result.value;
  const description = model.description.value;
  const offence = model.offences.value.find((one) => one.seat === seat);
  const why = description && offence ? offenceWords(description, model.players.value, offence) : undefined;
  const isFirst = shown?.live && result?.ranks[seat - 1] === 1 && result.verdict.kind !== "aborted";
  return html`
    ${model.seats.value.includes(seat) && html`<span class="tag">${words.game.you}</span>`}
    ${shown?.position.out.includes(seat) && html`<span class="tag bad" title=${why}>${words.game.out}</span>`}
    ${isFirst && html`<span class="tag good">${words.speech.ordinal(1)}</span>`}
    ${shown?.turn === seat && html`<span class="visually-hidden">${words.game.toMove}</span>`}`;
}

/** @param {Whose} props */
export function SeatCard({ model, seat }) {
  const shown = model.shown.value;
  const paint = model.description.value?.plan.seats[seat - 1];
  if (!shown || !paint) return null;
  const isOut = shown.position.out.includes(seat);
  const look = `${shown.turn === seat ? "turn" : ""} ${isOut ? "out" : ""}`;
  const stones = shown.scores[seat - 1];
  return html`
    <section class=${`seat-card ${look}`} aria-label=${paint.name}>
      <${Stone} paint=${paint} size=${26} />
      <div class="seat-who grow">
        <span class="seat-player">${model.players.value[seat - 1] || words.game.nobody}</span>
        <${Presence} model=${model} seat=${seat} /><${Tags} model=${model} seat=${seat} />
      </div>
      <${Stocks} model=${model} seat=${seat} />
      ${isTimed(model) && !isOut && html`<${Clock} model=${model} seat=${seat} />`}
      <span class="seat-score number"><span aria-hidden="true">${stones}</span>
        <span class="visually-hidden">${words.game.stones(stones)}</span></span>
    </section>`;
}

/** All seats of a game of many. @param {{model: GameModel, count: number}} props */
export function SeatList({ model, count }) {
  const seats = Array.from({ length: count }, (_, index) => index + 1);
  return html`
    <div class="seat-list" role="group" aria-label=${words.game.seats}>
      ${seats.map((seat) => html`<${SeatCard} key=${seat} model=${model} seat=${seat} />`)}
    </div>`;
}
