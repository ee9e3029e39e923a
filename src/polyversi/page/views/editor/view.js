/** The editor view: set up a position of any game, or draw a map for Reversi XT. */
import { useTitle } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { MapEditor } from "./map-editor.js";
import { PositionEditor } from "./position-editor.js";

/** @param {{params: import("../../app/router.js").Params}} props */
export function EditorView({ params }) {
  useTitle(words.editor.title);
  const isMap = params.query.get("mode") === "map";
  return html`
    <div class="page editor">
      <header class="row apart">
        <div>
          <h1>${words.editor.title}</h1>
          <p class="soft">${words.editor.lead}</p>
        </div>
        <nav class="row" aria-label=${words.editor.modes}>
          <a class="button" href="/editor" aria-current=${isMap ? undefined : "page"}>${words.editor.position.title}</a>
          <a class="button" href="/editor?mode=map" aria-current=${isMap ? "page" : undefined}>${words.editor.map.title}</a>
        </nav>
      </header>
      ${isMap ? html`<${MapEditor} />` : html`<${PositionEditor} query=${params.query} />`}
    </div>`;
}
