/** Opens a record file: the server reads it and keeps its games to be replayed. */
import { announce } from "../app/announcer.js";
import { post, useAction } from "../app/api.js";
import { html, useSignal } from "../app/html.js";
import { go } from "../app/router.js";
import { common } from "../app/words.js";
import { FileButton } from "./forms.js";
import { Alert } from "./page.js";

const ACCEPTED = ".jsonl,.log,.txt,.ggf,.wtb,.obf,.script";

export function OpenRecord() {
  const { isBusy, problem, run } = useAction();
  const games = useSignal(/** @type {string[]} */ ([]));
  const open = (/** @type {File} */ file) => run(async () => {
    games.value = [];
    const found = /** @type {string[]} */ ((await post("/api/records", file)).games);
    announce(`${common.counted(found.length, "game")} read.`);
    if (found.length === 1) go(`/game/${found[0]}`);
    else games.value = found;
  });
  return html`
    <div class="open-record stack tight">
      <${FileButton} label="Open a record file" accept=${ACCEPTED} isBusy=${isBusy.value} onFile=${open}>
        ${isBusy.value ? "Reading the file…" : "Open a record file"}<//>
      <${Alert} text=${problem.value} look="small" />
      ${games.value.length > 1 && html`
        <nav aria-label="Games of the file">
          <p class="soft small">${common.counted(games.value.length, "game")} read.</p>
          <ul class="row">${games.value.map((id, at) => html`
            <li><a href=${`/game/${id}`}>Game ${at + 1}</a></li>`)}</ul>
        </nav>`}
    </div>`;
}
