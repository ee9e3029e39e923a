/** Questions to the server; whatever goes wrong is a Problem with a sentence for people. */
import { words } from "../words/words.js";

/**
 * What a program says, written as a sentence for people.
 * @param {string} text
 */
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
    throw new Problem(words.problems.unreachable);
  }
  const data = await response.json().catch((error) => {
    // Whoever stopped waiting gets no answer, not an empty one.
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    return null;
  });
  if (!response.ok) throw new Problem(data?.problem || words.problems.refused(response.status), response.status);
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

/** @type {Promise<import("./types.js").Catalogue>|null} */
let catalogue = null;

/** What there is to play, by families; asked for once, on the first view before this module was there. */
export function loadCatalogue() {
  const { polyversiVariants: early } = /** @type {{polyversiVariants?: Promise<Response>}} */ (globalThis);
  catalogue ??= answerOf(early ?? fetch("/api/variants"));
  catalogue.catch(() => { catalogue = null; });
  return catalogue;
}

/** Every variant with its family. @returns {Promise<import("./types.js").Variant[]>} */
export async function allVariants() {
  const { families } = await loadCatalogue();
  return families.flatMap((family) => family.variants.map((variant) => ({ ...variant, family })));
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

/**
 * What can be shown of anything that was thrown.
 * @param {unknown} error
 */
export function sentenceOf(error) {
  return error instanceof Problem ? error.message : words.problems.unexpected;
}
