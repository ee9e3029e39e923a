/** What people read in place of the specifications of computer players. */
import { loadCatalogue } from "./api.js";
import { canPlay } from "./features.js";
import { signal } from "./html.js";
import { number, t } from "./i18n.js";

/** @import { PlayerLabel } from "./types.js" */

/** The players of this server by name. @type {import("./html.js").Signal<Map<string, PlayerLabel>>} */
const labels = signal(new Map());
let isAsked = false;

/** Fetches the labels once. Without them, specifications are shown as they are. */
async function fetchLabels() {
  isAsked = true;
  try {
    const { players } = await loadCatalogue();
    labels.value = new Map(players.map((player) => [player.name, player]));
  } catch {
    isAsked = false;
  }
}

/** Options that say nothing about how a player plays. */
const HIDDEN = new Set(["level", "seed", "threads", "hash"]);

/**
 * What a player is called on the page: "Polyversi, level 5" for polyversi:level=5. Any other text, such as the name of a
 * person, stays as it is. Views that call it while they render do so again when the labels have arrived.
 * @param {string} text
 */
export function playerName(text) {
  if (!isAsked && canPlay) fetchLabels();    // a server that only shows games has none
  const whole = labels.value.get(text);    // the name of a bot may have a colon and anything after it
  const [name, options] = whole ? [text, ""] : split(text);
  const found = whole ?? labels.value.get(name);
  if (!found) return text;
  const pairs = options ? options.split(",").map((word) => word.split("=", 2)) : [];
  if (pairs.some((pair) => pair.length < 2)) return text;
  const level = Number(Object.fromEntries(pairs).level ?? found.level);
  const shown = level ? t("{name}, level {level}", { name: t(found.label), level: number(level) }) : t(found.label);
  const others = pairs.filter(([option]) => !HIDDEN.has(option)).map((pair) => pair.join("=")).join(", ");
  return others ? t("{name} ({options})", { name: shown, options: others }) : shown;
}

/** A specification as the player's name and its options. @param {string} spec */
function split(spec) {
  const colon = spec.indexOf(":");
  return colon < 0 ? [spec, ""] : [spec.slice(0, colon), spec.slice(colon + 1)];
}
