/** One game as this window knows it: signals over the events that the server numbers, and what one can do in it. */
import { asSentence, get, post, Problem, sentenceOf } from "./api.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { batch, computed, signal } from "./html.js";
import { cellOf, changed, parsePosition, scores, TILES } from "./position.js";

/** @import { Position } from "./position.js" */
/** @import { Description, GameEvent, GameInfo, HostMessage, LegalMove, MoveRequest, Offer, Result } from "./types.js" */

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */

/**
 * A move that was played, with the line of the position after it.
 * @typedef {{seat: number, move: string, cell: number, seconds: number, line: string, forced: boolean}} Ply
 */
/**
 * What a seat did wrong, and after how many moves.
 * @typedef {{ply: number, seat: number, verdict: string, detail: string}} Offence
 */
/**
 * What is to be drawn: a position of the game with the marks of the move before it.
 * @typedef {object} Shown
 * @property {number} ply how many moves have been played; a move that awaits its confirmation counts
 * @property {Position} position
 * @property {number[]} tiles
 * @property {number} turn the seat to move, 0 when the game is over
 * @property {number|null} last the cell of the last move
 * @property {number[]} turned what it changed besides
 * @property {number[]} scores
 * @property {boolean} live whether this is the game as it stands
 */
/**
 * What has just happened, for ears: never anything that was missed and is only caught up.
 * @typedef {{kind: "move", ply: Ply, turned: number[]} | {kind: "undo", seat: number, plies: number}
 *   | {kind: "verdict", offence: Offence} | {kind: "end", result: Result}
 *   | {kind: "offer", offer: Offer} | {kind: "declined", what: Offer["what"]} | {kind: "next", game: string}} Happening
 */

/** Milliseconds until a server that cannot be reached is tried again. */
const PATIENCE = 1000;

export class GameModel {
  /**
   * @param {string} id
   * @param {{token?: string, name?: string}} [who]
   */
  constructor(id, { token = "", name = "" } = {}) {
    this.id = id;
    this.token = token;
    this._name = name.trim() || "Guest";
    /** What the server tells of the game before its events; null until it is known. @type {Signal<GameInfo|null>} */
    this.info = signal(null);
    /** What went wrong, as a sentence. */
    this.problem = signal("");
    /** Names by seat. @type {Signal<string[]>} */
    this.players = signal([]);
    /** The start, as a position line; empty before the game begins. */
    this.start = signal("");
    /** @type {Signal<Ply[]>} */
    this.plies = signal([]);
    /** What seats did wrong, in order. @type {Signal<Offence[]>} */
    this.offences = signal([]);
    /** How it ended. @type {Signal<Result|null>} */
    this.result = signal(null);
    /** The seats of this window; empty for one that watches. @type {Signal<number[]>} */
    this.seats = signal([]);
    /** @type {Signal<MoveRequest|null>} */
    this._request = signal(null);
    /**
     * A move of ours that the server has not confirmed yet.
     * @type {Signal<{number: number, seat: number, move: LegalMove}|null>}
     */
    this.pending = signal(null);
    /** @type {Signal<{seats: boolean[], watching: number, claim: number}>} */
    this.presence = signal({ seats: [], watching: 0, claim: 0 });
    /** What somebody asks of the others. @type {Signal<Offer|null>} */
    this.offer = signal(null);
    /** What we asked for in vain, until the game goes on. @type {Signal<Offer["what"]|null>} */
    this.declined = signal(null);
    this._offeredAt = 0;
    /** The id of the rematch, or of the next game of a row. */
    this.next = signal("");
    /** The ply one looks back at, or null for the game as it stands. @type {Signal<number|null>} */
    this.at = signal(null);
    this.clocks = new Clocks();
    this._count = signal(0);
    /** Events that came before their turn. @type {Map<number, GameEvent>} */
    this._early = new Map();
    /** Events that were missed, until all of them are there. @type {GameEvent[]} */
    this._missed = [];
    /** How many events there were when we came in; Infinity until the server has said so. */
    this._caughtUp = Infinity;
    /** @type {Set<(happening: Happening) => void>} */
    this._listeners = new Set();
    /** @type {Map<string, Position>} */
    this._parsed = new Map();

    /** @type {ReadonlySignal<Description|null>} */
    this.description = computed(() => this.info.value?.description ?? null);
    /** "waiting" for others, "running" or "over". */
    this.phase = computed(() => {
      if (this.result.value) return "over";
      return this.start.value ? "running" : this.info.value?.phase ?? "waiting";
    });
    /** The legal moves of this window, while it is asked for one. @type {ReadonlySignal<LegalMove[]>} */
    this.moves = computed(() => {
      const request = this._request.value;
      const isOpen = request && request.number === this._count.value && !this.pending.value && !this.result.value;
      return isOpen ? request.moves ?? [] : [];
    });
    /** The seat that this window is asked to move for, or 0. */
    this.asked = computed(() => (this.moves.value.length ? this._request.value?.seat ?? 0 : 0));
    /** The seat to move in the game as it stands, or 0 when that is nobody. */
    this.turn = computed(() => {
      const turn = this.position(this.plies.value.length)?.turn ?? 0;
      const isOver = this.phase.value !== "running" || this.pending.value !== null;
      return isOver ? 0 : turn;
    });
    /** What is to be drawn; null until the game is known. @type {ReadonlySignal<Shown|null>} */
    this.shown = computed(() => this._draw());
    this.connection = new Connection(`/api/games/${id}/socket`, {
      opened: () => this._hello(),
      received: (message) => batch(() => this._receive(message)),
      beat: () => this._have(),
    });
    this._begin();
  }

  /** Leaves the game; it goes on without this window. */
  close() {
    this.connection.close();
  }

  /**
   * Calls back with everything that happens from now on; returns how to stop.
   * @param {(happening: Happening) => void} listener
   */
  listen(listener) {
    this._listeners.add(listener);
    return () => { this._listeners.delete(listener); };
  }

  /**
   * Plays one of the legal moves: it is drawn at once and counts when the server has confirmed it.
   * @param {LegalMove} move
   */
  play(move) {
    const request = this._request.value;
    if (!request || !this.moves.value.includes(move)) return;
    batch(() => {
      this.pending.value = { number: request.number, seat: request.seat, move };
      this.at.value = null;
    });
    this._sendPending();
  }

  resign() { this.connection.send({ type: "resign" }); }
  /** Wants the last move of this window back: others are asked, computers are not. */
  undo() { this.connection.send({ type: "undo" }); }
  rematch() { this.connection.send({ type: "rematch" }); }
  /** Ends the game that somebody has left for too long. */
  claim() { this.connection.send({ type: "claim" }); }

  /** @param {boolean} yes */
  reply(yes) {
    const offer = this.offer.value;
    if (offer) this.connection.send({ type: "reply", number: offer.number, yes });
  }

  /** A good move for whoever is asked. @returns {Promise<{move: string, cell: number, value: number|null, share: number|null}>} */
  hint() {
    return post(`/api/games/${this.id}/hint`, { token: this.token });
  }

  /**
   * What a move would change, for moves that came without it.
   * @param {string} move
   * @returns {Promise<number[]>}
   */
  async turnedBy(move) {
    return (await get(`/api/games/${this.id}/turned?move=${encodeURIComponent(move)}`)).cells;
  }

  /**
   * Looks at the position after that many moves without disturbing the game.
   * @param {number} ply
   */
  look(ply) {
    const most = this.plies.value.length;
    const at = Math.max(0, Math.min(ply, most));
    this.at.value = at === most ? null : at;
  }

  /**
   * The position after that many moves.
   * @param {number} ply
   * @returns {Position|null}
   */
  position(ply) {
    const description = this.description.value;
    if (!description) return null;
    const start = this.start.value || this.info.value?.position || description.start;
    const line = ply > 0 ? this.plies.value[ply - 1]?.line : start;
    return line ? this._parse(description, line) : null;
  }

  /**
   * What a played move changed besides its own cell.
   * @param {number} ply from 1
   */
  turned(ply) {
    const [before, after] = [this.position(ply - 1), this.position(ply)];
    const cell = this.plies.value[ply - 1]?.cell;
    return before && after ? changed(before.tiles, after.tiles).filter((one) => one !== cell) : [];
  }

  /** What is to be drawn now. @returns {Shown|null} */
  _draw() {
    const description = this.description.value;
    const total = this.plies.value.length;
    const ply = Math.min(this.at.value ?? total, total);
    const position = this.position(ply);
    if (!description || !position) return null;
    // A link to a position: nothing is drawn before it, so that nothing flips on the way there.
    if (this.at.value !== null && !total && this.info.value?.plies) return null;
    const live = this.at.value === null;
    if (live && this.pending.value) return this._expected(description, position, ply);
    const cell = this.plies.value[ply - 1]?.cell ?? -1;
    return {
      ply,
      position,
      tiles: position.tiles,
      turn: live ? this.turn.value : position.turn,
      last: cell >= 0 ? cell : null,
      turned: cell >= 0 ? this.turned(ply) : [],
      scores: scores(position.tiles, description.seats),
      live,
    };
  }

  /**
   * The position as it will be when the server has confirmed our move; what special tiles do is left to the server.
   * @param {Description} description
   * @param {Position} position
   * @param {number} ply
   * @returns {Shown}
   */
  _expected(description, position, ply) {
    const pending = /** @type {NonNullable<typeof this.pending.value>} */ (this.pending.value);
    const [, cell, , turned] = pending.move;
    const tiles = [...position.tiles];
    const isPlain = tiles[cell] !== TILES.choice && tiles[cell] !== TILES.inversion && turned !== null;
    if (cell >= 0) {
      const becomes = position.phase === "bomb" ? TILES.hole : pending.seat;
      for (const one of isPlain ? [cell, ...turned] : [cell]) tiles[one] = becomes;
    }
    return {
      ply: ply + 1,
      position,
      tiles,
      turn: 0,
      last: cell >= 0 ? cell : null,
      turned: isPlain ? turned : [],
      scores: scores(tiles, description.seats),
      live: true,
    };
  }

  /**
   * @param {Description} description
   * @param {string} line
   */
  _parse(description, line) {
    let position = this._parsed.get(line);
    if (!position) {
      position = parsePosition(description, line);
      this._parsed.set(line, position);
    }
    return position;
  }

  /** Gets to know the game, then connects to it; while the server cannot be reached, again and again. */
  async _begin() {
    try {
      await this._learn();
      this.connection.open();
    } catch (error) {
      this.problem.value = sentenceOf(error);
      const isUnreachable = error instanceof Problem && error.status === 0;
      if (isUnreachable && this.connection.state.value !== "closed") setTimeout(() => this._begin(), PATIENCE);
    }
  }

  /** Asks what is played, by whom, and how far it has come. */
  async _learn() {
    const info = await get(`/api/games/${this.id}`);
    batch(() => {
      this.problem.value = "";
      this.info.value = info;
      if (info.next) this.next.value = info.next;
      if (!this.start.value) this.players.value = info.players;
    });
  }

  _hello() {
    const events = this._count.value;
    this.connection.send({ type: "hello", version: 1, name: this._name, token: this.token, game: 1, events });
  }

  /** Says what this window has, so that whatever is missing comes again. */
  _have() {
    const number = this._request.value?.number ?? 0;
    const request = number === this._count.value ? number : 0;
    this.connection.send({ type: "have", events: this._count.value, request });
    this._sendPending();
  }

  /** Sends a move that may have been lost once more; the first one that arrives counts. */
  _sendPending() {
    const pending = this.pending.value;
    if (pending) this.connection.send({ type: "move", number: pending.number, move: pending.move[0] });
  }

  /** @param {HostMessage} message */
  _receive(message) {
    switch (message.type) {
      case "welcome":
        this.problem.value = "";
        this.seats.value = message.seats ?? (message.seat ? [message.seat] : []);
        this._caughtUp = message.events;
        this.clocks.welcome(message.thinking ?? 0);
        this._sendPending();
        break;
      case "event":
        this._event(message);
        break;
      case "request":
        // One that is told again changes nothing: whoever clicks just now has the moves of the first one in hand.
        if (message.number > (this._request.value?.number ?? 0)) this._request.value = message;
        if (message.number === this._count.value) this.clocks.asked(message);
        break;
      case "presence":
        this.presence.value = message;
        if (this.phase.value === "waiting") this._learn().catch(() => {});
        break;
      case "offer":
        this.offer.value = message;
        this.declined.value = null;
        this._offeredAt = this._count.value;
        this._tell({ kind: "offer", offer: message });
        break;
      case "settled":
        if (this.offer.value?.number === message.number) this._settle(this.offer.value, message.yes);
        break;
      case "next":
        this.next.value = message.game;
        this._tell({ kind: "next", game: message.game });
        break;
      case "error":
        this.problem.value = asSentence(message.sentence);
        break;
    }
  }

  /**
   * An offer is over. One that lapses because the game goes on was not declined by anybody.
   * @param {Offer} offer
   * @param {boolean} yes
   */
  _settle(offer, yes) {
    this.offer.value = null;
    if (yes || !this.seats.value.includes(offer.seat) || this._count.value !== this._offeredAt) return;
    this.declined.value = offer.what;
    this._tell({ kind: "declined", what: offer.what });
  }

  /**
   * Takes events in their order: one that was there already is passed over, a gap is asked about. What was missed is
   * taken over in one go, so that nobody sees a whole game rush by.
   * @param {GameEvent} event
   */
  _event(event) {
    if (event.number < this._count.value) return;
    if (event.number > this._count.value) {
      if (!this._early.size) this._have();
      this._early.set(event.number, event);
      return;
    }
    for (let next = /** @type {GameEvent|undefined} */ (event); next; next = this._early.get(this._count.value)) {
      this._early.delete(next.number);
      this._count.value += 1;
      this._missed.push(next);
    }
    if (this._count.value < this._caughtUp && this._caughtUp !== Infinity) return;
    for (const one of this._missed.splice(0)) this._apply(one);
  }

  /** @param {GameEvent} event */
  _apply({ number, kind, data }) {
    const isNews = number >= this._caughtUp;
    const turn = this.turn.value;
    if (this.pending.value && this.pending.value.number <= number) this.pending.value = null;
    this.declined.value = null;
    if (kind === "start") {
      this.players.value = data.players;
      this.start.value = data.start;
      this.clocks.start(data.limits);
    } else if (kind === "move") {
      const ply = this._ply(data);
      this.plies.value = [...this.plies.value, ply];
      if (isNews) this._tell({ kind, ply, turned: ply.cell < 0 ? [] : this.turned(this.plies.value.length) });
    } else if (kind === "undo") {
      const kept = this.plies.value.length - data.plies;
      this.plies.value = this.plies.value.slice(0, kept);
      this.offences.value = this.offences.value.filter(({ ply }) => ply <= kept);
      if ((this.at.value ?? 0) >= this.plies.value.length) this.at.value = null;
      if (isNews) this._tell({ kind, seat: data.seat, plies: data.plies });
    } else if (kind === "verdict") {
      if (data.verdict === "timeout") this.clocks.ranOut(data.seat);
      const offence = { ply: this.plies.value.length, seat: data.seat, verdict: data.verdict, detail: data.detail };
      this.offences.value = [...this.offences.value, offence];
      this._stand(data.position);
      if (isNews) this._tell({ kind, offence });
    } else if (kind === "end") {
      this.result.value = data;
      if (isNews) this._tell({ kind, result: data });
    }
    const isLastMissed = number + 1 === this._caughtUp;
    // The clock of the seat to move goes on if it was another that did wrong.
    if (kind !== "verdict" || this.turn.value !== turn || isLastMissed) this.clocks.moved(data.clocks, isLastMissed);
  }

  /**
   * The position without a move: a seat was taken out of the game.
   * @param {string} line
   */
  _stand(line) {
    const last = this.plies.value.at(-1);
    if (last) this.plies.value = [...this.plies.value.slice(0, -1), { ...last, line }];
    else this.start.value = line;
  }

  /** @param {any} data @returns {Ply} */
  _ply({ seat, move, seconds, position }) {
    const description = this.description.value;
    const cell = description && move !== "pass" ? cellOf(description, move) : -1;
    return { seat, move, cell, seconds, line: position, forced: move === "pass" && seconds === 0 };
  }

  /** @param {Happening} happening */
  _tell(happening) {
    for (const listener of this._listeners) listener(happening);
  }
}

/**
 * Watches a game, and plays in it where the token is good for a seat.
 * @param {string} id
 * @param {{token?: string, name?: string}} [who]
 */
export function watchGame(id, who) {
  return new GameModel(id, who);
}
