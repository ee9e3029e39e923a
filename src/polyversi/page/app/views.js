/** The views of the page: adding one takes a folder in views/ and an entry here. */
import { canPlay } from "./features.js";

/** @import { Params } from "./router.js" */
/** @typedef {(props: {params: Params}) => any} View */
/**
 * @typedef {object} ViewEntry
 * @property {string} title its name in the navigation
 * @property {boolean} [inNavigation] whether the header links to it
 * @property {boolean} [isForPlaying] whether a server that only shows games leaves it out
 */

/**
 * By the name of the folder, which is also the first part of the address; the order is that of the navigation. A folder
 * has view.js, which exports View, and style.css.
 * @type {Record<string, ViewEntry>}
 */
const ALL = {
  play: { title: "Play", inNavigation: true, isForPlaying: true },
  watch: { title: "Watch", inNavigation: true },
  arena: { title: "Arena", inNavigation: true, isForPlaying: true },
  editor: { title: "Editor", inNavigation: true, isForPlaying: true },
  game: { title: "Game" },
  settings: { title: "Settings" },
};

/** The views that this server has. */
export const VIEWS = new Map(Object.entries(ALL).filter(([, { isForPlaying }]) => canPlay || !isForPlaying));

/**
 * Adds the stylesheet of a view to the page once and waits for it.
 * @param {string} view
 * @returns {Promise<void>}
 */
function loadStyle(view) {
  const href = `/page/views/${view}/style.css`;
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
 * The component of a view, with its style in place.
 * @param {string} name
 * @returns {Promise<View>}
 */
export async function loadView(name) {
  const [{ View }] = await Promise.all([import(`../views/${name}/view.js`), loadStyle(name)]);
  return View;
}
