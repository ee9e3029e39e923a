/** The texts that several views share. */
import { number, plural, t } from "./i18n.js";

/** The values of a time limit by name: "bank=300,increment=2". @param {string} limit */
export const limitFields = (limit) => Object.fromEntries(limit.split(",").map((field) => field.split("=", 2)));

/**
 * A time limit in words: "bank=90,increment=1" is "1.5 min + 1 s a move". A bank of one increment is that of Reversi XT.
 * @type {(limit: string) => string}
 */
function limitName(limit) {
  if (limit === "none") return t("No limit");
  const fields = limitFields(limit);
  if (fields.bank && fields.bank === fields.increment) {
    return t("{seconds} s a move, unused time is saved", { seconds: number(Number(fields.bank)) });
  }
  if (fields.bank && fields.seconds && !fields.increment) {
    return t("{pace}, {whole} a game", { pace: limitName(`seconds=${fields.seconds}`), whole: limitName(`bank=${fields.bank}`) });
  }
  /** @type {string[]} */
  const parts = [];
  if (fields.bank) {
    const minutes = Math.round(fields.bank / 6) / 10;
    if (fields.bank < 60) parts.push(t("{seconds} s", { seconds: number(Number(fields.bank)) }));
    else parts.push(t("{minutes} min", { minutes: number(minutes) }));
  }
  for (const seconds of [fields.increment, fields.seconds]) {
    if (seconds) parts.push(t("{seconds} s a move", { seconds: number(Number(seconds)) }));
  }
  if (fields.depth) parts.push(plural(Number(fields.depth), "{count} move ahead", "{count} moves ahead"));
  return parts.join(" + ");
}

/** A size as people read it. @param {number} bytes */
export function sizeOf(bytes) {
  if (bytes < 1e6) return t("{size} KB", { size: number(Math.ceil(bytes / 1e3)) });
  return t("{size} MB", { size: number(bytes / 1e6, { maximumFractionDigits: 1 }) });
}

export const common = {
  capital: (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1),
  counted: (/** @type {number} */ count, /** @type {string} */ noun) => `${count} ${noun}${count === 1 ? "" : "s"}`,
  /** A text with a full stop, unless it already ends with a punctuation mark. */
  ended: (/** @type {string} */ text) => (/[.!?…。]$/.test(text) ? text : `${text}.`),
  limitName,
  /** A rating with its error: "1650 ± 120". @type {(rating: number, error: number) => string} */
  rating: (rating, error) => `${number(Math.round(rating), { useGrouping: false })} ± ${number(Math.round(error))}`,

  name: "Polyversi",
  get guest() { return t("Guest"); },
  get themes() {
    return { system: t("system default"), light: t("light"), dark: t("dark"), contrast: t("high contrast") };
  },
  get loading() { return t("Loading…"); },
  get reconnecting() { return t("Reconnecting…"); },
  get cancel() { return t("Cancel"); },
  get copy() { return t("Copy"); },
};
