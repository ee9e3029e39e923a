/** The views of the page, each loaded with its styles when it is first wanted. */

/** @typedef {(props: {params: import("./router.js").Params}) => any} View */

/** @type {Record<string, {load: () => Promise<View>, styles: string[]}>} */
const VIEWS = {
  play: { load: async () => (await import("../views/play.js")).PlayView, styles: ["parts", "play", "little"] },
  game: { load: async () => (await import("../views/game.js")).GameView, styles: ["parts", "board", "game", "replay"] },
  watch: { load: async () => (await import("../views/watch.js")).WatchView, styles: ["parts", "little", "watch"] },
  arena: { load: async () => (await import("../views/arena.js")).ArenaView, styles: ["parts", "board", "arena"] },
  editor: { load: async () => (await import("../views/editor.js")).EditorView, styles: ["parts", "board", "editor"] },
  settings: { load: async () => (await import("../views/settings.js")).SettingsView, styles: [] },
  missing: { load: async () => (await import("../views/missing.js")).MissingView, styles: [] },
};

/**
 * Adds a stylesheet to the page once and waits for it.
 * @param {string} name
 * @returns {Promise<void>}
 */
function style(name) {
  const href = `/page/style/${name}.css`;
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
  const { load, styles } = VIEWS[name] ?? VIEWS.missing;
  const [View] = await Promise.all([load(), ...styles.map(style)]);
  return View;
}
