/** A button with a picture; its words are for the pointer that rests on it and for screen readers. */
import { html } from "../../app/html.js";
import { Icon } from "../../app/icons.js";

/**
 * @param {{icon: string, label: string, onClick: () => void, disabled?: boolean, look?: string}} props
 */
export function IconButton({ icon, label, onClick, disabled = false, look = "" }) {
  return html`
    <button type="button" class=${`button icon ${look}`} aria-label=${label} title=${label} disabled=${disabled}
      onClick=${onClick}><${Icon} name=${icon} /></button>`;
}
