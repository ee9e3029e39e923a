/** The editor view: set up a position of any game, or draw a map for Reversi XT. */
import { html } from "../../app/html.js";
import { PageHeader } from "../../components/page.js";
import { MapEditor } from "./map-editor.js";
import { PositionEditor } from "./position-editor.js";
import { words } from "./words.js";

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const isMap = params.query.get("mode") === "map";
  return html`
    <div class="page editor">
      <${PageHeader} title=${words.title} lead=${words.lead}>
        <nav class="row" aria-label=${words.modes}>
          <a class="button" href="/editor" aria-current=${isMap ? undefined : "page"}>${words.position.title}</a>
          <a class="button" href="/editor?mode=map" aria-current=${isMap ? "page" : undefined}>${words.map.title}</a>
        </nav>
      <//>
      ${isMap ? html`<${MapEditor} />` : html`<${PositionEditor} query=${params.query} />`}
    </div>`;
}
