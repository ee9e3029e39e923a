/** Opens a record file: the server reads it and keeps its games to be replayed. */
import { announce } from "../app/announcer.js";
import { postFile, sentenceOf } from "../app/api.js";
import { html, useRef, useSignal } from "../app/html.js";
import { go } from "../app/router.js";
import { words } from "../words/words.js";

export function OpenRecord() {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const problem = useSignal("");
  const busy = useSignal(false);
  const games = useSignal(/** @type {string[]} */ ([]));

  const open = async () => {
    const file = input.current?.files?.[0];
    if (!file) return;
    busy.value = true;
    problem.value = "";
    games.value = [];
    try {
      const found = /** @type {string[]} */ ((await postFile("/api/records", file)).games);
      announce(words.watch.opened(found.length));
      if (found.length === 1) go(`/game/${found[0]}`);
      else games.value = found;
    } catch (error) {
      problem.value = sentenceOf(error);
    }
    busy.value = false;
    if (input.current) input.current.value = "";
  };

  return html`
    <div class="watch-open stack tight">
      <input ref=${input} type="file" hidden aria-label=${words.watch.open}
        accept=".jsonl,.txt,.ggf,.wtb,.obf,.script" onChange=${open} />
      <button type="button" class="button" disabled=${busy.value} onClick=${() => input.current?.click()}>
        ${busy.value ? words.watch.opening : words.watch.open}
      </button>
      ${problem.value && html`<p class="problem small" role="alert">${problem.value}</p>`}
      ${games.value.length > 1 && html`
        <nav class="watch-found" aria-label=${words.watch.openedGames}>
          <p class="soft small">${words.watch.opened(games.value.length)}</p>
          <ul class="row">
            ${games.value.map((id, at) => html`<li><a href=${`/game/${id}`}>${words.watch.gameOfFile(at + 1)}</a></li>`)}
          </ul>
        </nav>`}
    </div>`;
}
