/** The list of changes that organisers have made. */
import { get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { date, t } from "../../app/i18n.js";
import { Alert } from "../../components/page.js";

/**
 * @typedef {{number: number, time: number, person: string, name: string, action: string, subject: string,
 *   subject_name: string, detail: Record<string, unknown>}} Entry
 */

/** Who does what an organiser has set a time for. */
const BY_SCHEDULE = "schedule";

/** Who made a change. @param {Entry} entry */
const whoOf = ({ person, name }) => name || (!person ? t("at the terminal") : person === BY_SCHEDULE ? t("by schedule") : t("somebody who was deleted"));

/** What else is known of a change. @param {Entry} entry */
const detailOf = ({ detail }) => Object.entries(detail).map(([name, value]) => `${name}: ${
  typeof value === "object" ? JSON.stringify(value) : value}`).join(", ");

export function Changes() {
  const entries = useSignal(/** @type {Entry[]|null} */ (null));
  const isAll = useSignal(false);
  const problem = useSignal("");
  const load = async () => {
    const known = entries.value ?? [];
    const before = known.length ? `?before=${known[known.length - 1].number}` : "";
    const more = await get(`/api/site/organise/audit${before}`);
    entries.value = [...known, ...more.entries];
    isAll.value = more.entries.length < more.page;
  };
  const attempt = () => { load().catch((error) => { problem.value = sentenceOf(error); }); };
  useEffect(attempt, []);
  return html`<section class="panel stack"><h2 id="changes-title">${t("Changes by organisers")}</h2>
    <${Alert} text=${problem.value} />
    <div class="organise-table" tabindex="0"><table aria-labelledby="changes-title">
      <thead><tr><th scope="col">${t("When")}</th><th scope="col">${t("Who")}</th><th scope="col">${t("What")}</th>
        <th scope="col">${t("Of")}</th><th scope="col">${t("Details")}</th></tr></thead>
      <tbody>${(entries.value ?? []).map((entry) => html`<tr key=${entry.number}>
        <td class="number organise-when">${date(1000 * entry.time)}</td><td><bdi>${whoOf(entry)}</bdi></td>
        <td><code>${entry.action}</code></td><td><bdi class="long-name">${entry.subject_name || entry.subject}</bdi></td>
        <td class="long-name">${detailOf(entry)}</td></tr>`)}</tbody></table></div>
    ${entries.value?.length === 0 ? html`<p class="soft">${t("Nothing was changed yet.")}</p>` : null}
    ${entries.value && !isAll.value ? html`<p><button class="button" onClick=${attempt}>${t("Earlier changes")}</button></p>` : null}
  </section>`;
}
