/** Takes what was edited to the play view. */

import { html } from "../../app/html.js";
import { go } from "../../app/router.js";
import { words } from "../../words/words.js";

/** Where the play view finds it. */
const KEY = "polyversi.setup";

/** @param {{setup: {spec?: string, map?: string, position?: string}, disabled?: boolean}} props */
export function PlayButton({ setup, disabled = false }) {
  const play = () => {
    sessionStorage.setItem(KEY, JSON.stringify(setup));
    go("/play?from=editor");
  };
  return html`<button type="button" class="button primary big" disabled=${disabled} onClick=${play}>${words.editor.play}</button>`;
}
