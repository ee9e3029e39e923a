/** Copies the address of what is shown, for others to watch. */

import { announce } from "../../app/announce.js";
import { html, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";

export function Share() {
  const said = useSignal("");
  const copy = async () => {
    const address = location.origin + location.pathname;
    try {
      await navigator.clipboard.writeText(address);
      said.value = words.arena.shared;
    } catch {
      said.value = address;
    }
    announce(said.value);
  };
  return html`<div class="arena-share">
    <button type="button" class="button" onClick=${copy}><${Icon} name="copy" />${words.arena.share}</button>
    ${said.value && html`<p class="soft small">${said.value}</p>`}
  </div>`;
}
