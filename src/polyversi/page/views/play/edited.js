/** What was drawn in the editor, ready to be played: a map of one's own, a position, or both. */

import { get, post, Problem } from "../../app/api.js";
import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { LittleBoard } from "../parts/little.js";

/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/types.js").PlayerInfo} PlayerInfo */
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
