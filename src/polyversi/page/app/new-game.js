/** New games: who is offered as an opponent, and what the server is asked to set up. */
import { get, post } from "./api.js";
import { t } from "./i18n.js";
import { go } from "./router.js";
import { name } from "./settings.js";
import { specOf } from "./specs.js";
import { load, save, saveGame } from "./storage.js";
import { loadView } from "./views.js";

/** @import { Option, PlayerInfo } from "./types.js" */
/** @import { Values } from "./specs.js" */

/** @typedef {{kind: "me"|"friend"|"computer", player: string, values: Values}} Seat */
/** @typedef {{spec?: string, map?: string, position?: string}} Edited a game; the editor hands over maps and positions */

/** The players that can play a game, the strongest first. @type {(spec: string, stop?: AbortSignal) => Promise<PlayerInfo[]>} */
export async function playersFor(spec, stop) {
  const all = /** @type {PlayerInfo[]} */ (await get(`/api/players?spec=${encodeURIComponent(spec)}`, stop));
  return all.filter(({ unsuited }) => !unsuited);
}

/** The option that says how well a player plays, from 1 to the number of its levels. @type {(player: PlayerInfo|undefined) => Option|undefined} */
export const levelOf = (player) => (player?.levels.length ? player.options.find(({ name: option }) => option === "level") : undefined);

/** The options with which a player is offered; a level chosen before is kept while it is one. @type {(player: PlayerInfo) => Values} */
export function offeredValues(player) {
  const chosen = Number(load("levels")?.[player.name] ?? NaN);
  const isLevel = levelOf(player) && Number.isInteger(chosen) && chosen >= 1 && chosen <= player.levels.length;
  return isLevel ? { ...player.offered, level: String(chosen) } : player.offered;
}

/** Keeps the level of a player for the next game. @type {(player: string, level: string) => void} */
function rememberLevel(player, level) {
  save("levels", { ...load("levels"), [player]: Number(level) });
}

/**
 * The opponent that is offered first: the strongest that plays the game.
 * @param {PlayerInfo[]} players
 * @returns {{player: string, values: Values}}
 */
export function firstOpponent([first]) {
  return first ? { player: first.name, values: offeredValues(first) } : { player: "", values: {} };
}

/**
 * Sets a game up on the server and goes there.
 * @param {Edited} game
 * @param {Seat[]} seats
 * @param {PlayerInfo[]} players
 * @param {string} limit
 */
export async function startGame(game, seats, players, limit = "none") {
  // The view is fetched while the server sets the game up; a failure is reported when the page goes there.
  loadView("game").catch(() => {});
  const wanted = seats.map(({ kind, player, values }) => {
    if (kind === "me") return { kind, name: name.value || t("Guest") };
    const options = players.find((one) => one.name === player)?.options ?? [];
    return kind === "computer" ? { kind, player: specOf(player, options, values) } : { kind };
  });
  const { game: id, token, links } = await post("/api/games", { ...game, seats: wanted, limit });
  if (token || Object.keys(links).length) saveGame(id, { token, links });
  for (const { kind, player, values } of seats) if (kind === "computer" && values.level) rememberLevel(player, values.level);
  go(`/game/${id}`);
}
