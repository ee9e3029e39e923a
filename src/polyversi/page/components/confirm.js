/** A dialog that asks before something happens that cannot be undone. */
import { html, useLayoutEffect, useRef } from "../app/html.js";
import { common } from "../app/words.js";

/**
 * @param {{title: string, text: string, action: string, onConfirm: () => void, onCancel: () => void}} props
 */
export function Confirm({ title, text, action, onConfirm, onCancel }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useLayoutEffect(() => { dialog.current?.showModal(); }, []);
  return html`<dialog ref=${dialog} aria-labelledby="confirm-title" onCancel=${onCancel}>
    <div class="stack"><h2 id="confirm-title">${title}</h2><p>${text}</p>
      <div class="row"><button class="button danger" onClick=${onConfirm}>${action}</button>
        <button class="button" onClick=${onCancel}>${common.cancel}</button></div></div>
  </dialog>`;
}
