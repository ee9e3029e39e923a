/** Texts in the visitor's language: the code has them in English, languages/ has a dictionary for each other language. */
import { batch, signal } from "./html.js";

/** @typedef {Record<string, string|Record<string, string>>} Dictionary a translation, or one for each plural category, by the English text */

/**
 * What boot.js found out; a page without it is in English.
 * @type {{known: string[], languageFor: (choice: string) => string, texts?: Promise<Response>}}
 */
const { known, languageFor, texts } =
  /** @type {any} */ (globalThis).polyversiLanguages ?? { known: ["en"], languageFor: () => "en" };

/** The languages that the page has, as BCP 47 tags. */
export const LANGUAGES = known;
/** The language of the page, as a BCP 47 tag. */
export const language = signal("en");
/** @type {import("./html.js").Signal<Dictionary>} */
export const dictionary = signal({});

/** The request that boot.js has sent, for the language of the first view. */
let sent = texts;
/** The language that was asked for last. */
let wanted = "";

/**
 * Changes to a language, or with an empty text to the browser's; without its dictionary the page stays as it is.
 * @param {string} choice
 */
export async function loadLanguage(choice) {
  const tag = languageFor(choice);
  if (tag === language.peek()) return;
  const request = tag === "en" ? null : sent ?? fetch(`/page/languages/${tag}/texts.json`);
  [sent, wanted] = [undefined, tag];
  const found = request ? await request.then((answer) => answer.json()).catch(() => null) : {};
  if (found && tag === wanted) batch(() => { [language.value, dictionary.value] = [tag, found]; });
  document.documentElement.lang = language.value;
}

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
  const category = format("PluralRules", {}).select(count);
  const found = dictionary.value[other];
  const english = category === "one" ? one : other;
  const text = typeof found === "string" ? found : found?.[category] ?? found?.other ?? english;
  return filled(text, { count: number(count), ...values });
}

/** The formats that have been made: making one takes longer than using it a hundred times. @type {Map<string, any>} */
const formats = new Map();

/**
 * One of the browser's formats for the visitor's language, as it is written where the visitor lives.
 * @type {(kind: keyof typeof Intl, options: object) => any}
 */
function format(kind, options) {
  const locale = navigator.languages.find((tag) => tag.split("-")[0] === language.value) ?? language.value;
  const key = `${locale} ${kind} ${JSON.stringify(options)}`;
  const made = formats.get(key) ?? new /** @type {any} */ (Intl)[kind](locale, options);
  formats.set(key, made);
  return made;
}

/** A number as it is written in the visitor's language. @type {(value: number, options?: Intl.NumberFormatOptions) => string} */
export const number = (value, options = {}) => format("NumberFormat", options).format(value);

/**
 * A moment as it is written in the visitor's language, with day and time unless options say otherwise.
 * @type {(moment: string|number|Date, options?: Intl.DateTimeFormatOptions) => string}
 */
export const date = (moment, options = { dateStyle: "medium", timeStyle: "short" }) =>
  format("DateTimeFormat", options).format(new Date(moment));

/** The units of relative times, from the largest, in seconds. @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** How long ago a moment was: "5 minutes ago", "yesterday". @type {(moment: string|number|Date, now?: number) => string} */
export function ago(moment, now = Date.now()) {
  const seconds = (new Date(moment).getTime() - now) / 1000;
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return format("RelativeTimeFormat", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** Names one after the other: "Ann, Bob and Cleo". @param {string[]} names */
export const list = (names) => format("ListFormat", {}).format(names);

/** The name of a language in that language: Deutsch, 日本語. @param {string} tag */
export const languageName = (tag) => new Intl.DisplayNames(tag, { type: "language" }).of(tag) ?? tag;
