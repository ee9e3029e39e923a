/** The arena view: a series of games between two players. */
import { announce } from "../../app/announcer.js";
import { get } from "../../app/api.js";
import { useTitle } from "../../app/dom.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";
import { Icon } from "../../components/icons.js";
import { Stage } from "./board.js";
import { Controls } from "./controls.js";
import { Credits, Played } from "./results.js";
import { Series } from "./series.js";

/** @import { Rounds } from "./series.js" */

/** @param {{current: string}} props the arena that is shown already */
export function Going({ current }) {
  const found = useSignal(/** @type {Rounds[]} */ ([]));
  useEffect(() => {
    const stop = new AbortController();
    get("/api/arena", stop.signal).then((list) => { found.value = list; }, () => {});
    return () => stop.abort();
  }, [current]);
  const others = found.value.filter(({ id, round }) => id !== current && round > 0);
  if (others.length === 0) return null;
  return html`
    <section class="stack tight" aria-labelledby="arena-going">
      <h2 id="arena-going">${words.arena.running}</h2>
      <ul class="arena-going">
        ${others.map((rounds) => html`
          <li key=${rounds.id}><a class="panel" href=${`/arena/${rounds.id}`}>
            <strong>${words.arena.versus(...rounds.players)}</strong>
            <span class="soft small">${rounds.title}, ${words.arena.round(rounds.round, rounds.rounds)}</span>
          </a></li>`)}
      </ul>
    </section>`;
}

export function Share() {
  const said = useSignal("");
  const copy = async () => {
    const address = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(address);
      said.value = words.arena.shared;
    } catch {
      said.value = address;
    }
    announce(said.value);
  };
  return html`<div class="arena-share">
    <button type="button" class="button" onClick=${copy}><${Icon} name="copy" />${words.arena.share}</button>
    ${said.value && html`<p class="soft small">${said.value}</p>`}
  </div>`;
}

/** @param {{params: import("../../app/router.js").Params}} props */
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
