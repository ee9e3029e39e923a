/** Takes a game away: links to copy, pictures and records to save. */
import { announce } from "../../app/announce.js";
import { selectAll } from "../../app/fields.js";
import { html, useRef, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

const FILES = /** @type {const} */ (["txt", "jsonl", "ggf", "svg", "png", "gif"]);
/** What the GGF format can hold. */
const GGF = /^(othello|anti)(-\d+)?$/;
/** Space that is kept between the menu and its button or the edge of the window. */
const MARGIN = 8;

/**
 * Copies a text; where the browser does not let us, the text is returned to be copied by hand.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce(words.game.copied);
    return "";
  } catch {
    return text;
  }
}

/**
 * Puts an open menu above its button, or below where there is no room.
 * @param {HTMLElement} menu
 * @param {HTMLElement} button
 */
function place(menu, button) {
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const above = at.top - height - MARGIN;
  menu.style.left = `${Math.max(MARGIN, Math.min(at.right - width, innerWidth - width - MARGIN))}px`;
  menu.style.top = `${above >= MARGIN ? above : at.bottom + MARGIN}px`;
}

/** Copies an address, and shows it where that is not possible. @param {{paths: [path: string, label: string][]}} props */
function CopyLinks({ paths }) {
  const copied = useSignal("");
  const byHand = useSignal("");
  const take = async (/** @type {string} */ path) => {
    byHand.value = await copy(`${location.origin}${path}`);
    copied.value = byHand.value ? "" : path;
  };
  return html`
    ${paths.map(([path, label]) => html`
      <button key=${label} class="button quiet" onClick=${() => take(path)}>
        <${Icon} name=${copied.value === path ? "check" : "copy"} />${copied.value === path ? words.game.copied : label}
      </button>`)}
    ${byHand.value && html`
      <label class="field"><span>${words.game.copyThis}</span>
        <input readonly value=${byHand.value} onFocus=${selectAll} /></label>`}`;
}

/** @param {{model: GameModel}} props */
export function ShareMenu({ model }) {
  const menu = useRef(/** @type {HTMLDivElement|null} */ (null));
  const button = useRef(/** @type {HTMLButtonElement|null} */ (null));
  const ply = model.shown.value?.ply ?? 0;
  const isGgf = GGF.test(model.description.value?.spec ?? "");
  const opened = () => {
    if (menu.current?.matches(":popover-open") && button.current) place(menu.current, button.current);
  };
  const address = (/** @type {string} */ file) =>
    `/games/${model.id}.${file}${file === "svg" || file === "png" ? `?ply=${ply}` : ""}`;
  return html`
    <button ref=${button} class="button icon" popovertarget="share-menu" aria-label=${words.game.share}
      title=${words.game.share}><${Icon} name="share" /></button>
    <div ref=${menu} id="share-menu" class="menu" popover onToggle=${opened} role="group" aria-label=${words.game.share}>
      <${CopyLinks} paths=${[
        [`/game/${model.id}?ply=${ply}`, words.game.shareLink],
        [`/game/${model.id}`, words.game.shareGame],
      ]} />
      ${FILES.filter((file) => file !== "ggf" || isGgf).map((file) => html`
        <a key=${file} class="button quiet" download=${`polyversi-${model.id}.${file}`} href=${address(file)}>
          ${words.game.files[file]}</a>`)}
    </div>`;
}
