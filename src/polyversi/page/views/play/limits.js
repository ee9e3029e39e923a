/** How much time there is: a few usual limits, and any other. */
import { valueOf } from "../../app/fields.js";
import { html } from "../../app/html.js";
import { words } from "../../words/words.js";

/** @typedef {{choice: string, kind: string, minutes: number, increment: number, seconds: number}} Time */
/** @typedef {{time: Time, onChange: (time: Time) => void}} Props */

/** @type {Time} */
export const USUAL_TIME = { choice: "none", kind: "bank", minutes: 5, increment: 3, seconds: 10 };

/**
 * The limit as the server reads it.
 * @param {Time} time
 */
export function limitText({ choice, kind, minutes, increment, seconds }) {
  if (choice !== "custom") return choice;
  if (kind === "seconds") return `seconds=${seconds}`;
  return `bank=${Math.round(minutes * 60)}${increment ? `,increment=${increment}` : ""}`;
}

/** @param {{label: string, value: string, words: Record<string, string>, onChange: (value: string) => void}} props */
function Choice({ label, value, words: choices, onChange }) {
  return html`
    <label class="field"><span>${label}</span>
      <select value=${value} onChange=${(/** @type {Event} */ event) => onChange(valueOf(event))}>
        ${Object.entries(choices).map(([choice, text]) => html`<option key=${choice} value=${choice}>${text}</option>`)}
      </select></label>`;
}

/** Any other limit, in numbers. @param {Props} props */
function Custom({ time, onChange }) {
  const number = (
    /** @type {"minutes"|"increment"|"seconds"} */ field, /** @type {string} */ label,
    /** @type {number} */ low, /** @type {number} */ high,
  ) => html`
    <label class="field"><span>${label}</span>
      <input type="number" required min=${low} max=${high} step="any" value=${time[field]}
        onInput=${(/** @type {Event} */ event) => onChange({ ...time, [field]: Number(valueOf(event)) })} /></label>`;
  return html`
    <div class="option-fields">
      <${Choice} label=${words.play.customKind} value=${time.kind} words=${words.play.customKinds}
        onChange=${(/** @type {string} */ kind) => onChange({ ...time, kind })} />
      ${time.kind === "bank" && number("minutes", words.play.minutes, 0.1, 1000)}
      ${time.kind === "bank" && number("increment", words.play.increment, 0, 600)}
      ${time.kind === "seconds" && number("seconds", words.play.secondsAMove, 0.5, 3600)}
    </div>`;
}

/** @param {Props} props */
export function Limits({ time, onChange }) {
  return html`
    <section class="stack tight">
      <${Choice} label=${words.play.limit} value=${time.choice} words=${words.play.limits}
        onChange=${(/** @type {string} */ choice) => onChange({ ...time, choice })} />
      ${time.choice === "custom" && html`<${Custom} time=${time} onChange=${onChange} />`}
    </section>`;
}
