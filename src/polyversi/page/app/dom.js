/** Small helpers for form fields, keys and the window's title. */
import { site } from "./features.js";
import { useEffect } from "./html.js";
import { common } from "./words.js";

/** @param {Event} event */
export function valueOf(event) {
  return /** @type {HTMLInputElement} */ (event.target).value;
}

/** @param {Event} event */
export function isChecked(event) {
  return /** @type {HTMLInputElement} */ (event.target).checked;
}

/** Selects all of a field, ready to be copied. @param {Event} event */
export function selectAll(event) {
  /** @type {HTMLInputElement} */ (event.target).select();
}

/** Whether a key or a paste belongs to whatever has the focus, such as a text field. @param {Event} event */
export function isTyping(event) {
  const at = event.target;
  return at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName));
}

/** Names the window after a view for as long as it is shown. @param {string} text */
export function useTitle(text) {
  useEffect(() => { document.title = `${text} · ${site || common.name}`; }, [text]);
}
