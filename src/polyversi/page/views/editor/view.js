/** The editor view: set up a position of any game, or draw a map for Reversi XT. */
import { useTitle } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { MapEditor } from "./map-editor.js";
import { PositionEditor } from "./position-editor.js";
import { words } from "./words.js";

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  useTitle(words.title);
  const isMap = params.query.get("mode") === "map";
  return html`
    <div class="page editor">
      <header class="row apart">
        <div>
          <h1>${words.title}</h1>
          <p class="soft">${words.lead}</p>
        </div>
        <nav class="row" aria-label=${words.modes}>
          <a class="button" href="/editor" aria-current=${isMap ? undefined : "page"}>${words.position.title}</a>
          <a class="button" href="/editor?mode=map" aria-current=${isMap ? "page" : undefined}>${words.map.title}</a>
        </nav>
      </header>
      ${isMap ? html`<${MapEditor} />` : html`<${PositionEditor} query=${params.query} />`}
    </div>`;
}
