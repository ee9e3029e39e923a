/** The explorer: what was played in this position, by whom and how it went, and what the opening book says of it. */
import { post, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { Alert } from "../../components/page.js";
import { common } from "../../app/words.js";
import { figure, seatName, shortMove } from "./text.js";

/** @import { AnalysisModel } from "./model.js" */

/**
 * How often a move was played, and how that ended for whoever played it.
 * @typedef {object} Played
 * @property {string} move
 * @property {string[]} same other moves that lead to the same position but for a symmetry
 * @property {number} games
 * @property {number} wins
 * @property {number} draws
 * @property {number} losses
 * @property {number|null} mean the mean score in stones
 * @property {number|null} book what the opening book says of it
 *
 * @typedef {{players: string[], year: number|null, scores: number[], event: string, move: string, id: string|null}} Example
 * @typedef {{games: number, moves: Played[], examples: Example[]}} Report
 */

/** The answers so far, by positions; as long as the analysis is open they stay as they are. @type {WeakMap<AnalysisModel, Map<string, Report>>} */
const answers = new WeakMap();

/** What is known of the current position; the last answer stays until the next one is there. @param {AnalysisModel} model */
function useReport(model) {
  const found = useSignal({ report: /** @type {Report|null} */ (null), position: "", problem: "" });
  const { position } = model.current.value;
  useEffect(() => {
    const known = answers.get(model) ?? new Map();
    answers.set(model, known);
    let isHere = true;
    const show = (/** @type {Report} */ report) => {
      known.set(position, report);
      if (isHere) found.value = { report, position, problem: "" };
    };
    if (known.has(position)) show(known.get(position));
    else {
      post("/api/explorer", { ...model.game, position })
        .then(show, (error) => { if (isHere) found.value = { report: null, position, problem: sentenceOf(error) }; });
    }
    return () => { isHere = false; };
  }, [model, position]);
  return found.value;
}

/** A part of some games in percent, with a decimal where it is small. @type {(part: number, all: number) => string} */
const share = (part, all) => number(part / all, { style: "percent", maximumFractionDigits: part < all / 100 ? 1 : 0 });

/** How the games with a move ended, as a bar. @param {{played: Played, seat: string}} props */
function Ends({ played, seat }) {
  const { wins, draws, losses } = played;
  const all = wins + draws + losses;
  if (!all) return null;
  const told = t("{name} won {wins}, drew {draws} and lost {losses}", {
    name: common.capital(seat), wins: number(wins), draws: number(draws), losses: number(losses) });
  const wide = (/** @type {number} */ count) => (/** @type {HTMLElement|null} */ part) => part?.style.setProperty("flex-grow", String(count));
  return html`<span class="ends" role="img" aria-label=${told} title=${told}>
    ${[["won", wins], ["drawn", draws], ["lost", losses]].map(([name, count]) => Number(count) > 0 && html`
      <span key=${name} class=${`ends-${name} number`} ref=${wide(Number(count))} aria-hidden="true">
        ${Number(count) >= all / 4 ? share(Number(count), all) : ""}</span>`)}</span>`;
}

/**
 * A move with its games. Until the answer for the next position is there, it stays and does nothing.
 * @param {{model: AnalysisModel, position: string, played: Played, games: number, seat: string}} props
 */
function Row({ model, position, played, games, seat }) {
  const { move, same } = played;
  const isCurrent = () => model.current.value.position === position;
  const show = () => {
    if (!isCurrent()) return;
    model.pointed.value = move;
    model.show([move]);
  };
  const end = () => model.show([]);
  const play = () => { if (isCurrent()) model.play(move); };
  return html`<tr onPointerEnter=${show} onPointerLeave=${end}>
    <th scope="row"><button type="button" class="line-move number" onFocus=${show} onBlur=${end} onClick=${play}>
      ${shortMove(move)}</button>${same.length > 0 && html`<span class="small soft number">= ${same.map(shortMove).join(" ")}</span>`}</th>
    <td class="number">${number(played.games)}</td>
    <td class="number small soft">${played.games > 0 && share(played.games, games)}</td>
    <td><${Ends} played=${played} seat=${seat} /></td>
    <td class="number">${played.mean === null ? "" : number(played.mean, { signDisplay: "exceptZero", maximumFractionDigits: 1 }).replace("-", "−")}</td>
    <td class="number">${played.book === null ? "" : figure(played.book, "stones")}</td></tr>`;
}

/** A game in which the position occurred. @param {{example: Example}} props */
function Game({ example }) {
  const { players, scores, event, year, move, id } = example;
  const who = players.map((name) => name || "?").join(" – ") || t("Unknown players");
  const told = html`<span class="example-who">${who}</span> <strong class="number">${scores.map((score) => number(score)).join("–")}</strong>`;
  return html`<li>${id ? html`<a href=${`/game/${id}`}>${told}</a>` : html`<span>${told}</span>`}
    <span class="small soft">${[shortMove(move), event, year && String(year)].filter(Boolean).join(" · ")}</span></li>`;
}

/** @param {{model: AnalysisModel}} props */
export function Explorer({ model }) {
  const { report, position, problem } = useReport(model);
  if (problem) return html`<${Alert} text=${problem} look="small" />`;
  if (!report) return html`<p class="soft loading">${common.loading}</p>`;
  const node = model.current.value;
  if (node.over) return html`<p class="soft small">${t("The game is over here.")}</p>`;
  const hasBook = report.moves.some(({ book }) => book !== null);
  if (!report.moves.length) return html`<p class="soft small">${t("No game that is known here has come to this position.")}</p>`;
  const seat = seatName(model, node.turn);
  return html`<div class=${`explorer stack tight ${position === node.position ? "" : "waiting"}`}>
    <table class="explored"><caption class="small soft">${plural(report.games, "{count} game went on from here",
      "{count} games went on from here")}</caption>
      <thead><tr><th scope="col">${t("Move")}</th><th scope="col" colspan="2">${t("Games")}</th>
        <th scope="col">${t("Won, drawn, lost by {name}", { name: seat })}</th>
        <th scope="col">${t("Mean")}</th><th scope="col">${hasBook ? t("Book") : ""}</th></tr></thead>
      <tbody>${report.moves.map((played) => html`<${Row} key=${played.move} model=${model} position=${position} played=${played}
        games=${report.games} seat=${seat} />`)}</tbody>
    </table>
    ${report.examples.length > 0 && html`<section><h2 class="small soft">${t("Some of the games")}</h2>
      <ul class="examples">${report.examples.map((example, at) => html`<${Game} key=${at} example=${example} />`)}</ul></section>`}
  </div>`;
}
