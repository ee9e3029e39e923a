/** Form fields: choices, numbers, files, the options of a variant or player. */
import { isChecked, valueOf } from "../app/dom.js";
import { html, useLayoutEffect, useRef, useSignal } from "../app/html.js";
import { number, t } from "../app/i18n.js";
import { defaultOf } from "../app/specs.js";

/** @import { Values } from "../app/specs.js" */
/** @import { Option, PlayerInfo, Variant } from "../app/types.js" */

/**
 * A list to choose from: `options` are texts by value, or else the children are option elements.
 * @param {{label: any, value: string|number, onChange: (value: string, field: HTMLSelectElement) => void, options?: Record<string, string>,
 *   children?: any, class?: string}} props
 */
export function Select({ label, value, onChange, options = {}, children, class: name = "" }) {
  const change = (/** @type {Event} */ event) => onChange(valueOf(event), /** @type {HTMLSelectElement} */ (event.target));
  return html`
    <label class=${`field ${name}`}><span>${label}</span>
      <select value=${value} onChange=${change}>${children}
        ${Object.entries(options).map(([option, text]) => html`<option key=${option} value=${option}>${text}</option>`)}
      </select></label>`;
}

/**
 * A few choices side by side, of which one is chosen: pairs of a value and a text.
 * @param {{label: string, name: string, value: string, options: [value: string, text: string][], onChange: (value: string) => void}} props
 */
export function Segments({ label, name, value, options, onChange }) {
  return html`<fieldset><legend>${label}</legend>
    <span class="segments">${options.map(([option, text]) => html`<label key=${option}>
      <input type="radio" class="visually-hidden" name=${name} checked=${option === value} onChange=${() => onChange(option)} />
      <span>${text}</span></label>`)}</span></fieldset>`;
}

/** @param {{label: string, checked: boolean, onChange: (checked: boolean) => void, disabled?: boolean}} props */
export function Checkbox({ label, checked, onChange, disabled = false }) {
  return html`
    <label class="check"><input type="checkbox" checked=${checked} disabled=${disabled}
      onChange=${(/** @type {Event} */ event) => onChange(isChecked(event))} />${label}</label>`;
}

/**
 * An input that keeps what is being typed: it shows its value again only when that value changes.
 * @param {{value: string | number, [attribute: string]: any}} props
 */
function TypedInput({ value, ...attributes }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  useLayoutEffect(() => { if (input.current) input.current.value = String(value); }, [value]);
  return html`<input ref=${input} ...${attributes} />`;
}

/**
 * An input for a whole number within bounds, or for none (null) where it is optional; anything else is reset to the last value.
 * @param {{value: number|null, low: number, high: number, onNumber: (value: any) => void, isOptional?: boolean, [attribute: string]: any}} props
 */
export function NumberInput({ value, low, high, onNumber, isOptional = false, ...attributes }) {
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    const number = Math.round(Number(field.value));
    if (field.value !== "" && number >= low && number <= high) onNumber(number);
    else if (field.value === "" && isOptional && !field.validity.badInput) onNumber(null);
    else field.value = String(value ?? "");
  };
  return html`<${TypedInput} type="number" inputmode="numeric" min=${low} max=${high} value=${value ?? ""}
    onChange=${change} ...${attributes} />`;
}

/** A number input with a label. @param {{label: string, value: number|null, low: number, high: number, [attribute: string]: any}} props */
export function NumberField({ label, ...attributes }) {
  return html`<label class="field"><span>${label}</span><${NumberInput} ...${attributes} /></label>`;
}

/**
 * A button that opens the browser's file dialog.
 * @param {{label: string, accept: string, onFile: (file: File) => void, isBusy?: boolean, children?: any}} props
 */
export function FileButton({ label, accept, onFile, isBusy = false, children }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const change = () => {
    const file = input.current?.files?.[0];
    if (file) onFile(file);
    if (input.current) input.current.value = "";
  };
  return html`
    <input ref=${input} type="file" hidden aria-label=${label} accept=${accept} onChange=${change} />
    <button type="button" class="button" disabled=${isBusy} onClick=${() => input.current?.click()}>${children ?? label}</button>`;
}

/** The variants as options of a list, grouped by family. @param {{variants: Variant[]}} props */
export function VariantOptions({ variants }) {
  const families = [...new Set(variants.map(({ family }) => family))];
  return families.map((family) => html`<optgroup key=${family.name} label=${t(family.label)}>
    ${variants.filter((variant) => variant.family === family).map(({ name, label }) => html`
      <option key=${name} value=${name}>${t(label)}</option>`)}
  </optgroup>`);
}

/**
 * A list of variants or players, the children, with the sentence and the options of the one that is chosen.
 * @param {{label: any, name: string, title?: string, info: Variant|PlayerInfo|undefined, values: Values,
 *   onChange: (name: string, values: Values) => void, children?: any}} props
 */
export function ChoiceField({ label, name, title = name, info, values, onChange, children }) {
  return html`
    <div class="stack tight">
      <${Select} label=${label} value=${name} onChange=${(/** @type {string} */ chosen) => onChange(chosen, {})}>${children}<//>
      ${info && html`<p class="soft small">${t(info.sentence)}</p>`}
      ${info && info.options.length > 0 && html`<details class="choice-options">
        <summary>${t("Options for {name}", { name: t(title) })}</summary>
        <${OptionFields} options=${info.options} values=${values}
          onChange=${(/** @type {Values} */ changed) => onChange(name, changed)} />
      </details>`}
    </div>`;
}

/**
 * The fields of options; with `pictureOf`, choices that are best told apart by pictures have these. Pictures leave the other
 * options as they usually are, since not everything goes together.
 * @param {{options: Option[], values: Values, onChange: (values: Values) => void, pictureOf?: (values: Values) => string}} props
 */
export function OptionFields({ options, values, onChange, pictureOf }) {
  return html`<div class="option-fields">
    ${options.map((option) => {
      const change = (/** @type {string} */ value) => onChange({ ...values, [option.name]: value });
      const field = { key: option.name, option, value: values[option.name] || defaultOf(option), onChange: change };
      if (!option.is_pictured || !pictureOf) return html`<${OptionField} ...${field} />`;
      return html`<${PictureField} ...${field}
        pictureOf=${(/** @type {string} */ value) => pictureOf({ [option.name]: value })} />`;
    })}
  </div>`;
}

/** The choices of an option with their words; the first is the default where that depends on other options. @type {(option: Option) => [value: string, words: string][]} */
function choicesOf(option) {
  const words = option.words ?? option.choices ?? [];
  const choices = (option.choices ?? []).map((value, at) => /** @type {[string, string]} */ ([value, t(words[at])]));
  return defaultOf(option) === "" ? [["", option.usual ? t(option.usual) : t("As usual")], ...choices] : choices;
}

/** What an option changes, in a sentence below its field. @param {{option: Option}} props */
function Meaning({ option }) {
  return option.meaning ? html`<p class="meaning small soft">${t(option.meaning)}</p>` : null;
}

/** Choices as pictures of what they lead to. @param {{option: Option, value: string, onChange: (value: string) => void, pictureOf: (value: string) => string}} props */
function PictureField({ option, value, onChange, pictureOf }) {
  return html`
    <fieldset class="picture-field"><legend>${t(option.label)}</legend>
      <div class="picture-choices">${choicesOf(option).map(([choice, words]) => html`
        <label key=${choice} class="picture-choice">
          <input class="visually-hidden" type="radio" name=${`option-${option.name}`} checked=${choice === value}
            onChange=${() => onChange(choice)} />
          <img src=${pictureOf(choice)} alt="" width="72" height="72" decoding="async" /><span class="small">${words}</span>
        </label>`)}</div>
    </fieldset>`;
}

/** @param {{option: Option, value: string, onChange: (value: string) => void}} props */
function OptionField({ option, value, onChange }) {
  const { kind } = option;
  const label = t(option.label);
  if (kind === "flag") {
    return html`<${Checkbox} label=${label} checked=${value === "yes"}
      onChange=${(/** @type {boolean} */ checked) => onChange(checked ? "yes" : "no")} />`;
  }
  if (kind === "choice") {
    return html`<div class="described"><${Select} label=${label} value=${value} onChange=${onChange}>
      ${choicesOf(option).map(([choice, words]) => html`<option key=${choice} value=${choice}>${words}</option>`)}<//>
      <${Meaning} option=${option} /></div>`;
  }
  return html`<${TypedField} option=${option} label=${label} value=${value} onChange=${onChange} />`;
}

/**
 * A field for a number or a text. What cannot be is said beside the field at once and changes nothing else, and the
 * browser does not let the form be sent.
 * @param {{option: Option, label: string, value: string, onChange: (value: string) => void}} props
 */
function TypedField({ option, label, value, onChange }) {
  const isWrong = useSignal(false);
  const { kind, low, high } = option;
  const change = (/** @type {Event} */ event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    isWrong.value = !field.checkValidity();
    if (!isWrong.value) onChange(field.value);
  };
  const isBounded = typeof low === "number" && typeof high === "number" && high < Number.MAX_SAFE_INTEGER;
  const bounds = isBounded ? t("A whole number from {low} to {high}.", { low: number(low), high: number(high) })
    : t("This is not a number that can be used here.");
  return html`<div class="described">
    <label class="field"><span>${label}</span>
      <${TypedInput} type=${kind === "number" ? "number" : "text"} value=${value} placeholder=${option.hint ? t(option.hint) : ""}
        min=${low ?? undefined} max=${high ?? undefined} step=${typeof low === "number" ? "1" : "any"}
        aria-invalid=${isWrong.value ? "true" : undefined} onChange=${change} /></label>
    ${isWrong.value ? html`<p class="meaning small wrong" role="alert">${bounds}</p>` : html`<${Meaning} option=${option} />`}
  </div>`;
}

/** Whether an option can have a value; a text is judged by the server. @type {(option: Option, value: string) => boolean} */
function isPossible({ kind, low, high, choices }, value) {
  if (kind === "choice") return (choices ?? []).includes(value);
  if (kind === "flag") return value === "yes" || value === "no";
  if (kind === "text") return true;
  return /^\d+$/.test(value) && Number(value) >= (low ?? 0) && Number(value) <= (high ?? Infinity);
}

/** Of some values those that the options can have. @type {(options: Option[], values: Values) => Values} */
export function possibleValues(options, values) {
  const possible = options.filter(({ name }) => name in values).filter((option) => isPossible(option, values[option.name]));
  return Object.fromEntries(possible.map(({ name }) => [name, values[name]]));
}
