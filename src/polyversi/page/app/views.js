/** The views of the page: adding one takes a folder in views/ and an entry here. */
import { canPlay } from "./features.js";

/** @import { Params } from "./router.js" */
/** @typedef {(props: {params: Params}) => any} View */
/**
 * @typedef {object} ViewEntry
 * @property {string} title what navigation and window call it
 * @property {() => Promise<View>} load
 * @property {string[]} styles stylesheets it needs besides those of index.html, as paths below /page/
 * @property {boolean} [inNavigation] whether the header links to it
 * @property {boolean} [isForPlaying] whether a server that only shows games leaves it out
 */

/** By the first part of the address; the order is that of the navigation. @type {Record<string, ViewEntry>} */
const ALL = {
  play: {
    title: "Play",
    load: async () => (await import("../views/play/view.js")).PlayView,
    styles: ["style/parts.css", "style/play.css", "style/little.css"], inNavigation: true, isForPlaying: true,
  },
  watch: {
    title: "Watch",
    load: async () => (await import("../views/watch/view.js")).WatchView,
    styles: ["style/parts.css", "style/little.css", "style/watch.css"], inNavigation: true,
  },
  arena: {
    title: "Arena",
    load: async () => (await import("../views/arena/view.js")).ArenaView,
    styles: ["style/parts.css", "style/board.css", "style/arena.css"], inNavigation: true, isForPlaying: true,
  },
  editor: {
    title: "Editor",
    load: async () => (await import("../views/editor/view.js")).EditorView,
    styles: ["style/parts.css", "style/board.css", "style/editor.css"], inNavigation: true, isForPlaying: true,
  },
  game: {
    title: "Game",
    load: async () => (await import("../views/game/view.js")).GameView,
    styles: ["style/parts.css", "style/board.css", "style/game.css", "style/replay.css"],
  },
  settings: {
    title: "Settings",
    load: async () => (await import("../views/settings/view.js")).SettingsView,
    styles: [],
  },
};

/** The views that this server has. */
export const VIEWS = new Map(Object.entries(ALL).filter(([, { isForPlaying }]) => canPlay || !isForPlaying));

/**
 * Adds a stylesheet to the page once and waits for it.
 * @param {string} path
 * @returns {Promise<void>}
 */
function loadStyle(path) {
  const href = `/page/${path}`;
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => { link.remove(); reject(new Error(href)); };
    document.head.append(link);
  });
}

/**
 * The component of a view, with its styles in place.
 * @param {string} name
 * @returns {Promise<View>}
 */
export async function loadView(name) {
  const entry = VIEWS.get(name);
  if (!entry) throw new Error(`no view ${name}`);
  const [View] = await Promise.all([entry.load(), ...entry.styles.map(loadStyle)]);
  return View;
}
