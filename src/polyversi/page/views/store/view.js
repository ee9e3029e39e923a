/** The store view, for operators at the server's own machine: how much room games take, and which go next. */
import { get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { language, number, plural, t } from "../../app/i18n.js";
import { sizeOf } from "../../app/words.js";
import { Alert, PageHeader } from "../../components/page.js";

/** @typedef {{kind: string, games: number, bytes: number}} Size */
/** @typedef {{id: string, kind: string, ended: number, bytes: number, leaves: number|null}} Leaving */
/**
 * @typedef {{
 *   name: string, kinds: Size[], in_use: number, retention: {days: number, megabytes: number}|null,
 *   due: {games: number, series: number, bytes: number}|null, next: Leaving[],
 * }} Account
 */

/** What a kind of games is called. @param {string} kind */
function kindName(kind) {
  switch (kind) {
    case "people": return t("Games of people");
    case "shown": return t("Games that ran elsewhere");
    case "computers": return t("Games of computers alone");
    case "imports": return t("Uploaded games");
    default: return t("Games of series");
  }
}

/** @param {number} seconds since 1970 */
const day = (seconds) => new Date(1000 * seconds).toLocaleDateString(language.value, { dateStyle: "medium" });

/** @param {{account: Account}} props */
function Sizes({ account }) {
  return html`<section class="panel stack tight"><h2 id="store-sizes">${t("Sizes")}</h2>
    <table aria-labelledby="store-sizes">
      <thead><tr><th scope="col">${t("Kind")}</th><th scope="col" class="store-right">${t("Games")}</th>
        <th scope="col" class="store-right">${t("Size")}</th></tr></thead>
      <tbody>${account.kinds.map(({ kind, games, bytes }) => html`<tr key=${kind}><th scope="row">${kindName(kind)}</th>
        <td class="store-right number">${number(games)}</td>
        <td class="store-right number">${sizeOf(bytes)}</td></tr>`)}</tbody>
    </table>
    <p class="soft">${t("The store {name} uses {size} in all.",
      { name: account.name, size: sizeOf(account.in_use) })}</p>
  </section>`;
}

/** What is kept how long, in sentences. @param {{days: number, megabytes: number}} retention */
function rule({ days, megabytes: most }) {
  const age = days && plural(days, "Games without people are removed {count} day after their end.",
    "Games without people are removed {count} days after their end.");
  const size = most && t("The oldest go earlier when there is more than {size} of them.",
    { size: sizeOf(1e6 * most) });
  return [age, size, !age && !size && t("Nothing is ever removed.")].filter(Boolean).join(" ");
}

/** @param {{account: Account}} props */
function Retention({ account: { retention, due, next } }) {
  if (!retention || !due) return html`<p class="panel">${t("Nothing is ever removed.")}</p>`;
  return html`<section class="panel stack tight"><h2 id="store-next">${t("What goes next")}</h2>
    <p>${rule(retention)}</p>
    <p>${due.games > 0
      ? plural(due.games, "{count} game, {size}, will be removed within the hour.",
        "{count} games, {size}, will be removed within the hour.", { size: sizeOf(due.bytes) })
      : t("Nothing is to be removed now.")}</p>
    ${next.length > 0 && html`<div class="store-next" tabindex="0"><table aria-labelledby="store-next">
      <thead><tr><th scope="col">${t("Game")}</th><th scope="col">${t("Kind")}</th><th scope="col">${t("Ended")}</th>
        <th scope="col">${t("Removed")}</th><th scope="col" class="store-right">${t("Size")}</th></tr></thead>
      <tbody>${next.map(({ id, kind, ended, bytes, leaves }) => html`<tr key=${id}>
        <td><a href=${`/game/${id}`}>${id}</a></td><td>${kindName(kind)}</td><td>${day(ended)}</td>
        <td>${leaves === null ? t("when the store is full") : day(leaves)}</td>
        <td class="store-right number">${sizeOf(bytes)}</td></tr>`)}</tbody></table></div>`}
  </section>`;
}

export function View() {
  const account = useSignal(/** @type {Account|null} */ (null));
  const problem = useSignal("");
  useEffect(() => {
    get("/api/store").then((found) => { account.value = found; }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  return html`<div class="page store stack">
    <${PageHeader} title=${t("Store")} lead=${t("How much room the games of this server take, and which are removed next.")} />
    <${Alert} text=${problem.value} />
    ${account.value && html`<${Sizes} account=${account.value} /><${Retention} account=${account.value} />`}
  </div>`;
}
