/** The people who play a variant by their ratings. */
import { account } from "../../app/account.js";
import { useFetched } from "../../app/api.js";
import { html, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Select } from "../../components/forms.js";

/** @typedef {{name: string, rating: number, error: number, games: number}} Ranked */

/** People who are shown at first. */
const FEW = 10;

export function Ranking() {
  /** @type {{variants: {spec: string, title: string, people: number}[]}|null} */
  const known = useFetched("/api/site/rankings");
  const chosen = useSignal("");
  const isWhole = useSignal(false);
  const spec = chosen.value || known?.variants[0]?.spec || "";
  /** @type {{people: Ranked[]}|null} */
  const found = useFetched(spec && `/api/site/rankings/${encodeURIComponent(spec)}`);
  if (!known?.variants.length) return null;
  const people = found?.people ?? [];
  const shown = isWhole.value ? people : people.slice(0, FEW);
  return html`<section class="panel stack tight" aria-labelledby="lobby-ranking"><h2 id="lobby-ranking">${t("Ranking")}</h2>
    ${known.variants.length > 1 && html`<${Select} label=${t("Variant")} value=${spec}
      options=${Object.fromEntries(known.variants.map(({ spec: one, title }) => [one, t(title)]))}
      onChange=${(/** @type {string} */ one) => { chosen.value = one; isWhole.value = false; }} />`}
    <table aria-labelledby="lobby-ranking"><thead><tr><th scope="col"><span class="visually-hidden">${t("Rank")}</span></th>
        <th scope="col">${t("Name")}</th><th scope="col" class="lobby-right">${t("Rating")}</th>
        <th scope="col" class="lobby-right">${t("Games")}</th></tr></thead>
      <tbody>${shown.map(({ name, rating, error, games }, at) => html`<tr key=${name} class=${name === account.value?.name ? "lobby-me" : ""}>
        <td class="soft number">${number(at + 1)}</td>
        <th scope="row"><a href=${`/people/${encodeURIComponent(name)}`}><bdi class="long-name">${name}</bdi></a></th>
        <td class="number lobby-right">${common.rating(rating, error)}</td>
        <td class="number lobby-right">${number(games)}</td></tr>`)}</tbody></table>
    ${people.length > shown.length && html`<button type="button" class="button quiet" onClick=${() => { isWhole.value = true; }}>
      ${t("Show all")}</button>`}
  </section>`;
}
