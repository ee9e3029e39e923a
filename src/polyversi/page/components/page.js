/** What every view needs: its heading, names, and the sentence that says what went wrong. */
import { useTitle } from "../app/dom.js";
import { html } from "../app/html.js";
import { playerName } from "../app/players.js";

/**
 * The heading of a view, which is also the window's title, with the children next to it.
 * @param {{title: string, lead: string, children?: any}} props
 */
export function PageHeader({ title, lead, children }) {
  useTitle(title);
  return html`
    <header class="page-header row apart">
      <div><h1>${title}</h1><p class="soft">${lead}</p></div>
      ${children}
    </header>`;
}

/** Letters of a part of a name that a narrow column has no room for. */
const LONG = 16;

/**
 * The name of a player, broken after a colon or a comma if at all: level 12 must not read as level 1.
 * @param {{text: string}} props
 */
export function Name({ text }) {
  const parts = playerName(text).split(/(?<=[:,])/);
  const isLong = parts.some((part) => part.length > LONG);
  return html`<bdi class=${isLong ? "long-name" : "name"}>${parts.map((part) => html`${part}<wbr />`)}</bdi>`;
}

/** What went wrong, if anything. @param {{text: string, look?: string}} props */
export function Alert({ text, look = "" }) {
  return text ? html`<p class=${`problem ${look}`} role="alert">${text}</p>` : null;
}
