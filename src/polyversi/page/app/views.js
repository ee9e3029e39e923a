/** The views of the page: adding one takes a folder in views/ and an entry here. */
import { canPlay, hasEvents, site } from "./features.js";
import { t } from "./i18n.js";

/** @import { Params } from "./router.js" */
/** @typedef {(props: {params: Params}) => any} View */

/**
 * By the name of the folder, which is also the first part of the address; the order is that of the navigation. A folder
 * has view.js, which exports View, and style.css. A server that only shows games leaves out what is for
 * playing, and one without a site what is for a site.
 * @type {Record<string, {title: () => string, inNavigation?: boolean, isForPlaying?: boolean, isForSite?: boolean,
 *   isForEvents?: boolean}>}
 */
const ALL = {
  home: { title: () => t("Home"), isForPlaying: true },
  play: { title: () => t("Play"), inNavigation: true, isForPlaying: true },
  lobby: { title: () => t("Lobby"), inNavigation: true, isForSite: true },
  ladder: { title: () => t("Ladder"), inNavigation: true, isForSite: true },
  bots: { title: () => t("Bots"), inNavigation: true, isForSite: true },
  events: { title: () => t("Events"), inNavigation: true, isForEvents: true },
  puzzles: { title: () => t("Puzzles"), inNavigation: true, isForPlaying: true },
  watch: { title: () => t("Watch"), inNavigation: true },
  analysis: { title: () => t("Analysis"), inNavigation: true, isForPlaying: true },
  arena: { title: () => t("Arena"), inNavigation: true, isForPlaying: true },
  editor: { title: () => t("Editor"), inNavigation: true, isForPlaying: true },
  game: { title: () => t("Game") },
  rules: { title: () => t("Rules") },
  settings: { title: () => t("Settings") },
  store: { title: () => t("Store"), isForPlaying: true },
  people: { title: () => t("People"), isForSite: true },
  organise: { title: () => t("Organise"), isForSite: true },
  "sign-in": { title: () => t("Sign in"), isForSite: true },
};

/** The views that this server has. */
export const VIEWS = new Map(Object.entries(ALL).filter(([, { isForPlaying, isForSite, isForEvents }]) =>
  (canPlay || !isForPlaying) && (site || !isForSite) && (hasEvents || !isForEvents)));

/** Adds the stylesheet of a view to the page once and waits for it. @type {(view: string) => Promise<unknown>} */
async function loadStyle(view) {
  const href = `/page/views/${view}/style.css`;
  if (document.querySelector(`link[href="${href}"]`)) return undefined;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  return new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => { link.remove(); reject(new Error(href)); };
    document.head.append(link);
  });
}

/** The component of a view, with its style in place. @type {(name: string) => Promise<View>} */
export async function loadView(name) {
  const [{ View }] = await Promise.all([import(`../views/${name}/view.js`), loadStyle(name)]);
  return View;
}
