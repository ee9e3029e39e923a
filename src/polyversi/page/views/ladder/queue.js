/** The queue of a ladder: what is being played, to watch, and what waits, in the order in which it came. */
import { html } from "../../app/html.js";
import { ago, number, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Icon } from "../../components/icons.js";

/** @import { Ladder, Match } from "./view.js" */

/** Matches that are listed. */
const MOST = 30;

/**
 * @param {{ladder: Ladder, me: string, isOrganiser: boolean, isBusy: boolean, onCancel: (match: string) => void}} props
 */
export function Queue({ ladder: { queue, waiting, status }, me, isOrganiser, isBusy, onCancel }) {
  const mayCancel = (/** @type {Match} */ match) => match.phase === "waiting" && (isOrganiser || (me && match.asked_by === me));
  const shown = queue.slice(0, MOST);
  return html`
    <section class="panel stack tight ladder-queue" aria-labelledby="ladder-queue">
      <h2 id="ladder-queue">${t("Queue")} ${waiting > 0 && html`<span class="tag number">${number(waiting)}</span>`}</h2>
      ${status.jobs > 0 && html`<p class="soft small">${plural(status.jobs, "{busy} of {count} place is taken.", "{busy} of {count} places are taken.",
        { busy: number(status.busy) })}</p>`}
      ${shown.length === 0 && html`<p class="soft">${t("Nothing waits: everybody has enough games.")}</p>`}
      <ol class="ladder-matches">${shown.map((match) => html`<li key=${match.id} class="ladder-match">
        <div class="grow">
          <span class="ladder-pair"><bdi>${match.challenger.name}</bdi> <span class="soft">–</span> <bdi>${match.challenged.name}</bdi></span>
          <span class="soft small">${match.is_automatic ? t("automatic") : t("challenge by {name}", { name: match.challenger.owner_name || match.challenger.name })}
            ${" · "}${match.phase === "playing" ? t("being played") : t("waiting since {time}", { time: ago(1000 * match.created) })}</span>
        </div>
        ${match.live.map((game, at) => html`<a key=${game} class="button" href=${`/game/${game}`}
          aria-label=${t("Watch {names}", { names: `${match.challenger.name} – ${match.challenged.name}, ${number(at + 1)}` })}>
          <${Icon} name="play" />${t("Watch")}</a>`)}
        ${mayCancel(match) && html`<button type="button" class="button quiet" disabled=${isBusy} onClick=${() => onCancel(match.id)}>${common.cancel}</button>`}
      </li>`)}</ol>
      ${waiting > shown.length && html`<p class="soft small">${plural(waiting - shown.length, "{count} more waits.", "{count} more wait.")}</p>`}
    </section>`;
}
