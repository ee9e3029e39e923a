/** The arena view: a series of games between two players. */
import { useFetched } from "../../app/api.js";
import { html, useEffect, useMemo } from "../../app/html.js";
import { playerName } from "../../app/players.js";
import { common } from "../../app/words.js";
import { CopyButton } from "../../components/icons.js";
import { Alert, PageHeader } from "../../components/page.js";
import { RunningGame } from "./board.js";
import { Controls, roundText } from "./controls.js";
import { Played, Totals } from "./results.js";
import { Series } from "./series.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Rounds } from "./series.js" */

/** @param {{current: string}} props the series that is shown already */
function OtherSeries({ current }) {
  /** @type {Rounds[]} */
  const running = useFetched("/api/arena") ?? [];
  const others = running.filter(({ id, round }) => id !== current && round > 0);
  if (others.length === 0) return null;
  return html`
    <section class="stack tight" aria-labelledby="arena-others">
      <h2 id="arena-others">Other running series</h2>
      <ul class="arena-others">
        ${others.map((rounds) => html`
          <li key=${rounds.id}><a class="panel" href=${`/arena/${rounds.id}`}>
            <strong>${rounds.players.map(playerName).join(" against ")}</strong>
            <span class="soft small">${rounds.title}, ${roundText(rounds)}</span>
          </a></li>`)}
      </ul>
    </section>`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const series = useMemo(() => (params.id ? new Series(params.id) : null), [params.id]);
  useEffect(() => () => series?.close(), [series]);
  const rounds = series?.rounds.value ?? null;
  const lead = rounds?.players.map(playerName).join(" against ") ?? "A series of games between two players: choose them and start.";
  if (series && !rounds && series.problem.value) {
    return html`<div class="page arena"><${PageHeader} title="Arena" lead="" />
      <${Alert} text=${series.problem.value} />
      <p><a href="/arena">Start your own series</a></p></div>`;
  }
  return html`
    <div class="page arena">
      <${PageHeader} title="Arena" lead=${lead}>
        ${series && html`<div class="arena-share">
          <${CopyButton} text=${location.origin + location.pathname} label="Copy the link" /></div>`}
      <//>
      <${Alert} text=${series?.problem.value ?? ""} />
      ${rounds && series?.connection.state.value === "lost" && html`
        <p class="problem" role="status">${common.reconnecting}</p>`}
      <div class=${`arena-columns ${rounds ? "" : "idle"}`}>
        <${RunningGame} rounds=${rounds} />
        <div class="arena-side">
          <${Controls} series=${series} rounds=${rounds} />
          <${Totals} rounds=${rounds} />
          ${rounds && html`<${Played} rounds=${rounds} />`}
        </div>
      </div>
      <${OtherSeries} current=${params.id} />
    </div>`;
}
