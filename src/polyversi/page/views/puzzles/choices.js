/** What is solved next: the game, the kind and the grade that a visitor wants, and how much is solved already. */
import { get, useFetched } from "../../app/api.js";
import { html, signal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { load, save } from "../../app/storage.js";
import { Select } from "../../components/forms.js";
import { daysInRow, progress } from "./progress.js";
import { kindNames } from "./text.js";

/** @import { Puzzle, PuzzleList, PuzzleSummary } from "../../app/types.js" */
/** @typedef {{spec: string, kind: string, grade: string}} Chosen an empty text for any kind or grade */

const KINDS = ["win", "best", "wipeout"];
const GRADES = ["1", "2", "3", "4", "5"];
/** Requests for one list at most. */
const MAX_PAGES = 50;

/** What was chosen last, as far as it makes sense. @returns {Chosen} */
function read() {
  const { spec, kind, grade } = load("puzzles.chosen") ?? {};
  return {
    spec: typeof spec === "string" && spec ? spec : "othello",
    kind: KINDS.includes(kind) ? kind : "",
    grade: GRADES.includes(grade) ? grade : "",
  };
}

/** The puzzles that the visitor wants. */
export const chosen = signal(read());

/** @type {Map<string, Promise<PuzzleSummary[]>>} */
const lists = new Map();

/** All puzzles of a game, in short, requested once. @param {string} spec @returns {Promise<PuzzleSummary[]>} */
export function listOf(spec) {
  const list = lists.get(spec) ?? request(spec);
  lists.set(spec, list);
  list.catch(() => lists.delete(spec));
  return list;
}

/** @param {string} spec */
async function request(spec) {
  const path = `/api/puzzles?spec=${encodeURIComponent(spec)}`;
  /** @type {PuzzleSummary[]} */
  const all = [];
  for (let [page, after] = [0, /** @type {string|null} */ ("")]; after !== null && page < MAX_PAGES; page += 1) {
    const found = /** @type {PuzzleList} */ (await get(after ? `${path}&after=${after}` : path));
    all.push(...found.puzzles);
    after = found.next;
  }
  return all;
}

/** @param {PuzzleSummary} puzzle */
const isWanted = ({ kind, grade }) =>
  (!chosen.value.kind || chosen.value.kind === kind) && (!chosen.value.grade || chosen.value.grade === String(grade));

/**
 * The puzzle after one of a list, of the wanted kind and grade, that is not solved yet if there is any; itself where it is the only one.
 * @param {PuzzleSummary[]} list
 * @param {PuzzleSummary} now
 */
export function nextOf(list, now) {
  const at = list.findIndex(({ id }) => id === now.id);
  const later = [...list.slice(at + 1), ...list.slice(0, Math.max(at, 0))];
  const wanted = later.filter(isWanted);
  const { solved } = progress.value;
  return (wanted.find(({ id }) => !(id in solved)) ?? wanted[0] ?? now).id;
}

/** Takes another choice, and goes to a puzzle that fits it. @param {Chosen} choice @param {Puzzle} puzzle */
async function choose(choice, puzzle) {
  chosen.value = choice;
  save("puzzles.chosen", choice);
  const list = await listOf(choice.spec).catch(() => []);
  const [first] = list.filter(isWanted).filter(({ id }) => !(id in progress.value.solved));
  const id = choice.spec === puzzle.game ? nextOf(list, puzzle) : (first ?? list.find(isWanted) ?? list[0])?.id;
  if (id && id !== puzzle.id && (choice.spec !== puzzle.game || !isWanted(puzzle))) go(`/puzzles/${id}`);
}

/** How much is solved, and in a row. @param {{count: number, solved: number}} props */
function Figures({ count, solved }) {
  const { row, best } = progress.value;
  return html`<dl class="puzzle-figures">
    <div><dt>${t("Solved")}</dt><dd class="number">${t("{solved} of {count}", { solved: number(solved), count: number(count) })}</dd></div>
    <div><dt>${t("Right in a row")}</dt><dd class="number">${number(row)}${best > row && html` <span class="soft small">${t("best {count}", { count: number(best) })}</span>`}</dd></div>
    <div><dt>${t("Days in a row")}</dt><dd class="number">${number(daysInRow())}</dd></div>
  </dl>`;
}

/** @param {{puzzle: Puzzle}} props */
export function Choices({ puzzle }) {
  const choice = chosen.value;
  const list = /** @type {PuzzleList|null} */ (useFetched(`/api/puzzles?spec=${encodeURIComponent(puzzle.game)}`));
  const games = list?.games ?? [{ spec: puzzle.game, title: puzzle.title, count: 0 }];
  const change = (/** @type {Partial<Chosen>} */ part) => choose({ ...choice, spec: puzzle.game, ...part }, puzzle);
  const solved = (list?.puzzles ?? []).filter(({ id }) => id in progress.value.solved).length;
  return html`<section class="puzzle-choices" aria-label=${t("Choose puzzles")}>
    <div class="puzzle-fields">
      <${Select} label=${t("Variant")} value=${puzzle.game} onChange=${(/** @type {string} */ spec) => change({ spec })}
        options=${Object.fromEntries(games.map((game) => [game.spec, t(game.title)]))} />
      <${Select} label=${t("Kind")} value=${choice.kind} options=${{ "": t("All"), ...kindNames() }}
        onChange=${(/** @type {string} */ kind) => change({ kind })} />
      <${Select} label=${t("Grade")} value=${choice.grade} onChange=${(/** @type {string} */ grade) => change({ grade })}>
        <option value="">${t("All")}</option>${GRADES.map((grade) => html`<option key=${grade} value=${grade}>${number(Number(grade))}</option>`)}<//>
    </div>
    ${!puzzle.date && html`<p><a class="puzzle-daily" href="/puzzles">${t("Puzzle of the day")}</a></p>`}
    <${Figures} count=${list?.total ?? 0} solved=${solved} />
  </section>`;
}
