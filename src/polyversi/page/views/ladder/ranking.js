/** The ranking of a ladder, and the challenges that somebody can make from it. */
import { html, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { Select } from "../../components/forms.js";
import { Icon } from "../../components/icons.js";

/** @import { Ladder, Ranked } from "./view.js" */

/**
 * @param {{ladder: Ladder, me: string, mayChallenge: boolean, isOrganiser: boolean, isBusy: boolean,
 *   onChallenge: (challenger: string, challenged: string) => void}} props
 */
export function Ranking({ ladder, me, mayChallenge, isOrganiser, isBusy, onChallenge }) {
  const chosen = useSignal("");
  const own = ladder.ranking.filter(({ bot }) => me && bot.owner === me);
  const challenger = mayChallenge ? own.find(({ bot }) => bot.id === chosen.value) ?? own.at(-1) : undefined;
  const isAbove = (/** @type {Ranked} */ one) => Boolean(challenger && one.rank < challenger.rank);
  const isWaiting = (/** @type {Ranked} */ one) => ladder.queue.some((match) =>
    match.asked_by === me && match.challenger.id === challenger?.bot.id && match.challenged.id === one.bot.id);
  return html`
    <section class="panel stack tight ladder-ranking" aria-labelledby="ladder-ranking">
      <div class="row apart"><h2 id="ladder-ranking">${t("Ranking")}</h2>
        ${own.length > 1 && challenger && html`<${Select} class="ladder-own" label=${t("Challenge with")} value=${challenger.bot.id}
          options=${Object.fromEntries(own.map(({ bot }) => [bot.id, bot.name]))}
          onChange=${(/** @type {string} */ bot) => { chosen.value = bot; }} />`}</div>
      ${ladder.ranking.length === 0 ? html`<p class="soft">${t("No bot has passed its check yet.")} <a href="/bots">${t("Hand one in")}</a></p>` : html`
        <table aria-labelledby="ladder-ranking">
          <thead><tr><th scope="col" class="ladder-rank"><span class="visually-hidden">${t("Place")}</span></th><th scope="col">${t("Bot")}</th>
            <th scope="col" class="ladder-right" title=${t("With the error that 19 of 20 ratings keep; the place counts what is sure.")}>${t("Rating")}</th>
            <th scope="col" class="ladder-trend">${t("Trend")}</th><th scope="col" class="ladder-right ladder-games">${t("Games")}</th>
            ${challenger && html`<th scope="col"><span class="visually-hidden">${t("Challenge")}</span></th>`}</tr></thead>
          <tbody>${ladder.ranking.map((one) => html`<tr key=${one.bot.id} class=${me && one.bot.owner === me ? "ladder-mine" : ""}>
            <td class="ladder-rank number">${number(one.rank)}</td>
            <th scope="row" class="ladder-bot"><a href=${`/bots/${one.bot.id}`}><bdi>${one.bot.name}</bdi></a>
              <span class="tag number" title=${t("Version {number}", { number: number(one.version) })}>${t("v{number}", { number: one.version })}</span>
              <span class="ladder-owner soft small"><bdi>${one.bot.owner_name}</bdi></span></th>
            <td class="ladder-right number"><strong>${number(Math.round(one.rating))}</strong>
              <span class="soft ladder-error"> ± ${number(Math.round(one.error))}</span></td>
            <td class="ladder-trend"><${Trend} one=${one} /></td>
            <td class="ladder-right ladder-games number"><a href=${`/ladder/${ladder.id}?bot=${one.bot.id}`}>${number(one.games)}</a></td>
            ${challenger && html`<td class="ladder-act">${isAbove(one) && html`
              <button type="button" class="button" disabled=${isBusy || isWaiting(one)}
                aria-label=${t("Challenge {name}", { name: one.bot.name })}
                onClick=${() => onChallenge(challenger.bot.id, one.bot.id)}><${Icon} name=${isWaiting(one) ? "check" : "flag"} />
                <span>${isWaiting(one) ? t("In the queue") : t("Challenge")}</span></button>`}</td>`}
          </tr>`)}</tbody>
        </table>
        <p class="soft small">${t("The place counts what is sure of a rating: the rating less its error.")}</p>
        ${isOrganiser && html`<p><a class="button" href=${`/api/site/ladders/${ladder.id}/table.csv`} download>${t("Table (CSV)")}</a></p>`}`}
    </section>`;
}

/** Width and height of the little graph. */
const [WIDTH, HEIGHT] = [64, 20];

/** How a rating has gone lately: a little graph, and what it gained in the last games. @param {{one: Ranked}} props */
function Trend({ one: { steps, trend } }) {
  if (steps.length < 2) return html`<span class="soft">–</span>`;
  const [low, high] = [Math.min(...steps), Math.max(...steps)];
  const points = steps.map((rating, at) => [at / (steps.length - 1) * WIDTH, HEIGHT - (rating - low) / (high - low || 1) * HEIGHT]);
  const gain = Math.round(trend);
  const look = gain > 0 ? "ladder-up" : gain < 0 ? "ladder-down" : "soft";
  return html`<span class="ladder-line">
    <svg viewBox=${`-2 -2 ${WIDTH + 4} ${HEIGHT + 4}`} width=${WIDTH} height=${HEIGHT} aria-hidden="true"><polyline fill="none" stroke="currentColor"
      stroke-width="1.5" points=${points.map((point) => point.map((value) => value.toFixed(1)).join()).join(" ")} /></svg>
    <span class=${`number ${look}`}>${gain !== 0 && html`<${Icon} name=${gain > 0 ? "up" : "down"} />`}
      ${number(gain, { signDisplay: "exceptZero" })}</span></span>`;
}
