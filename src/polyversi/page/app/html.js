/** Exports Preact, htm and signals to the rest of the page. */
import htm from "../vendor/htm.js";
import { h } from "../vendor/preact.js";

/**
 * A tagged template that makes elements: html`<p class="soft">${text}</p>`.
 * @type {(strings: TemplateStringsArray, ...values: any[]) => import("../vendor/preact.js").VNode<any>}
 */
export const html = /** @type {any} */ (htm.bind(h));

export { render } from "../vendor/preact.js";
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";
export { batch, computed, effect, signal, useSignal, useSignalEffect } from "../vendor/signals.js";

/** @template T @typedef {import("../vendor/signals-core.js").Signal<T>} Signal */
/** @template T @typedef {import("../vendor/signals-core.js").ReadonlySignal<T>} ReadonlySignal */
