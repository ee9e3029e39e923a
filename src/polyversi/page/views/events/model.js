/** What the server tells of events, and how their phases are called. */
import { get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { date, number, t } from "../../app/i18n.js";
import { whileVisible } from "../../app/polling.js";

/** @import { EventSettings } from "../../app/messages.js" */
/** @import { FileKind, Listed } from "../../app/types.js" */

/**
 * @typedef {"draft"|"scheduled"|"running"|"paused"|"over"|"cancelled"} Phase
 * @typedef {{id: string, title: string, phase: Phase, created: number, is_released: boolean, has_started: boolean, format: string,
 *   format_label: string, is_bracket: boolean, variants: string[], limit: string, ladder: string, deadline: number|null}} Shown
 * @typedef {Shown & {entrants: number, played: number}} ListedEvent
 * @typedef {Shown & {may_see: boolean, entrants: Entrant[], playing: Listed[], unchecked: number,
 *   settings?: EventSettings, problem?: string, groups?: Group[]}} EventInfo
 * @typedef {{name: string, who: string, bot: string, owner: string}} Entrant with its bot and whose that is, for whoever may know
 * @typedef {{name: string, waiting: number, playing: number}} Group a group with XT clients, and how many of them wait and play
 * @typedef {{games: number, won: number, drawn: number, lost: number, points: number, mean: number, stones: number}} Score
 * @typedef {Score & {entrant: number, name: string, is_set_aside: boolean, spec: string, rating: [number, number, number]|null,
 *   ranked_by: number|null, faults: Record<string, number>}} Row
 * @typedef {{name: string, format: string, variants: string[], facts: Record<string, string>, is_over: boolean, played: number,
 *   expected: number, seconds_left: number|null, last_end: number, files: FileKind[], usual_seconds: number|null, scored_by: string, rows: Row[],
 *   broken: {name: string, reason: string}[]}} Table
 * @typedef {{rows: {entrant: number, name: string}[], each: [number, number, number, number, number, number][],
 *   is_too_large: boolean}} Cross
 * @typedef {{id: string, entrants: number[], points: number[], best: boolean[], games: string[], missing: number}} Meeting
 * @typedef {{is_bracket: boolean, names: string[], rounds: {round: number, meetings: Meeting[]}[]}} Rounds
 * @typedef {{variants: {spec: string, seats: number, games: number, rows: (Score & {name: string})[]}[]}} Variants
 * @typedef {{games: number, lines: {entrant: number, name: string, points: [number, number][]}[]}} Graph
 */

/** Milliseconds between two looks. */
const INTERVAL = 3000;

/** Milliseconds between two looks at what takes the server longer. */
export const SELDOM = 60_000;

/**
 * What is at an address, looked at again and again; nothing for an empty address.
 * @template T @param {string} path @param {number} interval
 */
export function useLive(path, interval = INTERVAL) {
  const found = useSignal(/** @type {T|null} */ (null));
  const problem = useSignal("");
  const round = useSignal(0);
  useEffect(() => { found.value = null; }, [path]);
  useEffect(() => (path ? whileVisible(async (signal) => {
    try {
      const data = await get(path, signal);
      if (signal.aborted) return;
      found.value = data;
      problem.value = "";
    } catch (error) {
      if (!signal.aborted) problem.value = sentenceOf(error);
    }
  }, interval) : undefined), [path, round.value]);
  return { found: found.value, problem: problem.value, again: () => { round.value += 1; } };
}

/** The address of what the server tells of an event. @param {string} id */
export const apiOf = (id) => `/api/site/events/${encodeURIComponent(id)}`;

/** The page of a game of an event. @type {(id: string, fixture: string) => string} */
export const gameAt = (id, fixture) => `/game/${encodeURIComponent(`${id}.${fixture.replaceAll("/", "-")}`)}`;

/** @returns {Record<Phase, string>} */
const phases = () => ({
  draft: t("not started"), scheduled: t("starts by itself"), running: t("running"), paused: t("paused"), over: t("finished"),
  cancelled: t("cancelled"),
});

/** @param {{phase: Phase}} props */
export function PhaseTag({ phase }) {
  const look = { running: "good", paused: "bad", cancelled: "bad" }[/** @type {string} */ (phase)] ?? "";
  return html`<span class=${`tag ${look}`}>${phases()[phase]}</span>`;
}

/** Points, with as many decimals as they need. @param {number} points */
export const pointsText = (points) => number(points, { maximumFractionDigits: 2 });

/** A rating with its sign. @param {number} rating */
export const ratingText = (rating) => number(Math.round(rating), { signDisplay: "exceptZero" });

/** The name of an entrant, with the bot's page and its owner where these are known. @param {{event: EventInfo, name: string}} props */
export function EntrantName({ event, name }) {
  const { bot = "", owner = "" } = event.entrants.find((one) => one.name === name) ?? {};
  return html`${bot ? html`<a href=${`/bots/${bot}`}><bdi>${name}</bdi></a>` : html`<bdi>${name}</bdi>`}
    ${owner && html`<span class="event-owner soft small"><bdi>${owner}</bdi></span>`}`;
}

/** A moment in seconds since 1970. @param {number} seconds */
export const momentText = (seconds) => date(seconds * 1000);
