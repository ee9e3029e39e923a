/** The list of moves; each leads to the position after it. */
import { html, useEffect, useMemo, useRef } from "../../app/html.js";
import { Stone } from "../../components/icons.js";
import { offenceText, seatName } from "./text.js";
import { words } from "./words.js";

/** @import { GameModel, Offence, Ply } from "../../app/game.js" */
/** @import { Description } from "../../app/types.js" */

/** @typedef {{number: number, ply: Ply}} Entry */
/** @typedef {{model: GameModel, description: Description}} Whose */

/** Moves that are rendered together: of a long game only the chunk that changed is rendered again. */
const CHUNK = 40;

/**
 * The moves as rows with a place for each of two seats; a seat that moves twice begins a new row, and so does whatever
 * follows something that a seat did wrong.
 * @param {Entry[]} entries
 * @param {Offence[]} offences
 * @returns {(Entry|undefined)[][]}
 */
function pairs(entries, offences) {
  /** @type {(Entry|undefined)[][]} */
  const rows = [];
  for (const entry of entries) {
    const row = rows.at(-1);
    const isInterrupted = offences.some(({ ply }) => ply === entry.number - 1);
    if (row && row.length === 1 && entry.ply.seat === 2 && !isInterrupted) row.push(entry);
    else rows.push(entry.ply.seat === 1 ? [entry] : [undefined, entry]);
  }
  return rows;
}

/** @param {Whose & {entry: Entry, current: number}} props */
function MoveButton({ model, description, entry: { number, ply }, current }) {
  const turned = ply.cell < 0 ? 0 : model.turned(number).length;
  return html`
    <button class=${`move ${ply.forced ? "forced" : ""}`} aria-current=${number === current ? "step" : undefined}
        onClick=${() => model.goTo(number)}>
      <span class="visually-hidden">${words.moveOf(number, seatName(description, ply.seat))}</span>
      <span class="number">${ply.cell < 0 ? words.passed : ply.move}</span>
      ${turned > 0 && html`
        <span class="visually-hidden">${words.turns}</span><span class="soft small number">${turned}</span>`}
      ${ply.forced && html`<span class="visually-hidden">${words.forced}</span>`}
    </button>`;
}

/** A piece of the list. @param {Whose & {entries: Entry[], offences: Offence[], current: number}} props */
function Chunk({ model, description, entries, offences, current }) {
  const at = entries.some(({ number }) => number === current) ? current : -1;
  return useMemo(() => {
    /** What was done wrong after a move. @param {number|undefined} after */
    const wrongs = (after) => offences.filter(({ ply }) => ply === after).map((offence) => html`
      <tr key=${`${offence.ply} ${offence.seat}`} class="offence"><td></td><td colspan="2">
        ${offenceText(description, model.players.value, offence)}</td></tr>`);
    const button = (/** @type {Entry|undefined} */ entry) => entry && html`
      <${MoveButton} model=${model} description=${description} entry=${entry} current=${at} />`;
    const number = (/** @type {Entry|undefined} */ entry) => html`<th scope="row" class="number">${entry?.number}</th>`;
    if (description.seats === 2) {
      return html`<tbody>${wrongs(0)}${pairs(entries, offences).map((row) => html`
        <tr key=${(row[0] ?? row[1])?.number}>${number(row[0] ?? row[1])}
          <td>${button(row[0])}</td><td>${button(row[1])}</td></tr>${wrongs(row.at(-1)?.number)}`)}</tbody>`;
    }
    return html`<tbody>${wrongs(0)}${entries.map((entry) => html`
      <tr key=${entry.number}>${number(entry)}
        <td><${Stone} paint=${description.plan.seats[entry.ply.seat - 1]} size=${18} /></td>
        <td>${button(entry)}</td></tr>${wrongs(entry.number)}`)}</tbody>`;
  }, [entries.length, entries.at(-1)?.ply, offences.length, at, description]);
}

/** @param {{description: Description}} props */
function Head({ description }) {
  const seat = (/** @type {number} */ number) => html`
    <th key=${number} scope="col"><${Stone} paint=${description.plan.seats[number - 1]} size=${18} />
      <span class="visually-hidden">${seatName(description, number)}</span></th>`;
  return html`
    <thead><tr><th scope="col"><span class="visually-hidden">${words.ply}</span></th>
      ${description.seats === 2
        ? [seat(1), seat(2)]
        : html`<th scope="col">${words.seat}</th><th scope="col">${words.cell}</th>`}</tr></thead>`;
}

/** Brings the marked move into sight with what was done wrong after it, without moving anything but the list. @param {HTMLElement|null} list */
function reveal(list) {
  const row = list?.querySelector("[aria-current]")?.closest("tr");
  if (!list || !row) return;
  const head = list.querySelector("thead")?.offsetHeight ?? 0;
  let last = row;
  while (last.nextElementSibling instanceof HTMLTableRowElement && last.nextElementSibling.classList.contains("offence")) {
    last = last.nextElementSibling;
  }
  const [top, bottom] = [row.offsetTop - head, last.offsetTop + last.offsetHeight];
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** @param {Whose} props */
export function MoveList({ model, description }) {
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  const plies = model.plies.value;
  const current = model.shown.value?.ply ?? 0;
  const offences = model.offences.value;
  useEffect(() => reveal(box.current), [current, plies.length, offences.length, model.phase.value]);
  const entries = plies.map((ply, index) => ({ number: index + 1, ply }));
  const starts = Array.from({ length: Math.max(1, Math.ceil(entries.length / CHUNK)) }, (_, index) => index * CHUNK);
  /** @param {number} start */
  const offencesFrom = (start) =>
    offences.filter(({ ply }) => (ply > start || (ply === 0 && start === 0)) && ply <= start + CHUNK);
  return html`
    <div class="moves" ref=${box} tabindex="0" role="region" aria-label=${words.moves}>
      <table><caption class="visually-hidden">${words.moves}</caption><${Head} description=${description} />
        ${starts.map((start) => html`
          <${Chunk} key=${start} model=${model} description=${description} current=${current}
            entries=${entries.slice(start, start + CHUNK)} offences=${offencesFrom(start)} />`)}
      </table>
      ${!plies.length && !offences.length && html`<p class="soft small no-moves">${words.noMoves}</p>`}
    </div>`;
}
