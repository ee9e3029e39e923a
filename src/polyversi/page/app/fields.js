/** What was typed or chosen in a field, from the event that tells of it. */

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
