/** The arena view: two players, round after round, as on the page of seed 000, for every game of two seats. */

import { html, useEffect, useMemo } from "../app/html.js";
import { useTitle } from "../app/title.js";
import { words } from "../words/words.js";
import { Credits } from "./arena/credits.js";
import { Controls } from "./arena/controls.js";
import { Going } from "./arena/going.js";
import { Played } from "./arena/played.js";
import { Series } from "./arena/series.js";
import { Share } from "./arena/share.js";
import { Stage } from "./arena/stage.js";

/** @param {{params: import("../app/router.js").Params}} props */
export function ArenaView({ params }) {
  useTitle(words.arena.title);
  const series = useMemo(() => (params.id ? new Series(params.id) : null), [params.id]);
  useEffect(() => () => series?.close(), [series]);
  const rounds = series?.rounds.value ?? null;
  if (series && !rounds && series.problem.value) {
    return html`<div class="page arena"><h1>${words.arena.title}</h1>
      <p class="problem" role="alert">${series.problem.value}</p>
      <p><a href="/arena">${words.arena.another}</a></p></div>`;
  }
  return html`
    <div class="page arena">
      <header class="row apart">
        <div>
          <h1>${words.arena.title}</h1>
          <p class="soft">${rounds ? words.arena.versus(...rounds.players) : words.arena.lead}</p>
        </div>
        ${series && html`<${Share} />`}
      </header>
      ${series && series.problem.value && html`<p class="problem" role="alert">${series.problem.value}</p>`}
      ${series && rounds && series.connection.state.value === "lost" && html`<p class="problem" role="status">${words.arena.lost}</p>`}
      <div class=${`arena-columns ${rounds ? "" : "idle"}`}>
        <${Stage} rounds=${rounds} />
        <div class="arena-side">
          <${Controls} series=${series} rounds=${rounds} />
          <${Credits} rounds=${rounds} />
          ${rounds && html`<${Played} rounds=${rounds} />`}
        </div>
      </div>
      <${Going} current=${params.id} />
    </div>`;
}
