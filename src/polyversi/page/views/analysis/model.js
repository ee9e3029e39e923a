/** The model of an analysis: the tree, where one is in it, what the engine says, and what is tried again. */
import { announce } from "../../app/announcer.js";
import { get, post, sentenceOf } from "../../app/api.js";
import { computed, effect, signal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { cellOf, parsePosition } from "../../app/position.js";
import { Engine, isOn } from "./engine.js";
import { Node, recordOf, treeOf } from "./nodes.js";
import { certainty, figure, moveWords, openingOf, shortMove } from "./text.js";

/** @import { Description } from "../../app/types.js" */
/** @import { ReadonlySignal, Signal } from "../../app/html.js" */
/** @import { Position } from "../../app/position.js" */
/** @import { Link, MoveValue } from "./engine.js" */
/** @import { Values } from "../../app/messages.js" */
/** @import { Ply, RecordData } from "./nodes.js" */

/**
 * What an analysis begins with.
 * @typedef {object} Source
 * @property {RecordData} record
 * @property {Description} description
 * @property {Ply[]} plies the positions of the main line
 * @property {string} game the id of the stored game, or an empty text
 * @property {string} study the id of the study, or an empty text
 * @property {number} ply where to begin; Infinity is the end
 *
 * What the board shows instead of the current position.
 * @typedef {object} Look
 * @property {Position} position
 * @property {number|null} last
 * @property {number[]} turned
 *
 * A move that is to be found.
 * @typedef {{node: Node, tried: string, isRight: boolean|null, loss: number}} Trial
 */

/** A move counts as found if it loses less than this many stones, where a review says nothing else. */
const RIGHT = 3;

export class AnalysisModel {
  /** @param {Source} source @param {Link} link */
  constructor({ record, description, plies, game, study, ply }, link) {
    /** What is played: a specification, or the text of a map of one's own. */
    this.game = { spec: record.map ? "" : record.game, map: record.map ?? "" };
    this.description = description;
    this.gameId = game;
    this.study = study;
    /** Everything of the record but its moves. */
    this.header = record;
    this.root = treeOf(record);
    /** Goes up with every change of the tree. */
    this.version = signal(0);
    /** Goes up with every change of the tree that is worth saving. */
    this.changes = signal(0);
    for (const [at, node] of this.root.line().entries()) if (plies[at]) node.learn(plies[at]);
    const main = this.root.line();
    /** Where one is: the position is always known. */
    this.current = signal(main[Math.min(ply, main.length - 1)]);
    /** What the board shows for the moment: a move under way, or a line that is pointed at. @type {Signal<Look|null>} */
    this.preview = signal(null);
    /** The move whose value for every seat is shown. */
    this.pointed = signal("");
    this.problem = signal("");
    /** What is to be found again, or null. @type {Signal<Trial|null>} */
    this.trial = signal(null);
    /** Whether the engine is on, for every analysis in this browser. */
    this.isOn = isOn;
    /** Positions that were asked for, by the line before them and the moves. @type {Map<string, Promise<Ply[]>>} */
    this._requests = new Map();
    /** @type {Map<string, Position>} */
    this._parsed = new Map();
    this._wanted = 0;
    /** The node whose best move was announced last. @type {Node|null} */
    this._told = null;
    this.engine = new Engine(link, this.game, this.current);
    /** What is known of the current position. @type {ReadonlySignal<Values|null>} */
    this.values = computed(() => this.engine.valuesOf(this.current.value));
    /** The line through the current node, to its end. @type {ReadonlySignal<Node[]>} */
    this.line = computed(() => {
      const at = this.current.value;
      this.watch();
      return [...at.path(), ...at.line().slice(1)];
    });
    const stopMarking = effect(() => this._mark());
    const stopJudging = effect(() => this._judge());
    const stopTelling = effect(() => this._tell());
    this.close = () => {
      for (const stop of [stopMarking, stopJudging, stopTelling]) stop();
      this.engine.close();
    };
    this._completeAll();
    if (game) get(`/api/reviews/${game}`).then((found) => { if (found && !this.engine.review.value) this.engine.review.value = found; }, () => {});
  }

  /** Has whatever is rendered with nodes rendered again when the tree changes. */
  watch() {
    return this.version.value;
  }

  /** The names of the players, as they were written down. */
  get players() {
    return this.header.players ?? [];
  }

  /** What lies on the board in a position. @param {Node} node @returns {Position} */
  positionOf(node) {
    const found = this._parsed.get(node.position) ?? parsePosition(this.description, node.position);
    this._parsed.set(node.position, found);
    return found;
  }

  /** Goes to a node. @param {Node|undefined|null} node */
  async go(node) {
    if (!node) return;
    const wanted = ++this._wanted;
    this.preview.value = null;
    if (!node.position && !await this._complete(node)) return;
    if (wanted !== this._wanted) return;
    if (this.trial.value && this.trial.value.node !== node) this.trial.value = null;
    this.current.value = node;
    announce(() => [node.move ? moveWords(this, node) : t("The start"), openingOf(node)].filter(Boolean).join(". "));
  }

  /** Goes to a ply of the line that is shown. @param {number} ply */
  goTo(ply) {
    const line = this.line.value;
    return this.go(line[Math.max(0, Math.min(ply, line.length - 1))]);
  }

  /** The sibling before (-1) or after (1), of this node or of the nearest one before it that has some. @param {number} step */
  goBeside(step) {
    const node = this.current.value.path().findLast(({ parent }) => (parent?.children.length ?? 0) > 1);
    if (!node?.parent) return undefined;
    const { children } = node.parent;
    return this.go(children[(children.indexOf(node) + step + children.length) % children.length]);
  }

  /** Tries a move: goes to the node after it, which is a new one if the move was not there yet. @param {string} move */
  async play(move) {
    const from = this.current.value;
    if (this.trial.value?.node === from && this.trial.value.isRight !== true) {
      this.trial.value = { node: from, tried: move, isRight: null, loss: 0 };
      return;
    }
    const known = from.child(move);
    if (known) {
      await this.go(known);
      return;
    }
    this._showAtOnce(from, move);
    const node = from.add(move);
    const wanted = ++this._wanted;
    if (!await this._complete(node)) {
      node.remove();
      this.preview.value = null;
      return;
    }
    this._changed();
    if (wanted === this._wanted) await this.go(node);
    const [only, ...others] = node.legal;
    const isForced = only && !others.length && only[1] < 0 && this.description.passing === "forced";
    if (isForced && this.current.value === node) await this.play(only[0]);
  }

  /** Plays several moves from the current position, one after the other. @param {string[]} moves */
  async playAll(moves) {
    for (const move of moves) {
      const before = this.current.value;
      const isThere = before.legal.some(([text]) => text === move);
      if (isThere) await this.play(move);
    }
  }

  /** Changes the tree in some way. @param {() => void} change */
  edit(change) {
    change();
    this._changed();
  }

  /** Takes a node and what follows out of the tree. @param {Node} node */
  async remove(node) {
    if (!node.parent) return;
    if (this.current.value.path().includes(node)) await this.go(node.parent);
    this.edit(() => node.remove());
  }

  /** The tree as a line of JSON, with or without its variations. */
  record(isMainOnly = false) {
    const found = recordOf({ ...this.header, start: this.root.position }, this.root);
    return JSON.stringify(isMainOnly ? { ...found, variations: undefined, outcome: undefined } : found);
  }

  /** The positions after moves from a node; the first is that of the node. @type {(node: Node, moves: string[]) => Promise<Ply[]>} */
  positions(node, moves) {
    const key = `${node.position} ${moves.join(" ")}`;
    const found = this._requests.get(key) ?? post("/api/analysis/positions", { ...this.game, start: node.position, moves })
      .then((answer) => answer.plies);
    this._requests.set(key, found);
    found.catch(() => this._requests.delete(key));
    return found;
  }

  /** Shows the position after some moves for as long as they are pointed at. @param {string[]} moves */
  async show(moves) {
    const node = this.current.value;
    const wanted = ++this._wanted;
    if (!moves.length) {
      this.preview.value = null;
      return;
    }
    const plies = await this.positions(node, moves).catch(() => []);
    const ply = plies.at(-1);
    if (!ply || wanted !== this._wanted || this.current.value !== node) return;
    const cell = cellOf(this.description, moves.at(-1) ?? "");
    this.preview.value = {
      position: parsePosition(this.description, ply.position), last: cell < 0 ? null : cell, turned: ply.turned,
    };
  }

  /** Reviews the main line, on the server and for all who look at the same game. */
  startReview() {
    const isAsStored = this.gameId && !this.changes.value;
    this.engine.startReview(isAsStored ? { game: this.gameId } : { record: this.record(true) });
  }

  /** The moves of the main line that a review marks. */
  get mistakes() {
    this.watch();
    return this.root.line().filter(({ reviewed }) => reviewed?.mark);
  }

  /** Goes to the next marked move, or to the one before. @param {1|-1} step */
  goToMistake(step) {
    const ply = this.current.value.ply;
    const found = step > 0
      ? this.mistakes.find((node) => node.ply > ply)
      : this.mistakes.findLast((node) => node.ply < ply);
    return this.go(found);
  }

  /** Lets the visitor find a better move than the one that led to a node. @param {Node} node */
  async tryAgain(node) {
    if (!node.parent) return;
    await this.go(node.parent);
    this.isOn.value = true;
    this.trial.value = { node: node.parent, tried: "", isRight: null, loss: 0 };
    announce(t("Find a better move than {move}", { move: node.move }));
  }

  /** Judges the move that was tried as soon as its value is known. */
  _judge() {
    const trial = this.trial.value;
    if (!trial?.tried || trial.isRight !== null) return;
    const moves = this.engine.valuesOf(trial.node)?.moves ?? [];
    const tried = moves.find(({ move }) => move === trial.tried);
    if (!tried) return;
    const loss = moves[0].value - tried.value;
    const isRight = loss < (this.engine.review.value?.thresholds[0] ?? RIGHT);
    this.trial.value = { ...trial, isRight, loss };
    announce(isRight ? t("{move} is right", { move: tried.move }) : t("{move} is not the move", { move: tried.move }));
  }

  /** Announces the best move once no better one will be found. */
  _tell() {
    const values = this.values.value;
    const [best] = values?.moves ?? [];
    const node = this.current.peek();
    if (!values?.done || !best || !this.isOn.value || this.trial.value || this._told === node) return;
    this._told = node;
    announce(t("Best: {move}, {value}, {certainty}", {
      move: shortMove(best.move), value: figure(best.value, values.unit), certainty: certainty(best) }));
  }

  /** Hands what a review says to the moves it is about. */
  _mark() {
    const review = this.engine.review.value;
    if (!review) return;
    const line = this.root.line();
    for (const found of review.moves) {
      const node = line[found.ply];
      if (node?.move === found.move) node.reviewed = found;
    }
    this.version.value = this.version.peek() + 1;
  }

  _changed() {
    this.version.value += 1;
    this.changes.value += 1;
  }

  /** Shows a move before the server has confirmed it, unless it needs rules. @type {(from: Node, move: string) => void} */
  _showAtOnce(from, move) {
    const legal = from.legal.find(([text]) => text === move);
    const before = this.positionOf(from);
    if (!legal?.[3] || legal[1] < 0 || legal[2] || from.phase === "bomb" || before.tiles[legal[1]] !== 0) return;
    const tiles = [...before.tiles];
    for (const cell of [legal[1], ...legal[3]]) tiles[cell] = from.turn;
    this.preview.value = { position: { ...before, tiles }, last: legal[1], turned: legal[3] };
  }

  /** Learns the positions up to a node and on to the end of its line; returns whether that worked. @param {Node} node */
  async _complete(node) {
    const path = node.path();
    const known = path.findLast(({ position }) => position);
    if (!known) return false;
    const unknown = [...path.slice(path.indexOf(known) + 1), ...node.line().slice(1)];
    try {
      const plies = await this.positions(known, unknown.map(({ move }) => move));
      for (const [at, one] of unknown.entries()) one.learn(plies[at + 1]);
      this.version.value += 1;
      return true;
    } catch (error) {
      this.problem.value = sentenceOf(error);
      return false;
    }
  }

  /** Learns the positions of all variations, one line after the other. */
  async _completeAll() {
    const waiting = [this.root];
    for (const node of waiting) {
      if (!node.position && !await this._complete(node)) return;
      waiting.push(...node.children);
    }
  }
}

/** The value of a move in what is known of a position. @type {(values: Values|null, move: string) => MoveValue|undefined} */
export const valueOf = (values, move) => values?.moves.find((one) => one.move === move);
