/** Sets a game up on the server, and who is offered as an opponent, at what level. */
import { post } from "../../app/api.js";
import { keepGame } from "../../app/mine.js";
import { go } from "../../app/router.js";
import { loadView } from "../../app/views.js";

/** @typedef {import("../../app/types.js").PlayerInfo} PlayerInfo */
/** @typedef {import("../parts/options.js").Values} Values */

/** Who plays well, in the order in which one would like to meet them. */
const PREFERRED = ["polyversi", "group6", "t34", "t77", "mobility"];

/** What players are given at first whose full strength few people enjoy. @type {Record<string, Values>} */
const ENJOYABLE = { polyversi: { level: "5" } };

/**
 * The player that is offered first.
 * @param {PlayerInfo[]} players
 */
export function usualPlayer(players) {
  const suited = players.filter(({ unsuited }) => !unsuited).map((player) => player.name);
  return PREFERRED.find((player) => suited.includes(player)) ?? suited[0] ?? "";
}

/**
 * The options with which a player is offered, as far as they are not its own usual ones.
 * @param {string} player
 */
export function offeredValues(player) {
  return ENJOYABLE[player] ?? {};
}

/**
 * Sets a game up and goes there.
 * @param {object} wanted what POST /api/games takes
 */
export async function begin(wanted) {
  // The view is fetched while the server sets the game up; if that fails, going there says so.
  loadView("game").catch(() => {});
  const { game, token, links } = await post("/api/games", wanted);
  if (token || Object.keys(links).length) keepGame(game, { token, links });
  go(`/game/${game}`);
}
