/** The texts that several views share, in English. */

/** The time limits that are offered. */
const LIMITS = [
  "none", "bank=180,increment=2", "bank=300", "bank=600,increment=5", "bank=1800", "seconds=5", "seconds=30",
];

/** The values of a time limit by name: "bank=300,increment=2". @param {string} limit */
export const limitFields = (limit) => Object.fromEntries(limit.split(",").map((field) => field.split("=", 2)));

/**
 * A time limit in words: "bank=90,increment=1" is "1.5 min + 1 s a move". A bank of one increment is that of Reversi XT.
 * @param {string} limit
 */
function limitName(limit) {
  if (limit === "none") return "No limit";
  const fields = limitFields(limit);
  if (fields.bank && fields.bank === fields.increment) return `${fields.bank} s a move, unused time is saved`;
  const parts = [];
  if (fields.bank) parts.push(fields.bank < 60 ? `${fields.bank} s` : `${Math.round(fields.bank / 6) / 10} min`);
  if (fields.increment) parts.push(`${fields.increment} s a move`);
  if (fields.seconds) parts.push(`${fields.seconds} s a move`);
  if (fields.depth) parts.push(`${fields.depth} moves ahead`);
  return parts.join(" + ");
}

export const common = {
  capital: (/** @type {string} */ text) => text.charAt(0).toUpperCase() + text.slice(1),
  counted: (/** @type {number} */ count, /** @type {string} */ noun) => `${count} ${noun}${count === 1 ? "" : "s"}`,
  /** A text with a full stop, unless it already ends with a punctuation mark. */
  ended: (/** @type {string} */ text) => (/[.!?…]$/.test(text) ? text : `${text}.`),
  limitName,
  limits: /** @type {Record<string, string>} */ (Object.fromEntries(LIMITS.map((limit) => [limit, limitName(limit)]))),

  name: "Polyversi",
  guest: "Guest",
  themes: { system: "system default", light: "light", dark: "dark", contrast: "high contrast" },
  loading: "Loading…",
  reconnecting: "Reconnecting…",
  cancel: "Cancel",
  copy: "Copy",
};
