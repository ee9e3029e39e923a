/** Other arenas that are going on. */

import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { words } from "../../words/words.js";

/** @typedef {import("./series.js").Rounds} Rounds */

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
            <span class="soft small">${words.play.spec(rounds.spec)}, ${words.arena.round(rounds.round, rounds.rounds)}</span>
          </a></li>`)}
      </ul>
    </section>`;
}
