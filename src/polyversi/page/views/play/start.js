/** Creates a game on the server, from a variant or from what the editor left. */
import { post, Problem } from "../../app/api.js";
import { html } from "../../app/html.js";
import { go } from "../../app/router.js";
import { saveGame } from "../../app/storage.js";
import { loadView } from "../../app/views.js";
import { Thumbnail } from "../../components/thumbnail.js";
import { words } from "./words.js";

/** @import { Description, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/**
 * The opponent that is offered first: the strongest that plays the game.
 * @param {PlayerInfo[]} players
 * @returns {{player: string, values: Values}}
 */
export function firstOpponent(players) {
  const first = players.find(({ unsuited }) => !unsuited);
  return { player: first?.name ?? "", values: first?.offered ?? {} };
}

/** Sets a game up and goes there. @param {object} wanted what POST /api/games takes */
export async function startGame(wanted) {
  // The view is fetched while the server sets the game up; if that fails, going there says so.
  loadView("game").catch(() => {});
  const { game, token, links } = await post("/api/games", wanted);
  if (token || Object.keys(links).length) saveGame(game, { token, links });
  go(`/game/${game}`);
}

/** @typedef {{spec?: string, map?: string, position?: string}} Edited */

/** What the editor left for this view, or null. @returns {Edited | null} */
export function loadEditedSetup() {
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
export async function describeEdited(edited) {
  const { description, problem } = await post("/api/check", edited);
  if (problem) throw new Problem(problem);
  const { spec = "", map = "" } = edited;
  return [description, await post("/api/players", { spec, map })];
}

/** A picture of it with its name. @param {{edited: Edited, description: Description}} props */
export function EditedHead({ edited, description }) {
  const name = edited.map ? words.edited.map : description.title;
  return html`<div class="setup-head">
    <div class="setup-thumbnail"><${Thumbnail} description=${description} position=${edited.position || description.start} label=${words.picture(name)} /></div>
    <div><h2>${name}</h2><p class="soft small">${edited.position ? words.edited.position : description.sentence}</p>
      <p class="small"><a href=${edited.map && !edited.position ? "/editor?mode=map" : "/editor"}>${words.edited.back}</a></p></div>
  </div>`;
}
