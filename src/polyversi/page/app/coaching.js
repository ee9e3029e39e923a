/** Whether this browser's visitor is being coached: in the first game, or in the next one after asking for it. */
import { load, myGames, save } from "./storage.js";

/** The game that is coached and the tips that were given in it; empty before it begins. @typedef {{game: string, given: string[]}} Coaching */

const KEY = "coaching";

/** What was given so far in a game, or null if it is not coached. @type {(game: string) => string[]|null} */
export function tipsGiven(game) {
  const isFirst = myGames().every((other) => other === game);
  /** @type {Coaching|"over"} */
  const found = load(KEY) ?? (isFirst ? { game: "", given: [] } : "over");
  if (found === "over" || (found.game && found.game !== game)) return null;
  save(KEY, { ...found, game });
  return found.given;
}

/** Remembers what was given. @type {(game: string, given: string[]) => void} */
export const rememberTips = (game, given) => save(KEY, { game, given });

/** No more tips, in no game. */
export const endCoaching = () => save(KEY, "over");

/** The next game is coached, however many there were before. */
export const askForCoaching = () => save(KEY, { game: "", given: [] });
