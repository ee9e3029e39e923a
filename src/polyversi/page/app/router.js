/** Which view is shown: the address bar is the only state there is. */
import { signal } from "./html.js";
import { VIEWS } from "./views.js";

/** @typedef {{id: string, query: URLSearchParams}} Params */

/** @returns {{view: string, params: Params}} */
function read() {
  const [name, id] = location.pathname.split("/").filter(Boolean);
  const view = name ?? [...VIEWS.keys()][0];
  return { view, params: { id: id ? decoded(id) : "", query: new URLSearchParams(location.search) } };
}

/** A part of an address; as it is where it cannot be decoded, which then is the name of nothing. @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The view that the address names, with its parameters. */
export const route = signal(read());

/** Goes to an address of this page. @param {string} path */
export function go(path) {
  history.pushState(null, "", path);
  route.value = read();
}

/** Follows a click on a link within the page without loading the page again. @param {MouseEvent} event */
function follow(event) {
  const isSpecial = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.defaultPrevented || event.button !== 0 || isSpecial) return;
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
  if (link.origin !== location.origin || !link.getAttribute("href")?.startsWith("/")) return;
  if (/^\/(api|page|games)\//.test(link.pathname)) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}

/** Starts to follow links and the browser's back and forward. */
export function startRouter() {
  document.addEventListener("click", follow);
  addEventListener("popstate", () => { route.value = read(); });
}
