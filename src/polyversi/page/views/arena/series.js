/** One series as the server reports it: a signal that follows its rounds, and the controls for its owner. */
import { asSentence, post } from "../../app/api.js";
import { Connection } from "../../app/connection.js";
import { signal } from "../../app/html.js";
import { load, save } from "../../app/storage.js";

/**
 * @typedef {"ready"|"running"|"paused"|"stopped"|"over"} Phase
 * @typedef {object} Rounds
 * @property {string} id
 * @property {string} spec
 * @property {string} title
 * @property {[string, string]} players the player chosen for X and the one for Y
 * @property {Phase} phase
 * @property {number} round the current round, from 1; 0 before the first
 * @property {number} rounds
 * @property {boolean} tournament
 * @property {number} delay seconds between two moves
 * @property {number} next_delay seconds from the next round on
 * @property {[number, number]} seats which of the two players has seat 1, and which seat 2
 * @property {[number, number]} wins by player
 * @property {[number, number]} stones by player
 * @property {number} draws
 * @property {0|1|"draw"|null} winner
 * @property {string|null} game the running game
 * @property {string[]} games the games of the rounds so far
 *
 * @typedef {(Rounds & {type: "rounds"}) | {type: "error", sentence: string}} SeriesMessage
 * @typedef {{do?: "start"|"pause"|"step"|"stop"|null, delay?: number|null, next_delay?: number|null}} Control
 * @typedef {{spec: string, players: [string, string], delay: number, next_delay: number, rounds: number, tournament: boolean}} Setup
 */

/** The name under which this browser keeps the right to control an arena. @param {string} id */
const tokenKey = (id) => `arena.${id}`;

/**
 * Sets up an arena that waits before its first round; its id.
 * @param {Setup} setup
 * @returns {Promise<string>}
 */
export async function createSeries(setup) {
  const { arena, token } = await post("/api/arena", setup);
  save(tokenKey(arena), token);
  return arena;
}

/** Follows one arena until it is closed. */
export class Series {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.token = /** @type {string} */ (load(tokenKey(id)) ?? "");
    /** The latest state from the server. */
    this.rounds = signal(/** @type {Rounds | null} */ (null));
    /** What the server refused, in a sentence. */
    this.problem = signal("");
    /** What is to be sent as soon as there is a connection. @type {Control[]} */
    this._waiting = [];
    this.connection = new Connection(`/api/arena/${encodeURIComponent(id)}/socket`, {
      opened: () => this._waiting.splice(0).forEach((control) => this.control(control)),
      received: (/** @type {SeriesMessage} */ message) => this._receive(message),
    });
    this.connection.open();
  }

  /** Whether this browser may control it. */
  get isMine() {
    return this.token !== "";
  }

  /** @param {Control} control */
  control(control) {
    if (!this.connection.send({ type: "control", token: this.token, ...control })) this._waiting.push(control);
  }

  close() {
    this.connection.close();
  }

  /** @param {SeriesMessage} message */
  _receive(message) {
    if (message.type === "rounds") {
      this.problem.value = "";
      this.rounds.value = message;
    } else if (message.type === "error") {
      this.problem.value = asSentence(message.sentence);
    }
  }
}
