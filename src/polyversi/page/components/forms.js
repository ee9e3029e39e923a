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

/** @typedef {Record<string, string>} Values what was chosen, by the option's name; only what differs from the usual */

/**
 * The specification: the name, and after a colon the options that are not as usual.
 * @param {string} name
 * @param {Option[]} options
 * @param {Values} values
 */
export function specOf(name, options, values) {
  const chosen = options
    .filter((option) => (values[option.name] ?? "") !== "" && values[option.name] !== usualOf(option))
    .map((option) => `${option.name}=${values[option.name]}`);
  if (chosen.length === 0) return name;
  return `${name}${name.includes(":") ? "," : ":"}${chosen.join(",")}`;
}

/**
 * The name and the values of a specification; `othello-6` says the size of its board in its name.
 * @param {string} spec
 * @param {string[]} names what can be chosen; XT kinds have a colon in theirs
 * @returns {{name: string, values: Values}}
 */
export function readSpec(spec, names) {
  const name = names.filter((known) => spec === known || spec.startsWith(`${known}:`) || spec.startsWith(`${known},`))
    .sort((one, other) => other.length - one.length)[0] ?? "";
  const short = name ? null : /^([a-z]+)-(\d+)(?::(.*))?$/.exec(spec);
  if (short) return readSpec(`${short[1]}:${short[1] === "hex" ? "side" : "size"}=${short[2]}${short[3] ? `,${short[3]}` : ""}`, names);
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
  const usual = usualOf(option);
  const take = (/** @type {any} */ event) => onChange(event.target.value);
  if (option.kind === "flag") {
    return html`<label class="check">
      <input type="checkbox" checked=${(value || usual) === "yes"} disabled=${disabled}
        onChange=${(/** @type {any} */ event) => onChange(event.target.checked ? "yes" : "no")} />
      <span>${option.label ?? option.name}</span>
    </label>`;
  }
  return html`<label class="field">
    <span>${option.label ?? option.name}</span>
    ${option.kind === "choice"
      ? html`<select value=${value || usual} disabled=${disabled} onChange=${take}>
          ${usual === "" && html`<option value="">${words.editor.asUsual}</option>`}
          ${(option.words ?? []).map((word) => html`<option value=${word}>${word}</option>`)}
        </select>`
      : html`<${TypedInput} type=${option.kind === "number" ? "number" : "text"} value=${value || usual} disabled=${disabled}
          min=${option.low ?? undefined} max=${option.high ?? undefined} placeholder=${option.hint ?? ""}
          step=${typeof option.low === "number" ? "1" : "any"}
          onChange=${take} />`}
  </label>`;
}

/** @param {Option} option */
function usualOf({ default: usual, low }) {
  if (typeof usual === "boolean") return usual ? "yes" : "no";
  // A number below the least one stands for "left to the others", such as a width that the size says already.
  if (typeof usual === "number" && typeof low === "number" && usual < low) return "";
  return usual === null || usual === undefined ? "" : String(usual);
}

const FAMILIES = /** @type {const} */ (["square", "hexagon", "rolit", "xt"]);

/** @param {{variants: import("../app/types.js").Variant[]}} props */
export function VariantOptions({ variants }) {
  return FAMILIES.map((family) => {
    const found = variants.filter((variant) => variant.family === family);
    return found.length > 0 && html`<optgroup key=${family} label=${words.play.families[family]}>
      ${found.map(({ name }) => html`<option key=${name} value=${name}>${words.play.variant(name)}</option>`)}
    </optgroup>`;
  });
}
