/** What every view needs: its heading, and the sentence that says what went wrong. */
import { useTitle } from "../app/dom.js";
import { html } from "../app/html.js";

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

/** What went wrong, if anything. @param {{text: string, look?: string}} props */
export function Alert({ text, look = "" }) {
  return text ? html`<p class=${`problem ${look}`} role="alert">${text}</p>` : null;
}
