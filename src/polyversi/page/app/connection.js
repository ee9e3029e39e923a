/** A WebSocket that comes back by itself: sooner or later, with patience, and at once when the page is looked at. */
import { signal } from "./html.js";

/** Milliseconds between two beats, in which a guest says what it has. */
const BEAT = 4000;
/** A beat that comes this much too late means that the machine slept: the connection is dead though it seems open. */
const ASLEEP = 15000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** Refusals in a row after which it would be rude to try again. */
const MOST_REFUSALS = 3;

/**
 * @typedef {object} Handlers
 * @property {() => void} opened the connection is there: introduce yourself
 * @property {(message: any) => void} received
 * @property {() => void} [beat] every few seconds while it is open
 */

export class Connection {
  /**
   * @param {string} path such as /api/games/ID/socket
   * @param {Handlers} handlers
   */
  constructor(path, handlers) {
    /** Where the connection stands; "lost" while it is being taken up again, "closed" for good. */
    this.state = signal(/** @type {"connecting"|"open"|"lost"|"closed"} */ ("connecting"));
    this._path = path;
    this._handlers = handlers;
    /** @type {WebSocket|null} */
    this._socket = null;
    this._tries = 0;
    this._refusals = 0;
    this._retry = 0;
    this._beat = window.setInterval(() => this._tick(), BEAT);
    this._lastTick = Date.now();
    this._stop = new AbortController();
    const { signal: stopped } = this._stop;
    const wake = () => { if (!document.hidden) this._wake(); };
    document.addEventListener("visibilitychange", wake, { signal: stopped });
    // A socket says nothing when the network goes: it would seem open until something is sent and never arrives.
    addEventListener("offline", () => this._breakOff(), { signal: stopped });
    addEventListener("online", () => this._open(), { signal: stopped });
    addEventListener("pageshow", wake, { signal: stopped });
  }

  /** Connects, and from then on stays connected. */
  open() {
    if (this.state.value === "connecting") this._open();
  }

  /**
   * Sends a message if the connection is open; whether it went out.
   * @param {object} message
   */
  send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends the connection for good. */
  close() {
    this.state.value = "closed";
    this._stop.abort();
    clearInterval(this._beat);
    clearTimeout(this._retry);
    this._drop();
  }

  _open() {
    clearTimeout(this._retry);
    this._drop();
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this._path}`);
    this._socket = socket;
    socket.onopen = () => {
      this.state.value = "open";
      this._lastTick = Date.now();
      this._handlers.opened();
    };
    socket.onmessage = ({ data }) => this._receive(data);
    socket.onclose = () => { if (this._socket === socket) this._lost(); };
  }

  /** @param {string} text */
  _receive(text) {
    const message = JSON.parse(text);
    this._tries = 0;
    if (message.type === "error") this._refusals += 1;
    else this._refusals = 0;
    this._handlers.received(message);
    if (message.type === "bye") this.close();
  }

  _lost() {
    this._socket = null;
    if (this._refusals >= MOST_REFUSALS) this.close();
    if (this.state.value === "closed") return;
    this.state.value = "lost";
    const wait = Math.min(FIRST_WAIT * 2 ** this._tries, LONGEST_WAIT) * (0.5 + Math.random());
    this._tries += 1;
    this._retry = window.setTimeout(() => this._open(), wait);
  }

  /** Gives a connection up that may still seem open, and takes it up again. */
  _breakOff() {
    if (this.state.value !== "open") return;
    this._drop();
    this._lost();
  }

  /** The page is looked at again: no reason to wait any longer. */
  _wake() {
    const isDead = this.state.value === "open" && Date.now() - this._lastTick > ASLEEP;
    if (this.state.value === "lost" || isDead) this._open();
  }

  _tick() {
    const late = Date.now() - this._lastTick > ASLEEP;
    this._lastTick = Date.now();
    if (this.state.value !== "open") return;
    if (late && !document.hidden) this._open();
    else this._handlers.beat?.();
  }

  /** Lets go of the socket without hearing of its end. */
  _drop() {
    const socket = this._socket;
    this._socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    // Browsers write a warning when a socket is closed before it is open: such a one is closed as soon as it is.
    const isOpening = socket.readyState === WebSocket.CONNECTING;
    socket.onopen = isOpening ? () => socket.close() : null;
    if (!isOpening) socket.close();
  }
}
