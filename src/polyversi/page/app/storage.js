/** The browser's local storage: settings, and the games in which this browser has a seat. */

/**
 * The stored value of a key, or null.
 * @param {string} key
 * @returns {any}
 */
export function load(key) {
  try {
    return JSON.parse(localStorage.getItem(`polyversi.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Stores a value; undefined removes it.
 * @param {string} key
 * @param {unknown} value
 */
export function save(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`polyversi.${key}`);
    else localStorage.setItem(`polyversi.${key}`, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden: the value then lasts as long as the page.
  }
}

const MAX_GAMES = 30;

/** @typedef {{token: string, links?: Record<string, string>}} SavedGame the token of a seat, and the links of free seats */

/**
 * A game in which this browser has a seat, or null.
 * @param {string} id
 * @returns {SavedGame|null}
 */
export function savedGame(id) {
  const found = load(`game.${id}`);
  return found && typeof found.token === "string" ? found : null;
}

/** The ids of the games of this browser, newest first. @returns {string[]} */
export function myGames() {
  const ids = load("games");
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/**
 * Stores a game and removes the oldest ones.
 * @param {string} id
 * @param {SavedGame} game
 */
export function saveGame(id, game) {
  save(`game.${id}`, game);
  const ids = [id, ...myGames().filter((other) => other !== id)];
  for (const old of ids.slice(MAX_GAMES)) save(`game.${old}`, undefined);
  save("games", ids.slice(0, MAX_GAMES));
}

/**
 * The token of a seat. One in the fragment of the address is stored and taken out of the address bar, where others might read it.
 * @param {string} id
 */
export function tokenFor(id) {
  const given = location.hash.slice(1);
  if (/^[\w-]{16,64}$/.test(given)) {
    saveGame(id, { ...savedGame(id), token: given });
    history.replaceState(null, "", location.pathname + location.search);
  }
  return savedGame(id)?.token ?? "";
}
