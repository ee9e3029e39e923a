/** What people read in place of the specifications of computer players. */
import { loadCatalogue } from "./api.js";
import { canPlay } from "./features.js";
import { signal } from "./html.js";
import { number, t } from "./i18n.js";
import { readSpec } from "./specs.js";

/** @import { PlayerLabel } from "./types.js" */

/** The players of this server by name. @type {import("./html.js").Signal<Map<string, PlayerLabel>>} */
const labels = signal(new Map());
/** Options that say nothing about how a player plays. @type {Set<string>} */
let quiet = new Set();
let isAsked = false;

/** Fetches the labels once. Without them, specifications are shown as they are. */
async function fetchLabels() {
  isAsked = true;
  try {
    const { players, quiet_options: quietOptions } = await loadCatalogue();
    quiet = new Set(quietOptions);
    labels.value = new Map(players.map((player) => [player.name, player]));
  } catch {
    isAsked = false;
  }
}

/**
 * What a player is called on the page: "Polyversi, level 5" for polyversi:level=5. Any other text, such as the name of a
 * person, stays as it is. Views that call it while they render do so again when the labels have arrived.
 * @param {string} text
 */
export function playerName(text) {
  if (!isAsked && canPlay) fetchLabels();    // a server that only shows games has none
  const { name, values } = readSpec(text, [...labels.value.values()]);
  const found = labels.value.get(name);
  if (!found) return text;
  const level = Number(values.level ?? found.level);
  const shown = level ? t("{name}, level {level}", { name: t(found.label), level: number(level) }) : t(found.label);
  const others = Object.entries(values).filter(([option]) => !quiet.has(option)).map((pair) => pair.join("=")).join(", ");
  return others ? t("{name} ({options})", { name: shown, options: others }) : shown;
}
