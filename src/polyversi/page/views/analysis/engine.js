/** The engine on the server: what the moves of a position are worth, reviews of games, and proofs. */
import { Connection } from "../../app/connection.js";
import { asSentence } from "../../app/api.js";
import { batch, effect, signal } from "../../app/html.js";
import { load, save } from "../../app/storage.js";

/** @import { ReadonlySignal, Signal } from "../../app/html.js" */
/** @import { Node } from "./nodes.js" */

/** @import { FromAnalysis, MoveWorth, ProofProgress, ReviewProgress, Values } from "../../app/messages.js" */
/** @typedef {MoveWorth} MoveValue a move with its value for the seat to move; in points, with those of every seat */
/** @typedef {Omit<ReviewProgress, "type"|"id">} Review a game reviewed, or as much of it as is done */
/** @typedef {ProofProgress} Proof what is proved of each first move: its value lies within these bounds */
/** @typedef {{spec: string, map: string}} Game */

/**
 * Who hears what the engine says; until somebody does, nobody.
 * @typedef {{opened: () => void, received: (message: FromAnalysis) => void}} Listener
 *
 * A connection that is made before anybody knows what is to be analysed.
 * @typedef {{connection: Connection<FromAnalysis>, listener: Listener}} Link
 */

/** Connects with the engine. @returns {Link} */
export function connect() {
  const listener = { opened: () => {}, received: (/** @type {FromAnalysis} */ _) => {} };
  const connection = new Connection("/api/analysis/socket", {
    opened: () => listener.opened(), received: (/** @type {FromAnalysis} */ message) => listener.received(message),
  });
  connection.open();
  return { connection, listener };
}

/** Positions whose values are kept. */
const KEPT = 2000;

/** Whether the engine is on, which is remembered. */
export const isOn = signal(load("engine") !== false);
effect(() => { if ((load("engine") !== false) !== isOn.value) save("engine", isOn.value); });

export class Engine {
  /**
   * Looks at whatever node is current.
   * @param {Link} link
   * @param {Game} game
   * @param {ReadonlySignal<Node>} current
   */
  constructor({ connection, listener }, game, current) {
    this._game = game;
    this._current = current;
    /** What is known, by the line of the position. @type {Map<string, Values>} */
    this._known = new Map();
    /** Goes up when something was learned. */
    this.version = signal(0);
    /** Why the game cannot be judged, as a sentence. */
    this.unable = signal("");
    /** The review of the game, as far as it has come. @type {Signal<Review|null>} */
    this.review = signal(null);
    /** The number of the review that is under way, or 0. */
    this.reviewing = signal(0);
    this.reviewProblem = signal("");
    /** The proof that is shown, and of which position. @type {Signal<{node: Node, found: Proof|null, problem: string, isRunning: boolean}|null>} */
    this.proof = signal(null);
    /** What went wrong with the connection, as a sentence. */
    this.problem = signal("");
    this._number = 0;
    /** The positions that were asked for, by number. @type {Map<number, string>} */
    this._asked = new Map();
    /** What is proved and reviewed, to be asked for again. @type {{id: number, [field: string]: any}|null} */
    this._proving = null;
    /** @type {object|null} */
    this._reviewed = null;
    this.connection = connection;
    listener.opened = () => this._resume();
    listener.received = (message) => batch(() => this._receive(message));
    this._stop = effect(() => this._look(current.value, isOn.value));
  }

  /** What is known of a position, or null. @param {Node} node */
  valuesOf(node) {
    return this.version.value >= 0 ? this._known.get(node.position) ?? null : null;
  }

  /** Starts the review of a stored game or of a record. @param {{game?: string, record?: string}} what */
  startReview(what) {
    this.reviewProblem.value = "";
    this.reviewing.value = ++this._number;
    this._reviewed = { type: "review", id: this._number, ...what };
    this.connection.send(this._reviewed);
  }

  /** Stops it; what is there stays. */
  stopReview() {
    this.connection.send({ type: "stop_review", id: this.reviewing.value });
    this.reviewing.value = 0;
    this._reviewed = null;
  }

  /** Begins to prove the position of a node. @param {Node} node */
  prove(node) {
    this._proving = { type: "prove", id: ++this._number, ...this._game, position: node.position };
    this.proof.value = { node, found: null, problem: "", isRunning: true };
    this.connection.send(this._proving);
  }

  /** Ends a proof that is under way; the bounds found so far stay. */
  stopProof() {
    this._proving = null;
    if (this.proof.value) this.proof.value = { ...this.proof.value, isRunning: false };
    this.connection.send({ type: "stop_proof" });
  }

  close() {
    this._stop();
    this.connection.close();
  }

  /** Asks for the values of a node, unless all is known that will be. @type {(node: Node, isWanted: boolean) => void} */
  _look(node, isWanted) {
    const known = this._known.get(node.position);
    if (!isWanted || !node.position || node.over || known?.done) {
      if (this._asked.size) this.connection.send({ type: "rest" });
      this._asked.clear();
      return;
    }
    const id = ++this._number;
    this._asked.set(id, node.position);
    this.connection.send({ type: "look", id, ...this._game, position: node.position });
  }

  /** The connection is there, or there again. */
  _resume() {
    this.problem.value = "";
    for (const message of [this._reviewed, this._proving]) if (message) this.connection.send(message);
    this._look(this._current.peek(), isOn.peek());
  }

  /** @param {FromAnalysis} message */
  _receive(message) {
    switch (message.type) {
      case "values":
        this._learn(this._asked.get(message.id) ?? "", message);
        break;
      case "review":
        if (message.id !== this.reviewing.value) return;
        this.review.value = message;
        if (message.done < message.plies && !message.stopped) return;
        this.reviewing.value = 0;
        this._reviewed = null;
        break;
      case "proof":
        if (message.id !== this._proving?.id || !this.proof.value) return;
        this.proof.value = { ...this.proof.value, found: message, isRunning: !message.done };
        if (message.done) this._proving = null;
        break;
      case "unable":
        this._unable(message.id, asSentence(message.problem));
        break;
      case "error":
        this.problem.value = asSentence(message.sentence);
    }
  }

  /** @type {(position: string, values: Values) => void} */
  _learn(position, values) {
    if (!position) return;
    const known = this._known.get(position);
    // A server that begins anew knows less at first than what was seen before.
    if (known && !values.moves.length) return;
    if (values.moves.length) this.unable.value = "";
    this._known.delete(position);
    this._known.set(position, values);
    const [oldest] = this._known.keys();
    if (this._known.size > KEPT) this._known.delete(oldest);
    this.version.value += 1;
  }

  /** @type {(id: number, problem: string) => void} */
  _unable(id, problem) {
    if (id === this.reviewing.value) {
      this.reviewProblem.value = problem;
      this.reviewing.value = 0;
      this._reviewed = null;
    } else if (id === this._proving?.id && this.proof.value) {
      this.proof.value = { ...this.proof.value, problem, isRunning: false };
      this._proving = null;
    } else if (this._asked.has(id)) this.unable.value = problem;
  }
}
