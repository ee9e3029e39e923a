/** What this browser has solved: which puzzles, how many in a row, and on how many days in a row. */
import { signal } from "../../app/html.js";
import { load, save } from "../../app/storage.js";

/**
 * Solved puzzles by their names, with whether the first try was right; right ones in a row now and at best; the last day
 * whose puzzle was solved, as a date of UTC, and how many days in a row it was.
 * @typedef {{solved: Record<string, boolean>, row: number, best: number, day: string, days: number}} Progress
 */

/** @type {Progress} */
const NOTHING = { solved: {}, row: 0, best: 0, day: "", days: 0 };
/** Milliseconds of a day. */
const DAY = 86_400_000;

/** @type {(found: unknown) => number} */
const count = (found) => (Number.isInteger(found) && Number(found) > 0 ? Number(found) : 0);

/** What is stored, as far as it makes sense. @returns {Progress} */
function read() {
  const found = load("puzzles");
  if (typeof found !== "object" || found === null) return NOTHING;
  const { solved, row, best, day, days } = found;
  return {
    solved: typeof solved === "object" && solved !== null ? solved : {},
    row: count(row), best: count(best), days: count(days), day: typeof day === "string" ? day : "",
  };
}

/** What has been solved so far. */
export const progress = signal(read());
addEventListener("storage", (event) => { if (event.key === "polyversi.puzzles") progress.value = read(); });

/** @param {Partial<Progress>} changes */
function change(changes) {
  progress.value = { ...read(), ...changes };
  save("puzzles", progress.value);
}

/** Today by the calendar of UTC, which the puzzle of the day goes by. @param {number} [before] days ago */
const today = (before = 0) => new Date(Date.now() - before * DAY).toISOString().slice(0, 10);

/** On how many days in a row the puzzle of the day was solved, up to today or yesterday. */
export function daysInRow() {
  const { day, days } = progress.value;
  return day === today() || day === today(1) ? days : 0;
}

/** A wrong try, or a look at the solution: the row of right ones ends, unless the puzzle was solved before. @param {string} id */
export function noteMistake(id) {
  if (!(id in progress.value.solved)) change({ row: 0 });
}

/**
 * A puzzle was solved; with a date it was the puzzle of that day.
 * @param {string} id
 * @param {boolean} isFirstTry
 * @param {string} [date]
 */
export function noteSolved(id, isFirstTry, date) {
  const { solved, row, best, day } = read();
  if (!(id in solved)) {
    const now = isFirstTry ? row + 1 : 0;
    change({ solved: { ...solved, [id]: isFirstTry }, row: now, best: Math.max(best, now) });
  }
  if (date === today() && day !== date) change({ day: date, days: daysInRow() + 1 });
}
