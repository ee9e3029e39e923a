/** What is solved next: the game, the kind and the grade that a visitor wants, and how much is solved already. */
import { get, sentenceOf } from "../../app/api.js";
import { html, signal, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { load, save } from "../../app/storage.js";
import { Select } from "../../components/forms.js";
import { Alert } from "../../components/page.js";
import { daysInRow, progress } from "./progress.js";

/** @import { Puzzle, PuzzleList, PuzzleSummary } from "../../app/types.js" */
/** @typedef {{spec: string, kind: string, grade: string}} Chosen an empty text for the game that the server takes, any kind or grade */

/** Requests for one list at most. */
const MAX_PAGES = 50;

/** What was chosen last. @returns {Chosen} */
function read() {
  const { spec, kind, grade } = load("puzzles.chosen") ?? {};
  return {
    spec: typeof spec === "string" ? spec : "",
    kind: typeof kind === "string" ? kind : "",
    grade: typeof grade === "string" ? grade : "",
  };
}

/** The puzzles that the visitor wants. */
export const chosen = signal(read());

/** @type {Map<string, Promise<PuzzleList>>} */
const lists = new Map();

/** All puzzles of a game, in short, and the games of which there are any; requested once. @param {string} spec @returns {Promise<PuzzleList>} */
export function listOf(spec) {
  const list = lists.get(spec) ?? request(spec);
  lists.set(spec, list);
  list.catch(() => lists.delete(spec));
  return list;
}

/** @param {string} spec @returns {Promise<PuzzleList>} */
async function request(spec) {
  const path = `/api/puzzles?spec=${encodeURIComponent(spec)}`;
  const all = /** @type {PuzzleList} */ (await get(path));
  for (let page = 1; all.next !== null && page < MAX_PAGES; page += 1) {
    const { puzzles, next } = /** @type {PuzzleList} */ (await get(`${path}&after=${all.next}`));
    all.puzzles.push(...puzzles);
    all.next = next;
  }
  forgetUnknown(all);
  return all;
}

/** Drops a choice of something that the server has no more. @param {PuzzleList} list */
function forgetUnknown({ kinds, grades }) {
  const { spec, kind, grade } = chosen.value;
  const known = {
    spec, kind: kinds.some(({ name }) => name === kind) ? kind : "", grade: grades.map(String).includes(grade) ? grade : "",
  };
  if (known.kind !== kind || known.grade !== grade) chosen.value = known;
}

/** The list of a game; null until it has arrived. @param {string} spec */
function useList(spec) {
  const found = useSignal(/** @type {PuzzleList|null} */ (null));
  useEffect(() => {
    let isHere = true;
    listOf(spec).then((list) => { if (isHere) found.value = list; }, () => {});
    return () => { isHere = false; };
  }, [spec]);
  return found.value;
}

/** @param {PuzzleSummary} puzzle */
const isWanted = ({ kind, grade }) =>
  (!chosen.value.kind || chosen.value.kind === kind) && (!chosen.value.grade || chosen.value.grade === String(grade));

/**
 * The puzzle after one of a list, or the first of another list: of the wanted kind and grade if there is any, and one
 * that is not solved yet if there is any.
 * @param {PuzzleSummary[]} list
 * @param {PuzzleSummary} now
 */
export function nextOf(list, now) {
  const at = list.findIndex(({ id }) => id === now.id);
  const later = [...list.slice(at + 1), ...list.slice(0, Math.max(at, 0))];
  const wanted = later.filter(isWanted);
  const { solved } = progress.value;
  return (wanted.find(({ id }) => !(id in solved)) ?? wanted[0] ?? later[0] ?? now).id;
}

/** Takes another choice, and goes to a puzzle that fits it. @param {Chosen} choice @param {Puzzle} puzzle */
async function choose(choice, puzzle) {
  chosen.value = choice;
  save("puzzles.chosen", choice);
  const isOtherGame = choice.spec !== puzzle.game;
  if (isOtherGame ? puzzle.date : isWanted(puzzle)) return;    // each game has a puzzle of the day, which is shown then
  const { puzzles } = await listOf(choice.spec);
  if (isOtherGame || puzzles.some(isWanted)) go(`/puzzles/${nextOf(puzzles, puzzle)}`);
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
  const list = useList(puzzle.game);
  const problem = useSignal("");
  const games = list?.games ?? [{ spec: puzzle.game, title: puzzle.title, count: 0 }];
  const kinds = Object.fromEntries((list?.kinds ?? []).map(({ name, label }) => [name, t(label)]));
  const change = (/** @type {Partial<Chosen>} */ part) => choose({ ...choice, spec: puzzle.game, ...part }, puzzle)
    .catch((error) => { problem.value = sentenceOf(error); });
  const solved = (list?.puzzles ?? []).filter(({ id }) => id in progress.value.solved).length;
  return html`<section class="puzzle-choices" aria-label=${t("Choose puzzles")}>
    <div class="puzzle-fields">
      <${Select} label=${t("Variant")} value=${puzzle.game} onChange=${(/** @type {string} */ spec) => change({ spec })}
        options=${Object.fromEntries(games.map((game) => [game.spec, t(game.title)]))} />
      <${Select} label=${t("Kind")} value=${choice.kind} options=${{ "": t("All"), ...kinds }}
        onChange=${(/** @type {string} */ kind) => change({ kind })} />
      <${Select} label=${t("Grade")} value=${choice.grade} onChange=${(/** @type {string} */ grade) => change({ grade })}>
        <option value="">${t("All")}</option>${(list?.grades ?? []).map((grade) => html`<option key=${grade} value=${String(grade)}>${number(grade)}</option>`)}<//>
    </div>
    ${list && !list.puzzles.some(isWanted) && html`<p class="small soft">${t("No puzzle here is of this kind and grade.")}</p>`}
    ${!puzzle.date && html`<p><a class="puzzle-daily" href="/puzzles">${t("Puzzle of the day")}</a></p>`}
    <${Alert} text=${problem.value} />
    <${Figures} count=${list?.total ?? 0} solved=${solved} />
  </section>`;
}
