/** The editor view: set up a position of any game, or draw a map for Reversi XT. */
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { OpenRecord } from "../../components/open-record.js";
import { PageHeader } from "../../components/page.js";
import { MapEditor } from "./map-editor.js";
import { PositionEditor } from "./position-editor.js";

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const isMap = params.query.get("mode") === "map";
  return html`
    <div class="page editor">
      <${PageHeader} title=${t("Editor")}
          lead=${t("Set up a position of any game or draw a Reversi XT map, and play from there.")}>
        <div class="row"><${OpenRecord} /><nav class="row" aria-label=${t("Editor mode")}>
          <a class="button" href="/editor" aria-current=${isMap ? undefined : "page"}>${t("Position")}</a>
          <a class="button" href="/editor?mode=map" aria-current=${isMap ? "page" : undefined}>${t("XT map")}</a>
        </nav></div>
      <//>
      ${isMap ? html`<${MapEditor} query=${params.query} />` : html`<${PositionEditor} query=${params.query} />`}
    </div>`;
}
