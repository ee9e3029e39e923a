/** The puzzles view: the puzzle of the day or any other, on a board on which a move is tried. */
import { announce } from "../../app/announcer.js";
import { get, Problem, sentenceOf } from "../../app/api.js";
import { isTyping, useTitle } from "../../app/dom.js";
import { html, useEffect, useMemo, useRef, useSignal, useSignalEffect } from "../../app/html.js";
import { date, number, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { Icon } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { Steps } from "../../components/replay.js";
import { RulesButton } from "../../components/rules.js";
import { PuzzleBoard } from "./board.js";
import { Choices, chosen, listOf, nextOf } from "./choices.js";
import { PuzzleModel } from "./model.js";
import { moveName, seatName, signed, verdict } from "./text.js";

/** @import { Description, Puzzle } from "../../app/types.js" */
/** @import { Board } from "../../board/board.js" */

/** The boards of games that were shown already. @type {Map<string, Promise<Description>>} */
const boards = new Map();

/** @param {string} spec @returns {Promise<Description>} */
function boardOf(spec) {
  const board = boards.get(spec) ?? get(`/api/board?spec=${encodeURIComponent(spec)}`);
  boards.set(spec, board);
  board.catch(() => boards.delete(spec));
  return board;
}

/** A puzzle by its name, or that of the day, with its board. @param {string} id */
function usePuzzle(id) {
  const found = useSignal(/** @type {{puzzle: Puzzle, description: Description}|null} */ (null));
  const problem = useSignal("");
  const spec = chosen.value.spec;
  const path = id ? `/api/puzzles/${encodeURIComponent(id)}` : `/api/puzzles/daily?spec=${encodeURIComponent(spec)}`;
  useEffect(() => {
    const stop = new AbortController();
    const load = async () => {
      const puzzle = /** @type {Puzzle} */ (await get(path, stop.signal));
      const description = await boardOf(puzzle.game);
      if (!stop.signal.aborted) found.value = { puzzle, description };
    };
    load().catch((error) => {
      if (stop.signal.aborted) return;
      // What was chosen once may have no puzzles any more.
      if (!id && spec && error instanceof Problem && error.status === 400) chosen.value = { ...chosen.value, spec: "" };
      else problem.value = sentenceOf(error);
    });
    return () => stop.abort();
  }, [path]);
  return { ...found.value, problem: problem.value };
}

/** How hard it is, as dots and in words. @param {{grade: number}} props */
function Grade({ grade }) {
  const words = t("Grade {grade} of {highest}", { grade: number(grade), highest: number(5) });
  return html`<span class="puzzle-grade"><span aria-hidden="true">${"●".repeat(grade)}${"○".repeat(5 - grade)}</span>
    <span class="visually-hidden">${words}</span></span>`;
}

/** @param {{puzzle: Puzzle, description: Description}} props */
function Task({ puzzle, description }) {
  const day = puzzle.date && date(`${puzzle.date}T00:00Z`, { dateStyle: "medium", timeZone: "UTC" });
  const title = puzzle.date ? t("Puzzle of the day") : t("Puzzle");
  useTitle(`${title}, ${t(puzzle.title)}`);
  return html`<header class="puzzle-task">
    <div class="row apart"><h1>${title}</h1><${RulesButton} spec=${puzzle.game} look="quiet" /></div>
    <p class="puzzle-facts small soft">${day && html`<span>${day}</span>`}<span>${t(puzzle.title)}</span>
      <span>${t(puzzle.kind_label)}</span><${Grade} grade=${puzzle.grade} /></p>
    <p class="puzzle-sentence">${t(puzzle.task, { seat: seatName(description, puzzle.seat) })}</p>
  </header>`;
}

/** What all moves of a step are worth, once that is no secret any more. @param {{model: PuzzleModel}} props */
function Values({ model }) {
  const { steps, kind } = model.puzzle;
  if (!model.isOver.value) return null;
  const step = [...steps].reverse().find(({ ply }) => ply <= model.viewedPly.value) ?? steps[0];
  return html`<section class="puzzle-values" aria-label=${t("Exact values")}>
    <p class="small soft">${kind === "wipeout"
      ? t("Exact values of all moves; empty cells count for the winner")
      : t("Exact values of all moves")}</p>
    <ul>${step.answers.map(({ move, value }, at) => html`<li key=${move} class=${at ? "" : "right"}>
      <span>${moveName(move)}</span> <strong class="number">${signed(value)}</strong></li>`)}</ul>
  </section>`;
}

/** @param {{model: PuzzleModel, description: Description, onNext: () => void}} props */
function Answer({ model, description, onNext }) {
  const { puzzle } = model;
  const phase = model.phase.value;
  const pass = model.choices.value.find(({ cell }) => cell < 0);
  const text = verdict(model, description);
  const analysis = `/analysis?${new URLSearchParams({ spec: puzzle.game, position: model.position.value })}`;
  return html`<div class="puzzle-answer">
    <p class=${`puzzle-verdict ${phase}`}>${text || (puzzle.moves > 1
      ? t("Find the move; more of them follow.") : t("Find the move."))}</p>
    <div class="row">
      ${phase === "wrong" && html`<button type="button" class="button primary" onClick=${() => model.retry()}>
        <${Icon} name="again" />${t("Try again")}</button>`}
      ${pass && html`<button type="button" class="button" onClick=${() => model.try(pass)}>${t("Pass")}</button>`}
      ${!model.isOver.value && html`<button type="button" class="button" disabled=${phase === "moving"}
        onClick=${() => model.reveal()}><${Icon} name="bulb" />${t("Show the solution")}</button>`}
      <button type="button" class=${`button ${model.isOver.value ? "primary" : ""}`} onClick=${onNext}>
        <${Icon} name="skip" />${t("Next puzzle")}</button>
    </div>
    ${model.isOver.value && html`<div class="row apart"><${Steps} model=${model} />
      <a class="button" href=${analysis}><${Icon} name="graph" />${t("Analyse")}</a></div>`}
    <${Values} model=${model} />
  </div>`;
}

/** Keys that do something wherever the focus is. @type {(model: PuzzleModel, board: {current: Board|null}, onNext: () => void) => void} */
function useKeys(model, board, onNext) {
  useEffect(() => {
    const stop = new AbortController();
    /** @type {Record<string, () => void>} */
    const keys = {
      b: () => board.current?.focus(),
      n: onNext,
      r: () => { model.retry(); board.current?.focus(); },
    };
    addEventListener("keydown", (event) => {
      const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event);
      const act = keys[event.key.toLowerCase()];
      if (isElsewhere || !act || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      act();
    }, { signal: stop.signal });
    return () => stop.abort();
  }, [model]);
}

/** @param {{puzzle: Puzzle, description: Description}} props */
function Solving({ puzzle, description }) {
  const model = useMemo(() => new PuzzleModel(puzzle), [puzzle]);
  const board = useRef(/** @type {Board|null} */ (null));
  const problem = useSignal("");
  const next = async () => {
    try {
      const { puzzles } = await listOf(puzzle.game);
      go(`/puzzles/${nextOf(puzzles, puzzle)}`);
    } catch (error) {
      problem.value = sentenceOf(error);
    }
  };
  useEffect(() => () => model.close(), [model]);
  useKeys(model, board, next);
  useSignalEffect(() => announce(verdict(model, description)));
  return html`<div class="puzzles">
    <${Task} puzzle=${puzzle} description=${description} />
    <${PuzzleBoard} model=${model} description=${description} board=${board} />
    <${Answer} model=${model} description=${description} onNext=${next} />
    <div class="puzzle-choose"><${Alert} text=${problem.value} /><${Choices} puzzle=${puzzle} /></div>
  </div>`;
}

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const { puzzle, description, problem } = usePuzzle(params.id);
  if (puzzle && description) return html`<${Solving} key=${puzzle.id} puzzle=${puzzle} description=${description} />`;
  return html`<div class="page stack"><h1>${t("Puzzles")}</h1>
    ${problem
      ? html`<${Alert} text=${problem} /><p><a class="button primary" href="/puzzles">${t("Puzzle of the day")}</a></p>`
      : html`<p class="soft loading">${common.loading}</p>`}</div>`;
}
