/** One series as the server reports it: a signal that follows its rounds, and the controls for its owner. */
import { asSentence, post } from "../../app/api.js";
import { Connection } from "../../app/connection.js";
import { signal } from "../../app/html.js";
import { load, save } from "../../app/storage.js";

/** @import { FromSeries, NewSeries, Rounds } from "../../app/messages.js" */
/** @typedef {Omit<import("../../app/messages.js").Control, "type"|"token">} Control */

/** What is still to be sent to a new series. @type {Map<string, Control>} */
const firstControls = new Map();

/**
 * Sets up a series, whose first control is sent as soon as it is shown, and returns its id.
 * @param {NewSeries} setup
 * @param {Control} first
 * @returns {Promise<string>}
 */
export async function createSeries(setup, first) {
  const { arena, token } = await post("/api/arena", setup);
  save(`arena.${arena}`, token);
  firstControls.set(arena, first);
  return arena;
}

/** Follows one series until it is closed. */
export class Series {
  /** @param {string} id */
  constructor(id) {
    /** The right to control it, where this browser has set it up. @type {string} */
    this.token = load(`arena.${id}`) ?? "";
    /** The latest state from the server. */
    this.rounds = signal(/** @type {Rounds|null} */ (null));
    /** What the server refused, in a sentence. */
    this.problem = signal("");
    const first = firstControls.get(id);
    firstControls.delete(id);
    /** What is to be sent as soon as there is a connection. @type {Control[]} */
    this._waiting = first ? [first] : [];
    this.connection = new Connection(`/api/arena/${encodeURIComponent(id)}/socket`, {
      opened: () => this._waiting.splice(0).forEach((control) => this.control(control)),
      received: (/** @type {FromSeries} */ message) => {
        if (message.type === "rounds") this.rounds.value = message;
        this.problem.value = message.type === "error" ? asSentence(message.sentence) : "";
      },
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
}
