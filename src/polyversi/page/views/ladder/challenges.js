/** One's own last challenges on a ladder: how they went, or why they were cancelled. */
import { asSentence, get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { ago, date, number, t } from "../../app/i18n.js";
import { Icon } from "../../components/icons.js";

/** @import { Bot, Ladder } from "./view.js" */

/**
 * @typedef {{id: string, challenger: Bot, challenged: Bot, phase: "over"|"cancelled", reason: string, created: number,
 *   points: number[], games: string[]}} Ended
 */

/** @param {{ladder: Ladder, me: string}} props */
export function Challenges({ ladder, me }) {
  const ended = useSignal(/** @type {Ended[]} */ ([]));
  const open = ladder.queue.filter(({ asked_by: by }) => by === me).map(({ id }) => id).join();
  useEffect(() => {    // again when one of them is over or cancelled
    get(`/api/site/ladders/${encodeURIComponent(ladder.id)}/challenges`).then((found) => { ended.value = found.challenges; }, () => {});
  }, [ladder.id, me, open]);
  if (ended.value.length === 0) return null;
  return html`
    <section class="panel stack tight" aria-labelledby="ladder-challenges">
      <h2 id="ladder-challenges">${t("Your last challenges")}</h2>
      <ol class="ladder-matches">${ended.value.map((match) => html`<${OneChallenge} key=${match.id} match=${match} />`)}</ol>
    </section>`;
}

/** @param {{match: Ended}} props */
function OneChallenge({ match: { challenger, challenged, phase, reason, created, points, games } }) {
  const names = `${challenger.name} – ${challenged.name}`;
  return html`<li class="ladder-match">
    <div class="grow">
      <span class="ladder-pair"><bdi>${challenger.name}</bdi> <span class="soft">–</span> <bdi>${challenged.name}</bdi></span>
      <span class="small">${phase === "cancelled" ? html`<span class="tag bad">${t("cancelled")}</span> ${asSentence(reasonText(reason))}`
        : html`<strong class="number">${points.map((own) => number(own)).join(" : ")}</strong>`}
        <span class="soft" title=${date(1000 * created)}> · ${t("challenged {when}", { when: ago(1000 * created) })}</span></span>
    </div>
    ${games.map((game, at) => html`<a key=${game} class="button quiet icon" href=${`/game/${game}`}
      title=${t("Replay")} aria-label=${t("Replay {names}", { names: `${names}, ${number(at + 1)}` })}><${Icon} name="play" /></a>`)}
  </li>`;
}

/** Why a challenge was cancelled, in the visitor's language where it is known. @param {string} reason */
function reasonText(reason) {
  switch (reason) {
    case "whoever challenged has cancelled it": return t("whoever challenged has cancelled it");
    case "an organiser has cancelled it": return t("an organiser has cancelled it");
    case "the bot that challenged is not on the ladder any more": return t("the bot that challenged is not on the ladder any more");
    case "the bot that was challenged is not on the ladder any more": return t("the bot that was challenged is not on the ladder any more");
    case "a version that had begun it was withdrawn or deleted": return t("a version that had begun it was withdrawn or deleted");
    case "the process that played it has died again and again": return t("the process that played it has died again and again");
    case "one of the bots could not be started": return t("one of the bots could not be started");
    case "something went wrong that is not the bots' fault": return t("something went wrong that is not the bots' fault");
    default: return reason;
  }
}
