/** Sets a game up on the server, and who is offered as an opponent. */
import { post } from "../../app/api.js";
import { keepGame } from "../../app/mine.js";
import { go } from "../../app/router.js";
import { loadView } from "../../app/views.js";

/** @typedef {import("../../app/types.js").PlayerInfo} PlayerInfo */

/** Who plays well, in the order in which one would like to meet them. */
const PREFERRED = ["six-factor", "group6", "matrix", "t34", "t77", "mobility"];

/**
 * The player that is offered first.
 * @param {PlayerInfo[]} players
 */
export function usualPlayer(players) {
  const suited = players.filter(({ unsuited }) => !unsuited).map((player) => player.name);
  return PREFERRED.find((player) => suited.includes(player)) ?? suited[0] ?? "";
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
