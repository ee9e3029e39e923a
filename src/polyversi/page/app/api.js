/** Requests to the server; whatever goes wrong becomes a Problem whose message can be shown. */
import { signal, useEffect, useSignal } from "./html.js";
import { t } from "./i18n.js";
import { common } from "./words.js";

/** @import { Catalogue, Variant } from "./types.js" */

/** An error message as a sentence, with a capital and a full stop. @param {string} text */
export const asSentence = (text) => common.ended(common.capital(text));

/** What went wrong, in a sentence that can be shown; the status is 0 when the server could not be reached. */
export class Problem extends Error {
  /** @param {string} sentence @param {number} status */
  constructor(sentence, status = 0) {
    super(asSentence(sentence));
    this.name = "Problem";
    this.status = status;
  }
}

/** The sentence to show for anything that was thrown. @param {unknown} error */
export function sentenceOf(error) {
  if (error instanceof Problem) return error.message;
  return t("Something unexpected went wrong. Reloading the page may help.");
}

/** @param {unknown} error */
const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** Whether the server cannot store anything just now, as its last answer said. */
export const isStoreWaiting = signal(false);

/** The JSON answer to a request. @type {(request: Promise<Response>) => Promise<any>} */
async function answerOf(request) {
  const response = await request.catch((error) => {
    throw isAbort(error) ? error : new Problem(t("The server cannot be reached. Is it still running?"));
  });
  isStoreWaiting.value = response.headers.get("polyversi-store") === "waiting";
  const data = await response.json().catch((error) => { if (isAbort(error)) throw error; });
  if (!response.ok) {
    const { status } = response;
    throw new Problem(data?.problem || t("The server refused the request ({status})", { status }), status);
  }
  return data;
}

/** Sends a GET request. @type {(path: string, signal?: AbortSignal) => Promise<any>} */
export function get(path, signal) {
  return answerOf(fetch(path, { cache: "no-store", signal }));
}

/** Sends a POST request: a file as it is, anything else as JSON. @type {(path: string, data: unknown, method?: string) => Promise<any>} */
export function post(path, data, method = "POST") {
  const [type, body] = data instanceof Blob ? ["octet-stream", data] : ["json", JSON.stringify(data)];
  return answerOf(fetch(path, { method, headers: { "content-type": `application/${type}` }, body }));
}

/** @type {Promise<Catalogue>|null} */
let catalogue = null;
/** The same once it has arrived. @type {import("./html.js").Signal<Catalogue|null>} */
const arrived = signal(null);

/** What there is to play, requested once; where the first view needs it, the document has requested it already. */
export function loadCatalogue() {
  catalogue ??= answerOf(fetch("/api/variants")).then((/** @type {Catalogue} */ found) => {
    arrived.value = found;
    return found;
  });
  catalogue.catch(() => { catalogue = null; });
  return catalogue;
}

/** What there is to play; null until it has arrived. @returns {Catalogue|null} */
export function useCatalogue() {
  useEffect(() => { loadCatalogue().catch(() => {}); }, []);
  return arrived.value;
}

/** The time limits that are offered, in words; none until the catalogue has arrived. @returns {Record<string, string>} */
export const limitChoices = () => Object.fromEntries((arrived.value?.limits ?? []).map((limit) => [limit, common.limitName(limit)]));

/** All variants, each with its family. @returns {Promise<Variant[]>} */
export async function allVariants() {
  const { families } = await loadCatalogue();
  return families.flatMap((family) => family.variants.map((variant) => ({ ...variant, family })));
}

/** All variants; an empty list until they have arrived. @type {(onProblem?: (sentence: string) => void) => Variant[]} */
export function useVariants(onProblem) {
  const found = useSignal(/** @type {Variant[]} */ ([]));
  useEffect(() => { allVariants().then((all) => { found.value = all; }, (error) => onProblem?.(sentenceOf(error))); }, []);
  return found.value;
}

/** What people may open: the endings of files, and what texts are called; empty until they have arrived. */
export function useTexts() {
  const found = useSignal(/** @type {Catalogue["texts"]} */ ({ suffixes: [], pasted: [] }));
  useEffect(() => { loadCatalogue().then(({ texts }) => { found.value = texts; }, () => {}); }, []);
  return found.value;
}

/** The JSON at a path; null until it has arrived, if the request fails, and for an empty path. @type {(path: string) => any} */
export function useFetched(path) {
  const found = useSignal(/** @type {any} */ (null));
  useEffect(() => {
    if (!path) return undefined;
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
