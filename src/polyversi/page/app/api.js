/** Requests to the server; whatever goes wrong is a Problem with a sentence for people. */
import { useEffect, useSignal } from "./html.js";
import { common } from "./words.js";

/** @import { Catalogue, Variant } from "./types.js" */

/** What a program says, written as a sentence for people. @param {string} text */
export function asSentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

/** What went wrong, in a sentence that can be shown. */
export class Problem extends Error {
  /**
   * @param {string} sentence
   * @param {number} status the HTTP status, 0 when the server could not be reached
   */
  constructor(sentence, status = 0) {
    super(asSentence(sentence));
    this.name = "Problem";
    this.status = status;
  }
}

/**
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<any>}
 */
function ask(path, options) {
  return answerOf(fetch(path, { cache: "no-store", ...options }));
}

/**
 * @param {Promise<Response>} asked
 * @returns {Promise<any>}
 */
async function answerOf(asked) {
  let response;
  try {
    response = await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem(common.problems.unreachable);
  }
  const data = await response.json().catch((error) => {
    // An aborted request fails; it does not answer with nothing.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    return null;
  });
  if (!response.ok) throw new Problem(data?.problem || common.problems.refused(response.status), response.status);
  return data;
}

/**
 * Asks for something that changes nothing.
 * @param {string} path
 * @param {AbortSignal} [signal]
 */
export function get(path, signal) {
  return ask(path, { signal });
}

/** @type {Promise<Catalogue>|null} */
let catalogue = null;

/** What there is to play, requested once; boot.js has sent the request already where the first view needs it. */
export function loadCatalogue() {
  const { polyversiVariants: sent } = /** @type {{polyversiVariants?: Promise<Response>}} */ (globalThis);
  catalogue ??= answerOf(sent ?? fetch("/api/variants"));
  catalogue.catch(() => { catalogue = null; });
  return catalogue;
}

/** All variants, each with its family. @returns {Promise<Variant[]>} */
export async function allVariants() {
  const { families } = await loadCatalogue();
  return families.flatMap((family) => family.variants.map((variant) => ({ ...variant, family })));
}

/**
 * All variants, an empty list until they are there.
 * @param {(sentence: string) => void} [onProblem]
 * @returns {Variant[]}
 */
export function useVariants(onProblem) {
  const found = useSignal(/** @type {Variant[]} */ ([]));
  useEffect(() => { allVariants().then((all) => { found.value = all; }, (error) => onProblem?.(sentenceOf(error))); }, []);
  return found.value;
}

/**
 * What the server has at a path, null until it is there; problems leave it at that.
 * @template T
 * @param {string} path
 * @returns {T|null}
 */
export function useFetched(path) {
  const found = useSignal(/** @type {T|null} */ (null));
  useEffect(() => {
    const stop = new AbortController();
    get(path, stop.signal).then((data) => { found.value = data; }, () => {});
    return () => stop.abort();
  }, [path]);
  return found.value;
}

/** Runs something that takes a while: whether it is under way, and what went wrong, as signals. */
export function useAction() {
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const run = async (/** @type {() => Promise<void>} */ work) => {
    isBusy.value = true;
    problem.value = "";
    await work().catch((error) => { problem.value = sentenceOf(error); });
    isBusy.value = false;
  };
  return { isBusy, problem, run };
}

/**
 * Sends data as JSON.
 * @param {string} path
 * @param {unknown} data
 */
export function post(path, data) {
  return ask(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });
}

/**
 * Sends a file as it is.
 * @param {string} path
 * @param {Blob} file
 */
export function postFile(path, file) {
  return ask(path, { method: "POST", headers: { "content-type": "application/octet-stream" }, body: file });
}

/** What can be shown of anything that was thrown. @param {unknown} error */
export function sentenceOf(error) {
  return error instanceof Problem ? error.message : common.problems.unexpected;
}
