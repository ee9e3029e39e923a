/** The list of moves; each leads to the position after it. */
import { html, useEffect, useMemo, useRef } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { Stone } from "../../components/icons.js";
import { offenceText, seatName } from "./text.js";

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

/** @param {{model: GameModel, entry: Entry, current: number}} props */
function MoveButton({ model, entry: { number, ply }, current }) {
  const turned = ply.cell < 0 ? 0 : model.turned(number).length;
  return html`
    <button class=${`move ${ply.forced ? "forced" : ""}`} aria-current=${number === current ? "step" : undefined}
        onClick=${() => model.goTo(number)}>
      <span class="visually-hidden">${t("Move {number}, {name}:", { number, name: seatName(model, ply.seat) })}</span>
      <span class="number">${ply.cell < 0 ? t("pass") : ply.move}</span>
      ${turned > 0 && html`<span class="visually-hidden">${t("turns")}</span><span class="soft small number">${turned}</span>`}
      ${ply.forced && html`<span class="visually-hidden">${t("no legal move")}</span>`}
    </button>`;
}

/** A piece of the list. @param {Whose & {entries: Entry[], offences: Offence[], current: number}} props */
function Chunk({ model, description, entries, offences, current }) {
  const at = entries.some(({ number }) => number === current) ? current : -1;
  return useMemo(() => {
    const isPair = description.seats === 2;
    const button = (/** @type {Entry|undefined} */ entry) => entry && html`
      <${MoveButton} model=${model} entry=${entry} current=${at} />`;
    const offencesAfter = (/** @type {number|undefined} */ number) => offences
      .filter(({ ply }) => ply === number).map((offence) => html`
        <tr key=${`${offence.ply} ${offence.seat}`} class="offence"><td></td>
          <td colspan="2">${offenceText(model, offence)}</td></tr>`);
    const rows = isPair ? pairs(entries, offences) : entries.map((entry) => [undefined, entry]);
    return html`<tbody>${offencesAfter(0)}${rows.map(([first, second]) => {
      const { number, ply } = /** @type {Entry} */ (first ?? second);
      const stone = !isPair && html`<${Stone} paint=${description.plan.seats[ply.seat - 1]} size=${18} />`;
      return html`
        <tr key=${number}><th scope="row" class="number">${number}</th>
          <td>${stone || button(first)}</td><td>${button(second)}</td></tr>
        ${offencesAfter((second ?? first)?.number)}`;
    })}</tbody>`;
  }, [entries.length, entries.at(-1)?.ply, offences.length, at, description]);
}

/** @param {Whose} props */
function Head({ model, description }) {
  const seat = (/** @type {number} */ number) => html`
    <th key=${number} scope="col"><${Stone} paint=${description.plan.seats[number - 1]} size=${18} />
      <span class="visually-hidden">${seatName(model, number)}</span></th>`;
  return html`
    <thead><tr><th scope="col"><span class="visually-hidden">${t("Move")}</span></th>
      ${description.seats === 2
        ? [seat(1), seat(2)]
        : html`<th scope="col">${t("Seat")}</th><th scope="col">${t("Cell")}</th>`}</tr></thead>`;
}

/** Scrolls the list, and nothing else, to the marked move with the offences after it. @param {HTMLElement|null} list */
function reveal(list) {
  const row = list?.querySelector("[aria-current]")?.closest("tr");
  if (!list || !row) return;
  const head = list.querySelector("thead")?.offsetHeight ?? 0;
  let bottom = row.offsetTop + row.offsetHeight;
  for (let next = row.nextElementSibling; next?.classList.contains("offence"); next = next.nextElementSibling) {
    bottom += /** @type {HTMLElement} */ (next).offsetHeight;
  }
  const top = row.offsetTop - head;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
}

/** @param {Whose} props */
export function MoveList({ model, description }) {
  const box = useRef(/** @type {HTMLDivElement|null} */ (null));
  const entries = model.plies.value.map((ply, index) => ({ number: index + 1, ply }));
  const current = model.shown.value?.ply ?? 0;
  const offences = model.offences.value;
  useEffect(() => {
    // What comes above the list after the end leaves it less room.
    const resized = new ResizeObserver(() => reveal(box.current));
    if (box.current) resized.observe(box.current);
    return () => resized.disconnect();
  }, []);
  useEffect(() => reveal(box.current), [current, entries.length, offences.length, model.phase.value]);
  const chunk = (/** @type {number} */ start) => html`
    <${Chunk} key=${start} model=${model} description=${description} current=${current}
      entries=${entries.slice(start, start + CHUNK)}
      offences=${offences.filter(({ ply }) => ply <= start + CHUNK && (ply > start || ply + start === 0))} />`;
  return html`
    <div class="moves" ref=${box} tabindex="0" role="region" aria-label=${t("Moves")}>
      <table><caption class="visually-hidden">${t("Moves")}</caption><${Head} model=${model} description=${description} />
        ${Array.from({ length: Math.max(1, Math.ceil(entries.length / CHUNK)) }, (_, index) => chunk(index * CHUNK))}
      </table>
      ${!entries.length && !offences.length && html`<p class="soft small no-moves">${t("No moves yet.")}</p>`}
    </div>`;
}
