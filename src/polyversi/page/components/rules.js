/** The way to the rules from anywhere: buttons, the line that says what is played for, and the dialog they open. */
import { html, signal, useEffect, useLayoutEffect, useRef, useSignal } from "../app/html.js";
import { number, t } from "../app/i18n.js";
import { loadView } from "../app/views.js";
import { common } from "../app/words.js";
import { Icon } from "./icons.js";
import { Alert } from "./page.js";

/** @import { Description, Sentence } from "../app/types.js" */

/**
 * What the dialog shows: the rules of a game that can be played (spec) or is played (game); all of them, or the legend of
 * tiles, stocks and phases with one tile in view.
 * @typedef {{spec?: string, game?: string, isLegend?: boolean, tile?: number}} Asked
 */

/** @type {import("../app/html.js").Signal<Asked|null>} */
const asked = signal(null);

/** Opens the rules over whatever is shown. @param {Asked} what */
export function openRules(what) {
  asked.value = what;
}

/** Where the server has the rules. @param {Asked} what */
export const rulesPath = ({ spec = "", game = "" }) =>
  (game ? `/api/games/${game}/rules` : `/api/rules?spec=${encodeURIComponent(spec)}`);

/** A sentence of the rules in the visitor's language; words in it are translated by themselves. @param {Sentence} sentence */
export function said({ text, values }) {
  const filled = Object.entries(values).map(([name, value]) => [name, typeof value === "number" ? number(value) : t(value)]);
  return t(text, Object.fromEntries(filled));
}

/** @param {Asked & {look?: string, label?: string}} props */
export function RulesButton({ look = "", label, ...what }) {
  return html`<button type="button" class=${`button ${look}`} aria-haspopup="dialog" onClick=${() => openRules(what)}>
    <${Icon} name=${what.isLegend ? "list" : "book"} />${label ?? (what.isLegend ? t("Legend") : t("Rules"))}</button>`;
}

/** What a game is played for, and the ways to its rules. @param {{game: string, description: Description}} props */
export function GoalLine({ game, description }) {
  return html`<div class="goal-line">
    <p>${t(description.goal)}</p>
    <span class="goal-buttons">
      <${RulesButton} game=${game} look="quiet" />
      ${description.has_stocks && html`<${RulesButton} game=${game} isLegend=${true} look="quiet" />`}
    </span>
  </div>`;
}

/** The dialog; the page has one. Its content is loaded when it is first opened. */
export function RulesDialog() {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const content = useSignal(/** @type {{View: any}|null} */ (null));
  const problem = useSignal("");
  const what = asked.value;
  useLayoutEffect(() => { if (what && !dialog.current?.open) dialog.current?.showModal(); }, [what]);
  useEffect(() => {
    if (!what || content.value) return;
    loadView("rules").then((View) => { content.value = { View }; },
      () => { problem.value = t("The rules could not be loaded. Is the server still running?"); });
  }, [what]);
  if (!what) return null;
  const close = () => { asked.value = null; };
  const { View } = content.value ?? {};
  const title = what.isLegend ? t("Legend") : t("Rules");
  return html`<dialog ref=${dialog} class="rules-dialog" aria-label=${title} onClose=${close}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) dialog.current?.close(); }}>
    <div class="rules-frame">
      <div class="rules-close"><button type="button" class="button quiet icon" aria-label=${t("Close")} title=${t("Close")}
        onClick=${() => dialog.current?.close()}><${Icon} name="close" /></button></div>
      <${Alert} text=${problem.value} />
      ${View ? html`<${View} key=${rulesPath(what)} asked=${what} />` : html`<p class="soft loading">${common.loading}</p>`}
    </div>
  </dialog>`;
}
