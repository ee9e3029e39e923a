/** Specifications of games and players, such as `polyversi:level=5,seed=1`: a name, and options by their names. */

/** @import { Family, Option } from "./types.js" */

/** @typedef {Record<string, string>} Values chosen values by the option's name; only those that are not the default */

/** What stands between a name and its options; the names of XT kinds and of bots have a colon of their own. @param {string} name */
const markAfter = (name) => (name.includes(":") ? "," : ":");

/** The default as a text; empty where another option implies it, such as a width that the size gives. @param {Option} option */
export function defaultOf({ default: value, low }) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number" && typeof low === "number" && value < low) return "";
  return value === null || value === undefined ? "" : String(value);
}

/** A name with options. @type {(name: string, values: Values) => string} */
export function specWith(name, values) {
  const pairs = Object.entries(values).map((pair) => pair.join("=")).join(",");
  return pairs ? `${name}${markAfter(name)}${pairs}` : name;
}

/**
 * The specification: the name with the options that are not at their default.
 * @type {(name: string, options: Option[], values: Values) => string}
 */
export function specOf(name, options, values) {
  const chosen = options.filter((option) => values[option.name] && values[option.name] !== defaultOf(option));
  return specWith(name, Object.fromEntries(chosen.map((option) => [option.name, values[option.name]])));
}

/**
 * The name and the values of a specification; the name is one of those that are known, or empty. `othello-6` has the size
 * of its board in its name.
 * @type {(spec: string, known: {name: string, family?: Family}[]) => {name: string, values: Values}}
 */
export function readSpec(spec, known) {
  const begins = (/** @type {string} */ name) => spec === name || spec.startsWith(name + markAfter(name));
  const name = known.map((one) => one.name).filter(begins).sort((one, other) => other.length - one.length)[0] ?? "";
  const short = name ? null : /^([a-z]+)-(\d+)(?::(.*))?$/.exec(spec);
  const number = short && known.find((one) => one.name === short[1])?.family?.number;
  if (short && number) return readSpec(`${short[1]}:${number}=${short[2]}${short[3] ? `,${short[3]}` : ""}`, known);
  const rest = spec.slice(name.length + 1);
  const pairs = name && rest ? rest.split(",").map((word) => word.split("=", 2)) : [];
  return pairs.every((pair) => pair.length === 2) ? { name, values: Object.fromEntries(pairs) } : { name: "", values: {} };
}
