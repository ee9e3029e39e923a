/** The model of one puzzle: which move is to be found, what was tried, and which position is shown. */
import { computed, signal } from "../../app/html.js";
import { paceGap } from "../../app/pace.js";
import { noteMistake, noteSolved } from "./progress.js";

/** @import { Puzzle, PuzzleAnswer, PuzzleMove } from "../../app/types.js" */
/** @import { ReadonlySignal, Signal } from "../../app/html.js" */

/** Milliseconds that a position of the solution is shown, at least where moves are shown at a pace at all. */
const POSITION = 900;

export class PuzzleModel {
  /** @param {Puzzle} puzzle */
  constructor(puzzle) {
    this.puzzle = puzzle;
    /** Which of the moves to be found is due. */
    this.step = signal(0);
    /**
     * "asking" for a move; "moving" while a right one is answered; "wrong"; "solved", or "shown" to whoever gave up.
     * @type {Signal<"asking"|"moving"|"wrong"|"solved"|"shown">}
     */
    this.phase = signal("asking");
    /** The wrong moves that were tried at this step. @type {Signal<PuzzleAnswer[]>} */
    this.tried = signal([]);
    /** The wrong move on the board, and perhaps the reply to it. @type {Signal<{answer: PuzzleAnswer, hasReply: boolean}|null>} */
    this.aside = signal(null);
    /** How many moves of the line are shown; with `plies` and `goTo` what the buttons for single steps need. */
    this.viewedPly = signal(0);
    this.plies = signal(puzzle.line);
    /** Whether the puzzle is over: all values are known. */
    this.isOver = computed(() => this.phase.value === "solved" || this.phase.value === "shown");
    /** The move on the board and the position it led to; null at the start. @type {ReadonlySignal<PuzzleMove|null>} */
    this.last = computed(() => {
      const aside = this.aside.value;
      if (aside) return aside.hasReply && aside.answer.reply ? aside.answer.reply : aside.answer;
      return puzzle.line[this.viewedPly.value - 1] ?? null;
    });
    /** The position on the board. */
    this.position = computed(() => this.last.value?.position ?? puzzle.steps[0].position);
    /** The moves that can be tried now. @type {ReadonlySignal<PuzzleAnswer[]>} */
    this.choices = computed(() => (this.phase.value === "asking" ? puzzle.steps[this.step.value].answers : []));
    this._isClean = true;
    this._timer = 0;
  }

  /** Stops what goes on by itself. */
  close() {
    clearTimeout(this._timer);
  }

  /** Tries a move. @param {PuzzleAnswer} answer */
  try(answer) {
    if (!this.choices.value.includes(answer)) return;
    const { steps } = this.puzzle;
    const step = steps[this.step.value];
    if (answer !== step.answers[0]) {
      this._fail();
      this.tried.value = [...this.tried.value, answer];
      this.aside.value = { answer, hasReply: false };
      this.phase.value = "wrong";
      this._later(() => { this.aside.value = { answer, hasReply: true }; });
      return;
    }
    this.viewedPly.value = step.ply + 1;
    const next = steps[this.step.value + 1];
    if (next) {
      this.phase.value = "moving";
      this._playTo(next.ply, () => {
        this.step.value += 1;
        this.tried.value = [];
        this.phase.value = "asking";
      });
    } else {
      this.phase.value = "solved";
      noteSolved(this.puzzle.id, this._isClean, this.puzzle.date);
    }
  }

  /** Takes a wrong move back. */
  retry() {
    if (this.phase.value !== "wrong") return;
    this.close();
    this.aside.value = null;
    this.phase.value = "asking";
  }

  /** Plays the solution to the end of the game. */
  reveal() {
    if (this.isOver.value) return;
    this._fail();
    this.close();
    this.aside.value = null;
    this.viewedPly.value = this.puzzle.steps[this.step.value].ply;
    this.phase.value = "shown";
    this._playTo(this.puzzle.line.length);
  }

  /** Shows another position of the line, once the puzzle is over. @param {number} ply */
  goTo(ply) {
    this.close();
    this.viewedPly.value = Math.min(Math.max(ply, 0), this.puzzle.line.length);
  }

  _fail() {
    this._isClean = false;
    noteMistake(this.puzzle.id);
  }

  /** Plays the moves of the line one after the other. @param {number} ply @param {() => void} [then] */
  _playTo(ply, then) {
    if (this.viewedPly.value >= ply) then?.();
    else {
      this._later(() => {
        this.viewedPly.value += 1;
        this._playTo(ply, then);
      });
    }
  }

  /** @param {() => void} act */
  _later(act) {
    const gap = paceGap(false);
    if (gap) this._timer = window.setTimeout(act, Math.max(gap, POSITION));
    else act();
  }
}
