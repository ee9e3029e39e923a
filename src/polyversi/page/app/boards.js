/** The boards of games in lists, each requested once. */
import { get } from "./api.js";

/** @import { Description, Summary } from "./types.js" */

/** Boards that are kept at most; those of maps are large. */
const MAX = 40;
/** Boards requested lately, those asked for last at the end. @type {Map<string, Promise<Description>>} */
const boards = new Map();

/** Games with the same specification and colours share a board, except those on a custom map. @param {Summary} game */
export const keyOf = ({ id, spec, has_map: hasMap, colours }) => (hasMap ? `game ${id}` : `${spec} ${colours}`);

/** The description of what is played in a game. @param {Summary} game @returns {Promise<Description>} */
export function boardOf(game) {
  const key = keyOf(game);
  const request = boards.get(key) ?? get(`/api/games/${game.id}`).then((info) => info.description);
  request.catch(() => boards.delete(key));
  boards.delete(key);
  boards.set(key, request);
  const [oldest] = boards.keys();
  if (boards.size > MAX) boards.delete(oldest);
  return request;
}
