/** Creates a game on the server, from a variant or from what the editor left. */
import { post, Problem } from "../../app/api.js";
import { html } from "../../app/html.js";
import { go } from "../../app/router.js";
import { keepGame } from "../../app/storage.js";
import { loadView } from "../../app/views.js";
import { words } from "../../words/words.js";
import { LittleBoard } from "../../components/thumbnail.js";

/** @import { Description, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/**
 * The player that is offered first, with its options: the strongest that plays this game.
 * @param {PlayerInfo[]} players
 * @returns {{player: string, values: Values}}
 */
export function firstOpponent(players) {
  const first = players.find(({ unsuited }) => !unsuited);
  return { player: first?.name ?? "", values: first?.offered ?? {} };
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
  const { spec = "", map = "" } = edited;
  return [description, await post("/api/players", { spec, map })];
}

/** A picture of it with its name. @param {{edited: Edited, description: Description}} props */
export function EditedHead({ edited, description }) {
  const name = edited.map ? words.editor.ownMap : description.title;
  return html`<div class="setup-head">
    <div class="setup-little"><${LittleBoard} description=${description} position=${edited.position || description.start} label=${words.play.picture(name)} /></div>
    <div><h2>${name}</h2><p class="soft small">${edited.position ? words.editor.ownPosition : description.sentence}</p>
      <p class="small"><a href=${edited.map && !edited.position ? "/editor?mode=map" : "/editor"}>${words.editor.back}</a></p></div>
  </div>`;
}
