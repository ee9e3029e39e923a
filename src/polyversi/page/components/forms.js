/** Form fields: choices, numbers, files, the options of a variant or player; and the specifications they make. */
import { isChecked, valueOf } from "../app/dom.js";
import { html, useLayoutEffect, useRef } from "../app/html.js";
import { t } from "../app/i18n.js";

/** @import { Family, Option, PlayerInfo, Variant } from "../app/types.js" */

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
 * A few choices side by side, of which one is chosen: texts by value.
 * @param {{label: string, name: string, value: string, options: Record<string, string>, onChange: (value: string) => void}} props
 */
export function Segments({ label, name, value, options, onChange }) {
  return html`<fieldset><legend>${label}</legend>
    <span class="segments">${Object.entries(options).map(([option, text]) => html`<label key=${option}>
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
  return families.map((family) => html`<optgroup key=${family.name} label=${family.label}>
    ${variants.filter((variant) => variant.family === family).map(({ name, label }) => html`
      <option key=${name} value=${name}>${label}</option>`)}
  </optgroup>`);
}

/** @typedef {Record<string, string>} Values chosen values by the option's name; only those that are not the default */

/**
 * The specification: the name, and after a colon the options that are not at their default.
 * @type {(name: string, options: Option[], values: Values) => string}
 */
export function specOf(name, options, values) {
  const chosen = options.filter((option) => values[option.name] && values[option.name] !== defaultOf(option));
  const pairs = chosen.map((option) => `${option.name}=${values[option.name]}`).join(",");
  return pairs ? `${name}${name.includes(":") ? "," : ":"}${pairs}` : name;
}

/**
 * The name and the values of a specification; the name is one of those that are known. `othello-6` has the size of its
 * board in its name; XT kinds have a colon in theirs.
 * @type {(spec: string, known: {name: string, family?: Family}[]) => {name: string, values: Values}}
 */
export function readSpec(spec, known) {
  const begins = (/** @type {string} */ name) => spec.startsWith(name) && /^([:,]|$)/.test(spec.slice(name.length));
  const name = known.map((one) => one.name).filter(begins).sort((one, other) => other.length - one.length)[0] ?? "";
  const short = name ? null : /^([a-z]+)-(\d+)(?::(.*))?$/.exec(spec);
  const number = short && known.find((one) => one.name === short[1])?.family?.number;
  if (short && number) return readSpec(`${short[1]}:${number}=${short[2]}${short[3] ? `,${short[3]}` : ""}`, known);
  const rest = spec.slice(name.length + 1);
  const pairs = name && rest ? rest.split(",").map((word) => word.split("=", 2)) : [];
  return { name, values: Object.fromEntries(pairs) };
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
        <summary>Options for ${title}</summary>
        <${OptionFields} options=${info.options} values=${values}
          onChange=${(/** @type {Values} */ changed) => onChange(name, changed)} />
      </details>`}
    </div>`;
}

/** @param {{options: Option[], values: Values, onChange: (values: Values) => void}} props */
export function OptionFields({ options, values, onChange }) {
  return html`<div class="option-fields">
    ${options.map((option) => html`
      <${OptionField} key=${option.name} option=${option} value=${values[option.name] || defaultOf(option)}
        onChange=${(/** @type {string} */ value) => onChange({ ...values, [option.name]: value })} />`)}
  </div>`;
}

/** @param {{option: Option, value: string, onChange: (value: string) => void}} props */
function OptionField({ option, value, onChange }) {
  const { label, kind } = option;
  if (kind === "flag") {
    return html`<${Checkbox} label=${label} checked=${value === "yes"}
      onChange=${(/** @type {boolean} */ checked) => onChange(checked ? "yes" : "no")} />`;
  }
  if (kind === "choice") {
    return html`<${Select} label=${label} value=${value} onChange=${onChange}>
      ${defaultOf(option) === "" && html`<option value="">default</option>`}
      ${(option.choices ?? []).map((word) => html`<option key=${word} value=${word}>${word}</option>`)}<//>`;
  }
  return html`<label class="field"><span>${label}</span>
    <${TypedInput} type=${kind === "number" ? "number" : "text"} value=${value} placeholder=${option.hint ?? ""}
      min=${option.low ?? undefined} max=${option.high ?? undefined} step=${typeof option.low === "number" ? "1" : "any"}
      onChange=${(/** @type {Event} */ event) => onChange(valueOf(event))} /></label>`;
}

/** The default as a text; empty where another option implies it, such as a width that the size gives. @param {Option} option */
function defaultOf({ default: value, low }) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && typeof low === "number" && value < low) return "";
  return value === null || value === undefined ? "" : String(value);
}
