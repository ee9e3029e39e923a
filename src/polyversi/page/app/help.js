/** The list of keyboard shortcuts, opened with the question mark. */
import { html, signal, useEffect, useRef } from "./html.js";
import { words } from "../words/words.js";

/** Whether the list is shown. */
export const helpIsOpen = signal(false);

/**
 * Whether a key belongs to whatever has the focus, such as a field one writes in.
 * @param {KeyboardEvent} event
 */
export function isTyping(event) {
  const at = event.target;
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

/** @param {{group: "everywhere"|"board"|"game"}} props */
function Group({ group }) {
  return html`<section><h3>${words.shell.shortcutGroups[group]}</h3>
    <table><tbody>${words.shell.shortcuts[group].map(([keys, what]) => html`<tr key=${keys}>
      <th scope="row">${keys.split(", ").map((key, index) => html`${index ? ", " : ""}<kbd>${key}</kbd>`)}</th>
      <td>${what}</td></tr>`)}
    </tbody></table></section>`;
}

/** The dialog itself; `?` opens it from anywhere but a field. */
export function Help() {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const open = helpIsOpen.value;
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const listen = (event) => {
      if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event)) helpIsOpen.value = true;
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const close = () => { helpIsOpen.value = false; };
  return html`<dialog ref=${dialog} class="help" aria-labelledby="help-title" onClose=${close}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) close(); }}>
    <div class="stack"><div class="row apart"><h2 id="help-title">${words.shell.help}</h2>
      <button class="button" onClick=${close}>${words.shell.close}</button></div>
      <${Group} group="everywhere" /><${Group} group="board" /><${Group} group="game" /></div>
  </dialog>`;
}
