/** A WebSocket that reconnects by itself: with growing delays, and at once when the page becomes visible. */
import { signal } from "./html.js";

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 4000;
/** A heartbeat this late (ms) means that the machine slept: the connection is dead though it seems open. */
const SLEEP_GAP = 15000;
const MIN_DELAY = 250;
const MAX_DELAY = 5000;
/** Refusals in a row after which it gives up. */
const MAX_REFUSALS = 3;

/** @template {{type: string}} Message */
export class Connection {
  /**
   * The heartbeat is called every few seconds while the connection is open.
   * @param {string} path such as /api/games/ID/socket
   * @param {{opened: () => void, received: (message: Message) => void, heartbeat?: () => void}} handlers
   */
  constructor(path, handlers) {
    /** Where the connection stands; "lost" while it reconnects, "closed" for good. */
    this.state = signal(/** @type {"connecting"|"open"|"lost"|"closed"} */ ("connecting"));
    this._path = path;
    this._handlers = handlers;
    /** @type {WebSocket|null} */
    this._socket = null;
    this._attempts = 0;
    this._refusals = 0;
    this._retry = 0;
    this._heartbeat = window.setInterval(() => this._tick(), HEARTBEAT);
    this._lastTick = Date.now();
    this._stop = new AbortController();
    const { signal: stopped } = this._stop;
    document.addEventListener("visibilitychange", () => this._wake(), { signal: stopped });
    // A socket does not report a lost network: it seems open until a message fails to arrive.
    addEventListener("offline", () => this._reconnect(), { signal: stopped });
    addEventListener("online", () => this._open(), { signal: stopped });
    addEventListener("pageshow", () => this._wake(), { signal: stopped });
  }

  /** Connects, and from then on stays connected. */
  open() {
    if (this.state.value === "connecting") this._open();
  }

  /** Sends a message if the connection is open, and returns whether it was sent. @param {object} message */
  send(message) {
    if (this._socket?.readyState !== WebSocket.OPEN) return false;
    this._socket.send(JSON.stringify(message));
    return true;
  }

  /** Ends the connection for good. */
  close() {
    this.state.value = "closed";
    this._stop.abort();
    clearInterval(this._heartbeat);
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
    this._attempts = 0;
    this._refusals = message.type === "error" ? this._refusals + 1 : 0;
    this._handlers.received(message);
    if (message.type === "bye") this.close();
  }

  _lost() {
    this._socket = null;
    if (this._refusals >= MAX_REFUSALS) this.close();
    if (this.state.value === "closed") return;
    this.state.value = "lost";
    const wait = Math.min(MIN_DELAY * 2 ** this._attempts, MAX_DELAY) * (0.5 + Math.random());
    this._attempts += 1;
    this._retry = window.setTimeout(() => this._open(), wait);
  }

  /** Drops a connection that may still seem open, and reconnects. */
  _reconnect() {
    if (this.state.value !== "open") return;
    this._drop();
    this._lost();
  }

  /** The page may be visible again: no reason to wait any longer. */
  _wake() {
    const isDead = this.state.value === "open" && Date.now() - this._lastTick > SLEEP_GAP;
    if (!document.hidden && (this.state.value === "lost" || isDead)) this._open();
  }

  _tick() {
    const late = Date.now() - this._lastTick > SLEEP_GAP;
    this._lastTick = Date.now();
    if (this.state.value !== "open") return;
    if (late && !document.hidden) this._open();
    else this._handlers.heartbeat?.();
  }

  /** Closes the socket without handling its end. */
  _drop() {
    const socket = this._socket;
    this._socket = null;
    if (!socket) return;
    socket.onmessage = socket.onclose = null;
    // Browsers log a warning when a socket is closed before it has opened, so this waits until it has.
    const isOpening = socket.readyState === WebSocket.CONNECTING;
    socket.onopen = isOpening ? () => socket.close() : null;
    if (!isOpening) socket.close();
  }
}
