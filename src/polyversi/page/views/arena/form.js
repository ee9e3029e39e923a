/** What is chosen for the next series; it is kept while other views are shown. */
import { allVariants, get } from "../../app/api.js";
import { computed, effect, signal } from "../../app/html.js";
import { readSpec, specOf } from "../../components/forms.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { PlayerInfo, Variant } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** @typedef {{name: string, values: Values}} Choice */

/** Milliseconds between two moves, as the course's page has it. */
const DEFAULT_DELAY = 1000;
export const MAX_DELAY = 60_000;
export const MAX_ROUNDS = 1000;

/** Variants for two seats. */
export const variants = signal(/** @type {Variant[]} */ ([]));
/** Players and bots, each with the reason why it does not play the chosen variant, if any. */
export const players = signal(/** @type {PlayerInfo[]} */ ([]));

export const variant = signal(/** @type {Choice} */ ({ name: "hex", values: {} }));
/** The players of X and of Y. */
export const chosen = [signal(/** @type {Choice} */ ({ name: "t77", values: {} })), signal(/** @type {Choice} */ ({ name: "random", values: {} }))];
export const delay = signal(DEFAULT_DELAY);
/** Milliseconds from the next round on; null where they stay the same. */
export const nextDelay = signal(/** @type {number | null} */ (null));
export const rounds = signal(1);

export const variantInfo = computed(() => variants.value.find(({ name }) => name === variant.value.name));
export const spec = computed(() => specOf(variant.value.name, variantInfo.value?.options ?? [], variant.value.values));

/** The specification of the player of X (0) or of Y (1). @param {0|1} at */
export function playerSpec(at) {
  const choice = chosen[at]?.value ?? { name: "random", values: {} };
  const info = players.value.find(({ name }) => name === choice.name);
  return specOf(choice.name, info?.options ?? [], choice.values);
}

/**
 * Fetches what there is to choose from, and the players again whenever the variant changes; returns how to stop.
 * @param {(error: unknown) => void} onProblem
 */
export function loadChoices(onProblem) {
  allVariants().then((found) => {
    variants.value = found.filter(({ for_two: forTwo }) => forTwo !== null);
  }, onProblem);
  return effect(() => {
    const asked = spec.value;
    get(`/api/players?spec=${encodeURIComponent(asked)}`).then((/** @type {PlayerInfo[]} */ found) => {
      if (asked !== spec.peek()) return;
      players.value = found;
      chosen.forEach((choice) => makeSuited(choice, found));
    }, onProblem);
  });
}

/**
 * Another player where the chosen one does not play the variant.
 * @param {Signal<Choice>} choice
 * @param {PlayerInfo[]} found
 */
function makeSuited(choice, found) {
  const now = found.find(({ name }) => name === choice.value.name);
  if (now && !now.unsuited) return;
  const other = found.find(({ unsuited }) => !unsuited);
  if (other) choice.value = { name: other.name, values: {} };
}

/**
 * Takes over what an arena was set up with, so that another one begins with the same.
 * @param {import("./series.js").Rounds} running
 */
export function adopt(running) {
  if (variants.value.length > 0 && running.spec !== spec.peek()) {
    const choice = readSpec(running.spec, variants.value);
    if (choice.name) variant.value = choice;
  }
  running.players.forEach((name, at) => {
    const choice = readSpec(name, players.value);
    const signalOf = chosen[at];
    if (choice.name && signalOf && name !== playerSpec(/** @type {0|1} */ (at))) signalOf.value = choice;
  });
  delay.value = Math.round(running.delay * 1000);
  if (!running.tournament) rounds.value = running.rounds;
}

/** A variant with two seats, where it can have more. @param {string} name @returns {Choice} */
export function withTwoSeats(name) {
  return { name, values: variants.value.find((one) => one.name === name)?.for_two ?? {} };
}
