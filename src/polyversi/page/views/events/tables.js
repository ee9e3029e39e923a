/** The tables of an event: the standings, everybody against everybody, and one table for each variant. */
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { EntrantName, pointsText, ratingText } from "./model.js";

/** @import { Cross, EventInfo, Row, Score, Table, Variants } from "./model.js" */

/** Half of the width of the widest error that is drawn, in points of rating. */
const BEYOND = 200;
/** Shades of the cross table, from no points to all. */
const SHADES = 8;

/** @param {{event: EventInfo, data: Table}} props */
export function Standings({ event, data }) {
  const { rows, broken, scored_by: scoredBy } = data;
  const hasRatings = rows.some(({ rating }) => rating);
  const hasFaults = broken.length > 0 || rows.some(({ faults, is_set_aside: isAside }) => isAside || Object.keys(faults).length > 0);
  const bounds = boundsOf(rows);
  return html`
    <div class="panel event-scroll" tabindex="0" role="group" aria-label=${t("Table")}>
      <table class="event-table">
        <thead><tr><th scope="col" class="event-right">${t("Place")}</th><th scope="col">${t("Entrant")}</th>
          ${scoredBy && html`<th scope="col" class="event-right">${t(scoredBy)}</th>`}
          <th scope="col" class="event-right">${t("Points")}</th>
          ${hasRatings && html`<th scope="col" class="event-right">${t("Rating")}</th><th scope="col" class="event-wide"><span class="visually-hidden">${t("Rating with its error")}</span></th>`}
          <${ScoreHeads} />
          ${hasFaults && html`<th scope="col">${t("Failures")}</th>`}</tr></thead>
        <tbody>${rows.map((row, at) => html`
          <tr key=${row.entrant}><td class="event-right number">${number(at + 1)}</td><th scope="row"><${EntrantName} event=${event} name=${row.name} /></th>
            ${scoredBy && html`<td class="event-right number">${row.ranked_by === null ? "" : pointsText(row.ranked_by)}</td>`}
            <td class="event-right number">${pointsText(row.points)}</td>
            ${hasRatings && html`<td class="event-right number">${row.rating ? html`${ratingText(row.rating[0])}<span class="event-wide"> ± ${number(Math.round((row.rating[2] - row.rating[1]) / 2))}</span>` : "–"}</td>
              <td class="event-bar event-wide">${row.rating && html`<${Bar} rating=${row.rating} bounds=${bounds} />`}</td>`}
            <${ScoreCells} score=${row} />
            ${hasFaults && html`<td class="event-faults"><${Faults} row=${row} /></td>`}</tr>`)}
          ${broken.map(({ name, reason }, at) => html`
            <tr key=${name}><td class="event-right number">${number(rows.length + at + 1)}</td><th scope="row"><bdi>${name}</bdi></th>
              <td colspan="20" class="event-faults"><strong>${t("set aside")}</strong> ${reason}</td></tr>`)}
        </tbody>
      </table></div>`;
}

function ScoreHeads() {
  const heads = [t("Games"), t("Won"), t("Drawn"), t("Lost"), t("Stones")];
  return heads.map((text, at) => html`<th key=${text} scope="col" class=${`event-right ${at ? "event-wide" : ""}`}>${text}</th>`);
}

/** @param {{score: Score}} props */
function ScoreCells({ score }) {
  const { games, won, drawn, lost, stones } = score;
  const cells = [games, won, drawn, lost, stones];
  return cells.map((count, at) => html`<td key=${at} class=${`event-right number ${at ? "event-wide" : ""}`}>${number(count)}</td>`);
}

/** @param {{row: Row}} props */
function Faults({ row: { is_set_aside: isAside, faults } }) {
  const counted = Object.entries(faults).map(([kind, count]) => `${number(count)} × ${t(kind)}`).join(", ");
  return html`${isAside && html`<strong>${t("set aside")}</strong> `}${counted}`;
}

/** The range of all ratings, with a little of their errors. @param {Row[]} rows @returns {[number, number]} */
function boundsOf(rows) {
  const ratings = rows.flatMap(({ rating }) => (rating ? [rating] : []));
  const values = ratings.map(([value]) => value);
  const low = Math.max(Math.min(...ratings.map(([, from]) => from)), Math.min(...values) - BEYOND);
  const high = Math.min(Math.max(...ratings.map(([, , to]) => to)), Math.max(...values) + BEYOND);
  return [low, Math.max(high, low + 1)];
}

/** A rating with its error, drawn. @param {{rating: [number, number, number], bounds: [number, number]}} props */
function Bar({ rating: [value, from, to], bounds: [low, high] }) {
  const at = (/** @type {number} */ one) => 4 + 112 * Math.min(1, Math.max(0, (one - low) / (high - low)));
  return html`<svg viewBox="0 0 120 16" width="120" height="16" aria-hidden="true">
    <path d=${`M${at(from)} 8H${at(to)}M${at(from)} 4v8M${at(to)} 4v8`} /><circle cx=${at(value)} cy="8" r="4" /></svg>`;
}

/** @param {{data: Cross}} props */
export function CrossTable({ data }) {
  const { rows, each, is_too_large: isTooLarge } = data;
  if (isTooLarge) return html`<p class="panel soft">${t("There are too many entrants for a cross table.")}</p>`;
  const scores = new Map(each.map(([one, other, ...score]) => [`${one} ${other}`, score]));
  const cell = (/** @type {{entrant: number, name: string}} */ one, /** @type {{entrant: number, name: string}} */ other) => {
    const own = scores.get(`${one.entrant} ${other.entrant}`);
    if (one === other) return html`<td key=${other.entrant} class="event-self"></td>`;
    if (!own) return html`<td key=${other.entrant}>·</td>`;
    const theirs = scores.get(`${other.entrant} ${one.entrant}`);
    const [points, games] = own;
    const title = `${one.name} – ${other.name}: ${pointsText(points)} – ${pointsText(theirs?.[0] ?? 0)}, ${plural(games, "{count} game", "{count} games")}`;
    return html`<td key=${other.entrant} class=${`number event-shade-${shade(points, theirs?.[0] ?? 0)}`} title=${title}>${pointsText(points)}</td>`;
  };
  return html`
    <div class="panel event-scroll" tabindex="0" role="group" aria-label=${t("Cross table")}>
      <p class="small soft">${t("Points of the row against the column.")}</p>
      <table class="event-cross">
        <thead><tr><th scope="col">${t("Entrant")}</th>${rows.map((row, at) => html`
          <th key=${row.entrant} scope="col" title=${row.name}><span aria-hidden="true">${number(at + 1)}</span>
            <span class="visually-hidden">${row.name}</span></th>`)}</tr></thead>
        <tbody>${rows.map((row, at) => html`<tr key=${row.entrant}>
          <th scope="row"><span class="number soft">${number(at + 1)}</span> <bdi>${row.name}</bdi></th>${rows.map((other) => cell(row, other))}</tr>`)}</tbody>
      </table></div>`;
}

/** The colour of a cell, from 0 to SHADES; points below zero count as none. @type {(own: number, theirs: number) => number} */
function shade(own, theirs) {
  const [gained, lost] = [Math.max(0, own), Math.max(0, theirs)];
  return gained + lost ? Math.round((SHADES * gained) / (gained + lost)) : SHADES / 2;
}

/** @param {{data: Variants, event: EventInfo}} props */
export function VariantTables({ event, data }) {
  return data.variants.map(({ spec, seats, games, rows }) => html`
    <section key=${spec} class="panel stack tight event-scroll" tabindex="0" role="group" aria-label=${t(spec)}>
      <h2><bdi>${t(spec)}</bdi> <span class="soft small">${plural(seats, "{count} seat", "{count} seats")}, ${plural(games, "{count} game", "{count} games")}</span></h2>
      <table class="event-table">
        <thead><tr><th scope="col" class="event-right">${t("Place")}</th><th scope="col">${t("Entrant")}</th>
          <th scope="col" class="event-right">${t("Points per game")}</th><th scope="col" class="event-right">${t("Points")}</th><${ScoreHeads} /></tr></thead>
        <tbody>${rows.map((row, at) => html`<tr key=${row.name}><td class="event-right number">${number(at + 1)}</td>
          <th scope="row"><${EntrantName} event=${event} name=${row.name} /></th><td class="event-right number">${pointsText(row.mean)}</td><td class="event-right number">${pointsText(row.points)}</td><${ScoreCells} score=${row} /></tr>`)}</tbody>
      </table></section>`);
}
