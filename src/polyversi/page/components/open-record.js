/** Opens a record file: the server reads it and keeps its games to be replayed. */
import { announce } from "../app/announcer.js";
import { postFile, sentenceOf } from "../app/api.js";
import { html, useSignal } from "../app/html.js";
import { go } from "../app/router.js";
import { common } from "../app/words.js";
import { FileButton } from "./forms.js";

const ACCEPTED = ".jsonl,.txt,.ggf,.wtb,.obf,.script";

export function OpenRecord() {
  const problem = useSignal("");
  const isBusy = useSignal(false);
  const games = useSignal(/** @type {string[]} */ ([]));
  const texts = common.record;
  const open = async (/** @type {File} */ file) => {
    isBusy.value = true;
    problem.value = "";
    games.value = [];
    try {
      const found = /** @type {string[]} */ ((await postFile("/api/records", file)).games);
      announce(texts.opened(found.length));
      if (found.length === 1) go(`/game/${found[0]}`);
      else games.value = found;
    } catch (error) {
      problem.value = sentenceOf(error);
    }
    isBusy.value = false;
  };
  return html`
    <div class="open-record stack tight">
      <${FileButton} label=${texts.open} accept=${ACCEPTED} isBusy=${isBusy.value} onFile=${open}>
        ${isBusy.value ? texts.opening : texts.open}<//>
      ${problem.value && html`<p class="problem small" role="alert">${problem.value}</p>`}
      ${games.value.length > 1 && html`
        <nav aria-label=${texts.games}>
          <p class="soft small">${texts.opened(games.value.length)}</p>
          <ul class="row">${games.value.map((id, at) => html`<li><a href=${`/game/${id}`}>${texts.game(at + 1)}</a></li>`)}</ul>
        </nav>`}
    </div>`;
}
