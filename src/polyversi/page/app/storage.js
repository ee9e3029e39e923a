/** The browser's local storage: settings, the games in which this browser has a seat, and its studies. */

/** The stored value of a key, or null. @type {(key: string) => any} */
export function load(key) {
  try {
    return JSON.parse(localStorage.getItem(`polyversi.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/** Stores a value; undefined removes it. @type {(key: string, value: unknown) => void} */
export function save(key, value) {
  try {
    if (value === undefined) localStorage.removeItem(`polyversi.${key}`);
    else localStorage.setItem(`polyversi.${key}`, JSON.stringify(value));
  } catch {
    // Storage may be full or forbidden: the value then lasts as long as the page.
  }
}

const MAX_GAMES = 30;

/**
 * The token of a seat, the links of free seats, and whether whoever has the seat was asked for a name.
 * @typedef {{token: string, links?: Record<string, string>, isNamed?: boolean}} SavedGame
 */

/** A game in which this browser has a seat, or null. @type {(id: string) => SavedGame|null} */
export const savedGame = (id) => load(`game.${id}`);

/** The ids of the games of this browser, newest first. @returns {string[]} */
export const myGames = () => load("games") ?? [];

/** Stores a game and removes the oldest ones. @type {(id: string, game: SavedGame) => void} */
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

const MAX_STUDIES = 50;

/** A study of this browser: what it is called in lists, and when it was changed. @typedef {{id: string, title: string, changed: number}} SavedStudy */

/** The studies of this browser, the one changed last first. @returns {SavedStudy[]} */
export const myStudies = () => load("studies") ?? [];

/** Puts a study on top of the list; the oldest ones leave it, and can be changed by their link as before. @type {(id: string, title: string) => void} */
export function noteStudy(id, title) {
  const others = myStudies().filter((other) => other.id !== id);
  save("studies", [{ id, title, changed: Date.now() }, ...others].slice(0, MAX_STUDIES));
}
