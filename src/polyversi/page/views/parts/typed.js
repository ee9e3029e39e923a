/** Fields that keep what somebody is writing, whatever is drawn anew around them, and give it out when it is finished. */

import { html, useLayoutEffect, useRef } from "../../app/html.js";

/**
 * An input that shows its value again only when that value changes.
 * @param {{value: string | number, [attribute: string]: any}} props
 */
export function TypedInput({ value, ...attributes }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => { if (input.current) input.current.value = String(value); }, [value]);
  return html`<input ref=${input} ...${attributes} />`;
}

/**
 * An input for a whole number within bounds; anything else is taken back.
 * @param {{value: number, low: number, high: number, onNumber: (value: number) => void, [attribute: string]: any}} props
 */
export function NumberInput({ value, low, high, onNumber, ...attributes }) {
  const take = (/** @type {HTMLInputElement} */ field) => {
    const number = Math.round(Number(field.value));
    if (field.value !== "" && number >= low && number <= high) onNumber(number);
    else field.value = String(value);
  };
  return html`<${TypedInput} type="number" inputmode="numeric" min=${low} max=${high} value=${value}
    onChange=${(/** @type {any} */ event) => take(event.target)} ...${attributes} />`;
}
