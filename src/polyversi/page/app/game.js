/** The client's model of one game: signals derived from the server's numbered events, and the actions of a player. */
import { CHOICE, HOLE, INVERSION } from "../board/config.js";
import { asSentence, get, post, Problem, sentenceOf } from "./api.js";
import { Clocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { batch, computed, signal } from "./html.js";
import { PacedQueue } from "./pace.js";
import { cellOf, changed, parsePosition, scores, seatToMove } from "./position.js";
import { common } from "./words.js";

/** @import { Position } from "./position.js" */
/** @import { Description, EventMessage, FromGuest, FromHost, GameInfo, LegalMove } from "./types.js" */
/** @import { Offer, RequestMessage, Result } from "./types.js" */
/** @import { ReadonlySignal, Signal } from "./html.js" */

/**
 * A move that was played, with the line of the position after it.
 * @typedef {{seat: number, move: string, cell: number, seconds: number, line: string, forced: boolean}} Ply
 *
 * A move of ours that the server has not confirmed yet.
 * @typedef {{number: number, seat: number, move: LegalMove}} Pending
 *
 * What a seat did wrong, and after how many moves.
 * @typedef {{ply: number, seat: number, verdict: string, detail: string}} Offence
 *
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
 * @property {{seat: number, cell: number, turned: number[]}[]} trail the moves of other seats before the last one, the
 *   oldest first, in games of more than two seats
 *
 * What has just happened, for announcements and sounds; events caught up after a reconnect are left out.
 * @typedef {{kind: "move", ply: Ply, turned: number[]} | {kind: "undo", seat: number, plies: number}
 *   | {kind: "verdict", offence: Offence} | {kind: "end", result: Result}
 *   | {kind: "offer", offer: Offer} | {kind: "declined", what: Offer["what"]} | {kind: "next", game: string}} GameNews
 */

/** Milliseconds until an unreachable server is tried again. */
const RETRY_DELAY = 1000;

export class GameModel {
  /**
   * Watches a game, and plays in it if the token belongs to a seat.
   * @param {string} id
   * @param {{token?: string, name?: string, gap?: () => number, asksName?: boolean}} [who] `gap` has the milliseconds
   *   between two moves of computers; with `asksName` whoever takes a free seat is asked for a name before it connects
   */
  constructor(id, { token = "", name = "", gap = () => 0, asksName = false } = {}) {
    this.id = id;
    this.token = token;
    this._name = name.trim() || common.guest;
    this._mayAskName = asksName && Boolean(token) && !name.trim();
    /** Whether this window waits for `join`, with the name of a newcomer. */
    this.isAskingName = signal(false);
    /** What the server says of the game before its events; null until it is known. @type {Signal<GameInfo|null>} */
    this.info = signal(null);
    /** What went wrong, as a sentence. */
    this.problem = signal("");
    /** Whether there is no such game. */
    this.isMissing = signal(false);
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
    /** @type {Signal<RequestMessage|null>} */
    this._request = signal(null);
    /** @type {Signal<Pending|null>} */
    this.pending = signal(null);
    /** @type {Signal<{seats: boolean[], watching: number, claim: number}>} */
    this.presence = signal({ seats: [], watching: 0, claim: 0 });
    /** The open offer, such as a rematch. @type {Signal<Offer|null>} */
    this.offer = signal(null);
    /** What others declined, until the next event. @type {Signal<Offer["what"]|null>} */
    this.declined = signal(null);
    this._eventsAtOffer = 0;
    /** The id of the rematch, or of the next game of a series. */
    this.next = signal("");
    /** The ply that is viewed, or null for the current position. @type {Signal<number|null>} */
    this.viewedPly = signal(null);
    this.clocks = new Clocks();
    /** The seat to move in the game on the server, though its last moves may not be shown yet. */
    this._running = signal(0);
    /** Events that have happened and are shown one after the other. */
    this._queue = new PacedQueue(gap, (/** @type {EventMessage} */ event) => batch(() => this._apply(event)));
    /** How many of them wait to be shown. */
    this.behind = this._queue.length;
    /** The number of the game that the events are of; another one when it begins again. */
    this._game = 0;
    this._count = signal(0);
    /** Events that arrived before their predecessors. @type {Map<number, EventMessage>} */
    this._outOfOrder = new Map();
    /** Missed events, until all of them are there. @type {EventMessage[]} */
    this._backlog = [];
    /** How many events there were when we connected; Infinity until the server has said so. */
    this._eventsOnEntry = Infinity;
    /** @type {Set<(news: GameNews) => void>} */
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
      const isCurrent = request?.number === this._count.value && this.behind.value === 0;
      const isOpen = request && isCurrent && !this.pending.value && !this.result.value;
      return isOpen ? request.moves ?? [] : [];
    });
    /** The seat that this window is asked to move for, or 0. */
    this.ownTurn = computed(() => (this.moves.value.length ? this._request.value?.seat ?? 0 : 0));
    /** The seat to move in the game as it stands, or 0 when that is nobody. */
    this.turn = computed(() => {
      if (this.phase.value !== "running" || this.pending.value) return 0;
      return this.position(this.plies.value.length)?.turn ?? 0;
    });
    /** The seat whose clock runs, or 0; clocks do not wait for what is shown. */
    this.clockTurn = computed(() => (this.pending.value ? 0 : this._running.value));
    /** What is to be drawn; null until the game is known. @type {ReadonlySignal<Shown|null>} */
    this.shown = computed(() => this._draw());
    this.connection = new Connection(`/api/games/${encodeURIComponent(id)}/socket`, {
      opened: () => this._sendHello(),
      received: (/** @type {FromHost} */ message) => batch(() => this._receive(message)),
      heartbeat: () => this._reportProgress(),
    });
    this._start();
  }

  /** Disconnects; the game continues without this window. */
  close() {
    this._queue.stop();
    this.connection.close();
  }

  /** Takes the free seat of the link under a name, which may be empty. @param {string} name */
  join(name) {
    this._name = name.trim() || common.guest;
    this.isAskingName.value = false;
    this.connection.open();
  }

  /** Shows at once what is waiting to be shown. */
  catchUp() {
    this._queue.flush();
  }

  /** Calls the listener with all news; returns a function that removes it. @param {(news: GameNews) => void} listener */
  listen(listener) {
    this._listeners.add(listener);
    return () => { this._listeners.delete(listener); };
  }

  /** Plays a legal move: it is shown at once and counts when the server has confirmed it. @param {LegalMove} move */
  play(move) {
    const request = this._request.value;
    if (!request || !this.moves.value.includes(move)) return;
    batch(() => {
      this.pending.value = { number: request.number, seat: request.seat ?? 0, move };
      this.viewedPly.value = null;
    });
    this._queue.shown();
    this._sendPending();
  }

  resign() { this._send({ type: "resign" }); }
  /** Takes back the last move of this window; people are asked, computers are not. */
  undo() { this._send({ type: "undo" }); }
  rematch() { this._send({ type: "rematch" }); }
  /** Claims a game whose opponent has been away for too long. */
  claim() { this._send({ type: "claim" }); }

  /** @param {boolean} yes */
  reply(yes) {
    const offer = this.offer.value;
    if (offer) this._send({ type: "reply", number: offer.number, yes });
  }

  /**
   * A good move for the seat to move.
   * @returns {Promise<{move: string, cell: number, value: number|null, unit: "stones"|"points", exact: boolean, share: number|null}>}
   */
  hint() {
    return post(`/api/games/${this.id}/hint`, { token: this.token });
  }

  /** What a move would change, for moves that came without it. @type {(move: string) => Promise<number[]>} */
  async turnedBy(move) {
    return (await get(`/api/games/${this.id}/turned?move=${encodeURIComponent(move)}`)).cells;
  }

  /** Shows the position after that many moves; the game is not affected. @param {number} ply */
  goTo(ply) {
    if (ply === Infinity) this.catchUp();
    this.viewedPly.value = ply >= this.plies.value.length ? null : Math.max(0, ply);
  }

  /** The position line after that many moves; empty where there is none. @param {number} ply */
  line(ply) {
    const start = this.start.value || this.info.value?.position || this.description.value?.start;
    return (ply > 0 ? this.plies.value[ply - 1]?.line : start) ?? "";
  }

  /** The position after that many moves. @type {(ply: number) => Position|null} */
  position(ply) {
    const description = this.description.value;
    const line = this.line(ply);
    if (!description || !line) return null;
    const position = this._parsed.get(line) ?? parsePosition(description, line);
    this._parsed.set(line, position);
    return position;
  }

  /** What a played move changed besides its own cell. @param {number} ply from 1 */
  turned(ply) {
    const [before, after] = [this.position(ply - 1), this.position(ply)];
    const cell = this.plies.value[ply - 1]?.cell;
    return before && after ? changed(before.tiles, after.tiles).filter((one) => one !== cell) : [];
  }

  /** What is to be drawn now. @returns {Shown|null} */
  _draw() {
    const description = this.description.value;
    const [plies, viewed, pending] = [this.plies.value, this.viewedPly.value, this.pending.value];
    const ply = Math.min(viewed ?? plies.length, plies.length);
    const position = this.position(ply);
    if (!description || !position) return null;
    // A link to a position: nothing is drawn before it, so that nothing flips on the way there.
    if (viewed !== null && !plies.length && this.info.value?.plies) return null;
    const live = viewed === null;
    const isPending = live && pending !== null;
    const { cell, tiles, turned } = isPending
      ? afterMove(position, pending)
      : { cell: plies[ply - 1]?.cell ?? -1, tiles: position.tiles, turned: this.turned(ply) };
    return {
      ply: isPending ? ply + 1 : ply,
      position,
      tiles,
      turn: live ? this.turn.value : position.turn,
      last: cell >= 0 ? cell : null,
      turned: cell >= 0 ? turned : [],
      scores: scores(tiles, description.seats),
      live,
      trail: description.seats > 2 ? this._trail(ply) : [],
    };
  }

  /** The moves of the other seats before the last one, back to one of this window's. @type {(ply: number) => Shown["trail"]} */
  _trail(ply) {
    const seats = this.description.value?.seats ?? 0;
    const trail = [];
    for (let at = ply - 1; at > Math.max(0, ply - seats); at--) {
      const { seat, cell } = this.plies.value[at - 1];
      if (this.seats.value.includes(seat)) break;
      if (cell >= 0) trail.unshift({ seat, cell, turned: this.turned(at) });
    }
    return trail;
  }

  /** Fetches the game's description and connects; tries again while the server cannot be reached. */
  async _start() {
    try {
      await this._fetchInfo();
      const info = /** @type {GameInfo} */ (this.info.value);
      this.isAskingName.value = this._mayAskName && info.phase === "waiting" && info.players.includes("");
      if (!this.isAskingName.value) this.connection.open();
    } catch (error) {
      this.problem.value = sentenceOf(error);
      this.isMissing.value = error instanceof Problem && error.status === 404;
      const isUnreachable = error instanceof Problem && error.status === 0;
      if (isUnreachable && this.connection.state.value !== "closed") setTimeout(() => this._start(), RETRY_DELAY);
    }
  }

  /** Fetches what is played and by whom. */
  async _fetchInfo() {
    const info = await get(`/api/games/${encodeURIComponent(this.id)}`);
    batch(() => {
      this.problem.value = "";
      this.info.value = info;
      if (info.next) this.next.value = info.next;
      if (!this.start.value) this.players.value = info.players;
    });
  }

  _sendHello() {
    const events = this._count.value;
    this._send({ type: "hello", version: 1, name: this._name, token: this.token, game: this._game, events });
  }

  /** Reports the events received, so that the server sends what is missing. */
  _reportProgress() {
    const number = this._request.value?.number ?? 0;
    const request = number === this._count.value ? number : 0;
    this._send({ type: "have", events: this._count.value, request });
    this._sendPending();
  }

  /** Sends the pending move again, in case it was lost; the first one that arrives counts. */
  _sendPending() {
    const pending = this.pending.value;
    if (pending) this._send({ type: "move", number: pending.number, move: pending.move[0] });
  }

  /** @param {FromHost} message */
  _receive(message) {
    switch (message.type) {
      case "welcome":
        this.problem.value = "";
        if (this._game && this._game !== message.number) this._beginAgain();
        this._game = message.number;
        this.seats.value = message.seats ?? (message.seat ? [message.seat] : []);
        this._eventsOnEntry = message.events;
        this.clocks.welcome(message.thinking ?? 0);
        this._sendPending();
        break;
      case "event":
        this._event(message);
        break;
      case "request":
        // A repeated request changes nothing: a click may be under way on the moves of the first one.
        if (message.number > (this._request.value?.number ?? 0)) this._request.value = message;
        if (message.number === this._count.value) this.clocks.asked(message);
        break;
      case "presence":
        this.presence.value = message;
        if (this.phase.value === "waiting") this._fetchInfo().catch(() => {});
        break;
      case "offer":
        this.offer.value = message;
        this.declined.value = null;
        this._eventsAtOffer = this._count.value;
        this._notify({ kind: "offer", offer: message });
        break;
      case "settled":
        if (this.offer.value?.number === message.number) this._settle(this.offer.value, message.yes);
        break;
      case "next":
        this.next.value = message.game;
        this._notify({ kind: "next", game: message.game });
        break;
      case "error":
        this.problem.value = asSentence(message.sentence);
        break;
    }
  }

  /** Forgets all events: the process that played the game was lost, and another one plays it from the start. */
  _beginAgain() {
    this.catchUp();
    this._count.value = 0;
    this._backlog = [];
    this._outOfOrder.clear();
    this.plies.value = [];
    this.offences.value = [];
    this.result.value = null;
    this.viewedPly.value = null;
  }

  /** An offer is over; one that lapsed was not declined. @type {(offer: Offer, yes: boolean) => void} */
  _settle(offer, yes) {
    this.offer.value = null;
    if (yes || !this.seats.value.includes(offer.seat) || this._count.value !== this._eventsAtOffer) return;
    this.declined.value = offer.what;
    this._notify({ kind: "declined", what: offer.what });
  }

  /**
   * Applies events in order: duplicates are dropped, a gap is reported. Missed events are applied in one go, so that
   * nobody sees a whole game rush by.
   * @param {EventMessage} event
   */
  _event(event) {
    if (event.number < this._count.value) return;
    if (event.number > this._count.value) {
      if (!this._outOfOrder.size) this._reportProgress();
      this._outOfOrder.set(event.number, event);
      return;
    }
    for (let next = /** @type {EventMessage|undefined} */ (event); next; next = this._outOfOrder.get(this._count.value)) {
      this._outOfOrder.delete(next.number);
      this._count.value += 1;
      this._backlog.push(next);
    }
    if (this._count.value < this._eventsOnEntry && this._eventsOnEntry !== Infinity) return;
    for (const one of this._backlog.splice(0)) this._show(one);
  }

  /** Runs the clocks at once and has the event shown: moves of computers one after the other. @param {EventMessage} event */
  _show(event) {
    this._runClocks(event);
    const isNew = event.number >= this._eventsOnEntry;
    if (!isNew || event.kind === "undo") this.catchUp();
    this._queue.push(event, isNew && event.kind === "move" && this.info.value?.kinds[event.data.seat - 1] !== "human");
  }

  /** @param {EventMessage} event */
  _runClocks({ number, kind, data }) {
    const before = this._running.value;
    if (kind === "start") this.clocks.start(data.limits);
    if (kind === "verdict" && data.verdict === "timeout") this.clocks.ranOut(data.seat);
    if (kind === "end" && data.verdict.kind === "timeout") this.clocks.ranOut(data.verdict.seat ?? 0);
    const line = kind === "start" ? data.start : kind === "end" ? "" : data.position;
    this._running.value = this.description.value ? seatToMove(this.description.value, line) : 0;
    const isLastOfBacklog = number + 1 === this._eventsOnEntry;
    // An offence of another seat does not stop the clock of the seat to move.
    const goesOn = kind === "verdict" && this._running.value === before && !isLastOfBacklog;
    if (!goesOn) this.clocks.moved("clocks" in data ? data.clocks : undefined, isLastOfBacklog);
  }

  /** @param {EventMessage} event */
  _apply({ number, kind, data }) {
    const isNew = number >= this._eventsOnEntry;
    if (this.pending.value && this.pending.value.number <= number) this.pending.value = null;
    this.declined.value = null;
    if (kind === "start") {
      this.players.value = data.players;
      this.start.value = data.start;
    } else if (kind === "move") {
      const { seat, move, seconds, position } = data;
      const cell = this.description.value ? cellOf(this.description.value, move) : -1;
      const ply = { seat, move, cell, seconds, line: position, forced: move === "pass" && seconds === 0 };
      this.plies.value = [...this.plies.value, ply];
      if (isNew) this._notify({ kind, ply, turned: ply.cell < 0 ? [] : this.turned(this.plies.value.length) });
    } else if (kind === "undo") {
      const remaining = this.plies.value.length - data.plies;
      this.plies.value = this.plies.value.slice(0, remaining);
      this.offences.value = this.offences.value.filter(({ ply }) => ply <= remaining);
      if ((this.viewedPly.value ?? 0) >= this.plies.value.length) this.viewedPly.value = null;
      if (isNew) this._notify({ kind, seat: data.seat, plies: data.plies });
    } else if (kind === "verdict") {
      const offence = { ply: this.plies.value.length, seat: data.seat, verdict: data.verdict, detail: data.detail };
      this.offences.value = [...this.offences.value, offence];
      this._replacePosition(data.position);
      if (isNew) this._notify({ kind, offence });
    } else if (kind === "end") {
      this.result.value = data;
      if (isNew) this._notify({ kind, result: data });
    }
  }

  /** Replaces the current position without a move, after a seat was taken out of the game. @param {string} line */
  _replacePosition(line) {
    const last = this.plies.value.at(-1);
    if (last) this.plies.value = [...this.plies.value.slice(0, -1), { ...last, line }];
    else this.start.value = line;
  }

  /** @param {FromGuest} message */
  _send(message) {
    return this.connection.send(message);
  }

  /** @param {GameNews} news */
  _notify(news) {
    for (const listener of this._listeners) listener(news);
  }
}

/**
 * The tiles after a move that the server has not confirmed yet; what special tiles do is left to the server.
 * @type {(position: Position, pending: Pending) => {cell: number, tiles: number[], turned: number[]}}
 */
function afterMove({ tiles, phase }, { seat, move: [, cell, , turned] }) {
  const isSpecial = tiles[cell] === CHOICE || tiles[cell] === INVERSION;
  const changes = isSpecial || !turned ? [] : turned;
  const after = [...tiles];
  if (cell >= 0) for (const one of [cell, ...changes]) after[one] = phase === "bomb" ? HOLE : seat;
  return { cell, tiles: after, turned: changes };
}
