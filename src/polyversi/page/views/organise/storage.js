/** How much storage the site uses, and how much is left. */
import { get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { Alert } from "../../components/page.js";

/**
 * @typedef {{database: number, uploads: number, uploads_limit: number, free: number, counts: Record<string, number>}} Used
 */

/** A size as people read it. @param {number} bytes */
const sizeOf = (bytes) => t("{size} MB", { size: number(bytes / 1e6, { maximumFractionDigits: 1 }) });

/** What is counted, by its name in the answer. @returns {[string, string][]} */
const counted = () => [["people", t("People")], ["bots", t("Bots")], ["versions", t("Versions of bots")],
  ["ladder_games", t("Games on ladders")], ["rated_games", t("Games of members and bots")]];

export function Storage() {
  const used = useSignal(/** @type {Used|null} */ (null));
  const problem = useSignal("");
  useEffect(() => {
    get("/api/site/organise/storage").then((found) => { used.value = found; }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  const found = used.value;
  const rows = found ? [
    [t("Database"), sizeOf(found.database)],
    [t("Uploads"), t("{size} of {limit}", { size: sizeOf(found.uploads), limit: sizeOf(found.uploads_limit) })],
    [t("Free on the disk"), sizeOf(found.free)],
    ...counted().map(([name, text]) => [text, number(found.counts[name] ?? 0)]),
  ] : [];
  return html`<section class="panel stack"><h2 id="storage-title">${t("Storage")}</h2>
    <${Alert} text=${problem.value} />
    <table aria-labelledby="storage-title"><tbody>${rows.map(([what, much]) => html`<tr key=${what}><th scope="row">${what}</th>
      <td class="number">${much}</td></tr>`)}</tbody></table>
    <p class="soft">${t("A backup is made with “polyversi site backup”, also while the site runs.")}</p>
  </section>`;
}
