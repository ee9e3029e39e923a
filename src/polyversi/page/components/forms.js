/** Form fields: numbers, the options of a variant or player, the list of variants; and the specifications they make. */
import { html, useLayoutEffect, useRef } from "../app/html.js";
import { words } from "../words/words.js";

/** @import { Option } from "../app/types.js" */

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

/** @typedef {Record<string, string>} Values what was chosen, by the option's name; only what differs from the default */

/**
 * The specification: the name, and after a colon the options that are not the defaults.
 * @param {string} name
 * @param {Option[]} options
 * @param {Values} values
 */
export function specOf(name, options, values) {
  const chosen = options
    .filter((option) => (values[option.name] ?? "") !== "" && values[option.name] !== defaultOf(option))
    .map((option) => `${option.name}=${values[option.name]}`);
  if (chosen.length === 0) return name;
  return `${name}${name.includes(":") ? "," : ":"}${chosen.join(",")}`;
}

/**
 * The name and the values of a specification; `othello-6` says the size of its board in its name.
 * @param {string} spec
 * @param {{name: string, family?: import("../app/types.js").Family}[]} known what can be chosen; XT kinds have a colon in their name
 * @returns {{name: string, values: Values}}
 */
export function readSpec(spec, known) {
  const name = known.map((one) => one.name).filter((one) => spec === one || spec.startsWith(`${one}:`) || spec.startsWith(`${one},`))
    .sort((one, other) => other.length - one.length)[0] ?? "";
  const short = name ? null : /^([a-z]+)-(\d+)(?::(.*))?$/.exec(spec);
  const number = short && known.find((one) => one.name === short[1])?.family?.number;
  if (short && number) return readSpec(`${short[1]}:${number}=${short[2]}${short[3] ? `,${short[3]}` : ""}`, known);
  const rest = spec.slice(name.length + 1);
  const pairs = name && rest ? rest.split(",").map((word) => word.split("=", 2)) : [];
  return { name, values: Object.fromEntries(pairs) };
}

/**
 * @param {{options: Option[], values: Values, onChange: (values: Values) => void, disabled?: boolean}} props
 */
export function OptionFields({ options, values, onChange, disabled = false }) {
  return html`<div class="option-fields">
    ${options.map((option) => html`
      <${OptionField} key=${option.name} option=${option} value=${values[option.name] ?? ""} disabled=${disabled}
        onChange=${(/** @type {string} */ value) => onChange({ ...values, [option.name]: value })} />`)}
  </div>`;
}

/** @param {{option: Option, value: string, disabled: boolean, onChange: (value: string) => void}} props */
function OptionField({ option, value, disabled, onChange }) {
  const initial = defaultOf(option);
  const take = (/** @type {any} */ event) => onChange(event.target.value);
  if (option.kind === "flag") {
    return html`<label class="check">
      <input type="checkbox" checked=${(value || initial) === "yes"} disabled=${disabled}
        onChange=${(/** @type {any} */ event) => onChange(event.target.checked ? "yes" : "no")} />
      <span>${option.label}</span>
    </label>`;
  }
  return html`<label class="field">
    <span>${option.label}</span>
    ${option.kind === "choice"
      ? html`<select value=${value || initial} disabled=${disabled} onChange=${take}>
          ${initial === "" && html`<option value="">${words.editor.asUsual}</option>`}
          ${(option.choices ?? []).map((word) => html`<option value=${word}>${word}</option>`)}
        </select>`
      : html`<${TypedInput} type=${option.kind === "number" ? "number" : "text"} value=${value || initial} disabled=${disabled}
          min=${option.low ?? undefined} max=${option.high ?? undefined} placeholder=${option.hint ?? ""}
          step=${typeof option.low === "number" ? "1" : "any"}
          onChange=${take} />`}
  </label>`;
}

/** @param {Option} option */
function defaultOf({ default: initial, low }) {
  if (typeof initial === "boolean") return initial ? "yes" : "no";
  // A number below the lowest stands for "left to the others", such as a width that the size says already.
  if (typeof initial === "number" && typeof low === "number" && initial < low) return "";
  return initial === null || initial === undefined ? "" : String(initial);
}

/** The variants in a list to choose from, by family. @param {{variants: import("../app/types.js").Variant[]}} props */
export function VariantOptions({ variants }) {
  const families = [...new Set(variants.map(({ family }) => family))];
  return families.map((family) => html`<optgroup key=${family.name} label=${family.label}>
    ${variants.filter((variant) => variant.family === family).map(({ name, label }) => html`
      <option key=${name} value=${name}>${label}</option>`)}
  </optgroup>`);
}
