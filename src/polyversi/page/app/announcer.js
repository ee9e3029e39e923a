/** Announces texts to screen readers through the page's one live region. */
import { common } from "./words.js";

/** At most this many texts are announced together; a fast game between computers makes more, and only the last ones count. */
const MAX_TEXTS = 6;

/** @type {(string|(() => string))[]} */
let waiting = [];
let scheduled = 0;

function say() {
  const region = document.getElementById("announcer");
  if (region) {
    const line = document.createElement("p");
    const texts = waiting.slice(-MAX_TEXTS).map((text) => (typeof text === "string" ? text : text())).filter(Boolean);
    line.textContent = texts.map(common.ended).join(" ");
    region.replaceChildren(line);
  }
  waiting = [];
  scheduled = 0;
}

/** Announces a text, or what a function returns at the moment of the announcement. @param {string|(() => string)} text */
export function announce(text) {
  if (text) waiting.push(text);
  if (waiting.length && !scheduled) scheduled = window.setTimeout(say, 120);
}
