/** Announces texts to screen readers through the page's one live region. */

/** Texts that are said at once at most: whoever listens wants the last ones, not all of a game between computers. */
const MOST = 6;

/** @type {(string|(() => string))[]} */
let waiting = [];
let scheduled = 0;

function say() {
  const region = document.getElementById("announcer");
  if (region) {
    const line = document.createElement("p");
    const texts = waiting.slice(-MOST).map((text) => (typeof text === "string" ? text : text())).filter(Boolean);
    line.textContent = texts.map((text) => (/[.!?…]$/.test(text) ? text : `${text}.`)).join(" ");
    region.replaceChildren(line);
  }
  waiting = [];
  scheduled = 0;
}

/**
 * Announces a text; what comes within the same moment is said in one go. A function is asked for its text only then.
 * @param {string|(() => string)} text
 */
export function announce(text) {
  if (text) waiting.push(text);
  if (waiting.length && !scheduled) scheduled = window.setTimeout(say, 120);
}
