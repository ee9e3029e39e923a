/** What this browser keeps: values in its local storage, and the seats it has in games. */

/**
 * What the browser has kept under this name; nothing where it keeps nothing.
 * @param {string} key
 * @returns {any}
 */
export function kept(key) {
  try {
    return JSON.parse(localStorage.getItem(`polyversi.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Keeps a value under this name; undefined forgets it.
 * @param {string} key
 * @param {unknown} value
 */
export function keep(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`polyversi.${key}`);
    else localStorage.setItem(`polyversi.${key}`, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing: the choice lasts as long as the page.
  }
}

const MOST = 30;

/** @typedef {{token: string, links?: Record<string, string>}} Mine */

/**
 * What this browser has of a game, or null.
 * @param {string} id
 * @returns {Mine|null}
 */
export function mine(id) {
  const found = kept(`game.${id}`);
  return found && typeof found.token === "string" ? found : null;
}

/** The ids of the games of this browser, newest first. @returns {string[]} */
export function myGames() {
  const ids = kept("games");
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
}

/**
 * Keeps the token of a game, and forgets games of long ago.
 * @param {string} id
 * @param {Mine} game
 */
export function keepGame(id, game) {
  keep(`game.${id}`, game);
  const ids = [id, ...myGames().filter((other) => other !== id)];
  for (const old of ids.slice(MOST)) keep(`game.${old}`, undefined);
  keep("games", ids.slice(0, MOST));
}

/**
 * The token of a seat: a link's fragment is kept and taken out of the address bar, where others might read it.
 * @param {string} id
 */
export function tokenFor(id) {
  const given = location.hash.slice(1);
  if (/^[\w-]{16,64}$/.test(given)) {
    keepGame(id, { ...mine(id), token: given });
    history.replaceState(null, "", location.pathname + location.search);
  }
  return mine(id)?.token ?? "";
}
