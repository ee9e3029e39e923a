/** Undo and redo, as buttons and as keys. */

import { html } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { isTyping } from "../../app/help.js";
import { words } from "../../words/words.js";

/** @typedef {import("./history.js").History<any>} Any */

/** @param {{history: Any}} props */
export function UndoButtons({ history }) {
  return html`
    <div class="row editor-undo">
      <button type="button" class="button icon" aria-label=${words.editor.undo} title=${`${words.editor.undo} (Ctrl+Z)`}
        disabled=${!history.canUndo.value} onClick=${() => history.undo()}><${Icon} name="undo" /></button>
      <button type="button" class="button icon" aria-label=${words.editor.redo} title=${`${words.editor.redo} (Ctrl+Shift+Z)`}
        disabled=${!history.canRedo.value} onClick=${() => history.redo()}><${Icon} name="redo" /></button>
    </div>`;
}

/**
 * @param {KeyboardEvent} event
 * @param {Any} history
 */
export function onUndoKeys(event, history) {
  if (!(event.ctrlKey || event.metaKey) || isWriting(event)) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) history.undo();
  else if (key === "y" || key === "z") history.redo();
  else return;
  event.preventDefault();
}

/**
 * Whether the keys belong to a field that has an undo of its own.
 * @param {KeyboardEvent} event
 */
function isWriting(event) {
  const isRadio = event.target instanceof HTMLInputElement && event.target.type === "radio";
  return isTyping(event) && !isRadio;
}
