/** Texts in the visitor's language: the code has them in English, languages/ has a dictionary for each other language. */
import { signal } from "./html.js";

/** @typedef {Record<string, string|Record<string, string>>} Dictionary a translation, or one for each plural category, by the English text */

/** The language of the page, as a BCP 47 tag. */
export const language = signal("en");
/** @type {import("./html.js").Signal<Dictionary>} */
export const dictionary = signal({});

/** @type {(text: string, values: Record<string, unknown>) => string} */
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => (name in values ? String(values[name]) : all));

/**
 * A text in the visitor's language: t("{name} won on time", { name }). What has no translation stays English. The text
 * is a literal, or comes from the catalogue of the server, so that a test can list what is missing.
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
export function t(text, values = {}) {
  const found = dictionary.value[text];
  return filled(typeof found === "string" ? found : text, values);
}

/**
 * A text that depends on a number, which it may show as {count}: plural(2, "{count} game", "{count} games").
 * @param {number} count
 * @param {string} one
 * @param {string} other
 * @param {Record<string, unknown>} values
 */
export function plural(count, one, other, values = {}) {
  const category = new Intl.PluralRules(language.value).select(count);
  const found = dictionary.value[other];
  const english = category === "one" ? one : other;
  const text = typeof found === "string" ? found : found?.[category] ?? found?.other ?? english;
  return filled(text, { count: number(count), ...values });
}

/** A number as it is written in the visitor's language. @type {(value: number, options?: Intl.NumberFormatOptions) => string} */
export const number = (value, options) => new Intl.NumberFormat(language.value, options).format(value);
