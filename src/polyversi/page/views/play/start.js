/** Creates a game on the server, from a variant or from what the editor left. */
import { get, post, Problem } from "../../app/api.js";
import { html } from "../../app/html.js";
import { go } from "../../app/router.js";
import { keepGame } from "../../app/storage.js";
import { loadView } from "../../app/views.js";
import { words } from "../../words/words.js";
import { LittleBoard } from "../../components/thumbnail.js";

/** @import { Description, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

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

/** @typedef {{spec?: string, map?: string, position?: string}} Edited */

/** What the editor left for this view, or null. @returns {Edited | null} */
export function takeEdited() {
  try {
    return JSON.parse(sessionStorage.getItem("polyversi.setup") ?? "null");
  } catch {
    return null;
  }
}

/**
 * The game of it, and who plays that.
 * @param {Edited} edited
 * @returns {Promise<[Description, PlayerInfo[]]>}
 */
export async function loadEdited(edited) {
  const { description, problem } = await post("/api/check", edited);
  if (problem) throw new Problem(problem);
  // Nobody has a list of players for a map that was drawn a minute ago: those of any map with as many seats play it.
  const spec = edited.map ? `xt:arena,players=${description.seats}` : edited.spec ?? "";
  return [description, await get(`/api/players?spec=${encodeURIComponent(spec)}`)];
}

/** A picture of it with its name. @param {{edited: Edited, description: Description}} props */
export function EditedHead({ edited, description }) {
  const name = edited.map ? words.editor.ownMap : words.play.spec(description.spec);
  return html`<div class="setup-head">
    <div class="setup-little"><${LittleBoard} description=${description} position=${edited.position || description.start} label=${words.play.picture(name)} /></div>
    <div><h2>${name}</h2><p class="soft small">${edited.position ? words.editor.ownPosition : description.sentence}</p>
      <p class="small"><a href=${edited.map && !edited.position ? "/editor?mode=map" : "/editor"}>${words.editor.back}</a></p></div>
  </div>`;
}
