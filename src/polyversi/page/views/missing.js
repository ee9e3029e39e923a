/** What is shown at an address that leads nowhere. */
import { html } from "../app/html.js";
import { isForPlaying } from "../app/offers.js";
import { useTitle } from "../app/title.js";
import { words } from "../words/words.js";

export function MissingView() {
  useTitle(words.shell.views.missing);
  return html`<section class="page stack"><h1>${words.shell.views.missing}</h1>
    <p>${words.shell.missing}</p><p><a class="button primary" href="/">${isForPlaying ? words.shell.missingWay : words.shell.missingShow}</a></p></section>`;
}
