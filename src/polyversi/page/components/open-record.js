/** Opens a record file: the server reads it and keeps its games to be replayed. */
import { announce } from "../app/announcer.js";
import { post, useAction } from "../app/api.js";
import { html, useSignal } from "../app/html.js";
import { plural, t } from "../app/i18n.js";
import { go } from "../app/router.js";
import { FileButton } from "./forms.js";
import { Alert } from "./page.js";

const ACCEPTED = ".jsonl,.log,.txt,.ggf,.wtb,.obf,.script";

/** @param {number} count */
const readText = (count) => plural(count, "{count} game read.", "{count} games read.");

export function OpenRecord() {
  const { isBusy, problem, run } = useAction();
  const games = useSignal(/** @type {string[]} */ ([]));
  const open = (/** @type {File} */ file) => run(async () => {
    games.value = [];
    const found = /** @type {string[]} */ ((await post("/api/records", file)).games);
    announce(readText(found.length));
    if (found.length === 1) go(`/game/${found[0]}`);
    else games.value = found;
  });
  return html`
    <div class="open-record stack tight">
      <${FileButton} label=${t("Open a record file")} accept=${ACCEPTED} isBusy=${isBusy.value} onFile=${open}>
        ${isBusy.value ? t("Reading the file…") : t("Open a record file")}<//>
      <${Alert} text=${problem.value} look="small" />
      ${games.value.length > 1 && html`
        <nav aria-label=${t("Games of the file")}>
          <p class="soft small">${readText(games.value.length)}</p>
          <ul class="row">${games.value.map((id, at) => html`
            <li><a href=${`/game/${id}`}>${t("Game {number}", { number: at + 1 })}</a></li>`)}</ul>
        </nav>`}
    </div>`;
}
