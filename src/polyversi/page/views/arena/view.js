/** The arena view: a series of games between two players. */
import { useFetched } from "../../app/api.js";
import { GameModel } from "../../app/game.js";
import { html, useEffect, useMemo } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { common } from "../../app/words.js";
import { CopyButton } from "../../components/icons.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Moves, RunningGame, useScene } from "./board.js";
import { Controls, roundText } from "./controls.js";
import * as form from "./form.js";
import { Played, Standings } from "./results.js";
import { Series } from "./series.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Rounds } from "../../app/messages.js" */

/** @param {string[]} players */
const against = ([first, second]) => t("{first} against {second}", { first: playerName(first), second: playerName(second) });

/** @param {{current: string}} props the series that is shown already */
function OtherSeries({ current }) {
  /** @type {Rounds[]} */
  const running = useFetched("/api/arena") ?? [];
  const others = running.filter(({ id, round }) => id !== current && round > 0);
  if (others.length === 0) return null;
  return html`
    <section class="stack tight" aria-labelledby="arena-others">
      <h2 id="arena-others">${t("Other running series")}</h2>
      <ul class="arena-others">
        ${others.map((rounds) => html`
          <li key=${rounds.id}><a class="panel" href=${`/arena/${rounds.id}`}>
            <strong>${against(rounds.players)}</strong>
            <span class="soft small">${t(rounds.title)}, ${roundText(rounds)}</span>
          </a></li>`)}
      </ul>
    </section>`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const series = useMemo(() => (params.id ? new Series(params.id) : null), [params.id]);
  useEffect(() => () => series?.close(), [series]);
  const rounds = series?.rounds.value ?? null;
  const model = useMemo(() => (rounds?.game ? new GameModel(rounds.game) : null), [rounds?.game]);
  useEffect(() => () => model?.close(), [model]);
  const spec = rounds?.spec ?? (series ? "" : form.spec.value);
  const start = useFetched(spec && `/api/board?spec=${encodeURIComponent(spec)}&colours=red-blue`);
  const scene = useScene(model, start);
  if (series && !rounds && series.problem.value) {
    return html`<div class="page arena"><${PageHeader} title=${t("Arena")} lead="" />
      <${Alert} text=${series.problem.value} />
      <p><a href="/arena">${t("Start your own series")}</a></p></div>`;
  }
  const lead = rounds
    ? `${against(rounds.players)}, ${t(rounds.title)}`
    : t("A series of games between two players: choose them and start.");
  return html`
    <div class="page arena">
      <div class="arena-stage">
        <${PageHeader} title=${t("Arena")} lead=${lead}>
          ${series && html`<div class="arena-share">
            <${CopyButton} text=${location.origin + location.pathname} label=${t("Copy the link")} /></div>`}
        <//>
        <${Alert} text=${series?.problem.value ?? ""} />
        ${rounds && series?.connection.state.value === "lost" && html`
          <p class="problem" role="status">${common.reconnecting}</p>`}
        <${Controls} series=${series} rounds=${rounds} paints=${scene.paints} />
        <div class="arena-columns">
          <${RunningGame} scene=${scene} />
          <div class="arena-side" role="group" aria-label=${t("Results")} tabindex="0">
            <${Standings} rounds=${rounds} scene=${scene} />
            ${model && html`<${Moves} model=${model} paints=${scene.paints} />`}
            ${rounds && html`<${Played} rounds=${rounds} paints=${scene.paints} />`}
          </div>
        </div>
      </div>
      <${OtherSeries} current=${params.id} />
    </div>`;
}
