/** Fields for names and passwords, as browsers and password managers know them. */
import { valueOf } from "../app/dom.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";

/** Characters of the shortest password. */
const SHORTEST = 8;

/**
 * @param {{label: string, value: string, onInput: (text: string) => void, type?: string, autocomplete?: string, placeholder?: string}} props
 */
export function TextField({ label, value, onInput, type = "text", autocomplete = "off", placeholder = "" }) {
  return html`<label class="field"><span>${label}</span>
    <input type=${type} value=${value} autocomplete=${autocomplete} placeholder=${placeholder} maxlength="200"
      onInput=${(/** @type {Event} */ event) => onInput(valueOf(event))} /></label>`;
}

/** @param {{label: string, value: string, onInput: (text: string) => void, autocomplete: string}} props */
export function PasswordField(props) {
  return html`<${TextField} type="password" ...${props} />`;
}

/** A password that is to be, with what it has to be like. @param {{value: string, onInput: (text: string) => void}} props */
export function NewPassword({ value, onInput }) {
  const isShort = value.length > 0 && value.length < SHORTEST;
  return html`<div class="described">
    <${PasswordField} label=${t("New password")} value=${value} onInput=${onInput} autocomplete="new-password" />
    <p class=${`small meaning ${isShort ? "wrong" : "soft"}`}>
      ${t("At least {count} characters; a few words are easy to remember and hard to guess.", { count: SHORTEST })}</p>
  </div>`;
}

/** Tells password managers whose password a form is about; people do not see it. @param {{name: string}} props */
export function WhoseForm({ name }) {
  return html`<input class="visually-hidden" type="text" name="username" autocomplete="username" value=${name} readonly
    tabindex="-1" aria-hidden="true" />`;
}
