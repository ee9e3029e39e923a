/** What is chosen for the next series; it is kept while other views are visited. */
import { allVariants, get, loadCatalogue } from "../../app/api.js";
import { computed, effect, signal } from "../../app/html.js";
import { readSpec, specOf } from "../../app/specs.js";

/** @import { PlayerInfo, Variant } from "../../app/types.js" */
/** @import { Values } from "../../app/specs.js" */

/** @typedef {{name: string, values: Values}} Choice */

export const MAX_DELAY = 60_000;
export const MAX_ROUNDS = 1000;

/** Variants for two seats. */
export const variants = signal(/** @type {Variant[]} */ ([]));
/** Players and bots, each with the reason why it does not play the chosen variant, if any. */
export const players = signal(/** @type {PlayerInfo[]} */ ([]));

/** A choice that is still to be made. */
const open = () => signal(/** @type {Choice} */ ({ name: "", values: {} }));

export const variant = open();
/** The players of X and of Y. */
export const chosen = [open(), open()];
/** Milliseconds between two moves, as the course's page has it. */
export const delay = signal(1000);
/** Milliseconds from the second round on; null where they stay the same. */
export const nextDelay = signal(/** @type {number | null} */ (null));
export const rounds = signal(1);

export const variantInfo = computed(() => variants.value.find(({ name }) => name === variant.value.name));
export const spec = computed(() => specOf(variant.value.name, variantInfo.value?.options ?? [], variant.value.values));

/** Has what the server offers first chosen, where nothing is. */
async function chooseFirst() {
  const { arena } = await loadCatalogue();
  [variant, ...chosen].forEach((choice, at) => {
    if (!choice.value.name) choice.value = { name: [arena.variant, ...arena.players][at], values: {} };
  });
}

/** The specifications of the players of X and of Y. */
export function playerSpecs() {
  return chosen.map(({ value: { name, values } }) =>
    specOf(name, players.value.find((player) => player.name === name)?.options ?? [], values));
}

/**
 * Fetches what there is to choose from, and the players again whenever the variant changes; returns a function that stops it.
 * @param {(error: unknown) => void} onProblem
 */
export function loadChoices(onProblem) {
  allVariants().then((found) => {
    variants.value = found.filter(({ for_two: forTwo }) => forTwo !== null);
  }, onProblem);
  chooseFirst().catch(onProblem);
  return effect(() => {
    const asked = spec.value;
    if (!asked) return;
    get(`/api/players?spec=${encodeURIComponent(asked)}`).then((/** @type {PlayerInfo[]} */ found) => {
      if (asked !== spec.peek()) return;
      players.value = found;
      const suited = found.filter(({ unsuited }) => !unsuited);
      for (const choice of chosen) {
        const isSuited = suited.some(({ name }) => name === choice.value.name);
        if (!isSuited && suited.length) choice.value = { name: suited[0].name, values: {} };
      }
    }, onProblem);
  });
}

/**
 * Copies the setup of a series into the form, so that the next one starts with the same.
 * @param {import("../../app/messages.js").Rounds} running
 */
export function adopt(running) {
  if (variants.value.length > 0 && running.spec !== spec.peek()) {
    const choice = readSpec(running.spec, variants.value);
    if (choice.name) variant.value = choice;
  }
  running.players.forEach((player, at) => {
    const choice = readSpec(player, players.value);
    if (choice.name && player !== playerSpecs()[at]) chosen[at].value = choice;
  });
  delay.value = Math.round(running.delay * 1000);
  if (!running.tournament) rounds.value = running.rounds;
}

/** A variant with two seats, where it can have more. @param {string} name @returns {Choice} */
export function withTwoSeats(name) {
  return { name, values: variants.value.find((one) => one.name === name)?.for_two ?? {} };
}
