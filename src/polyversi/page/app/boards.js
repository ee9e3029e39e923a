/** The boards of games in lists, each requested once. */
import { get } from "./api.js";

/** @import { Description, Summary } from "./types.js" */

/**
 * Boards requested so far; games with the same specification share one, except those on a custom map.
 * @type {Map<string, Promise<Description>>}
 */
const boards = new Map();
/** Boards that are kept at most; those of maps are large. */
const MAX = 24;

/** @param {Summary} summary @returns {Promise<Description>} */
export function boardOf(summary) {
  const key = summary.has_map || summary.series ? `game ${summary.id}` : summary.spec;
  const request = boards.get(key) ?? get(`/api/games/${summary.id}`).then((info) => info.description);
  request.catch(() => boards.delete(key));
  boards.set(key, request);
  const [oldest] = boards.keys();
  if (boards.size > MAX) boards.delete(oldest);
  return request;
}
