/** Opens games, positions and maps from a file or from what is pasted; the server recognises what it is. */
import { announce } from "../app/announcer.js";
import { post, sentenceOf, useAction, useTexts } from "../app/api.js";
import { isTyping, valueOf } from "../app/dom.js";
import { analyse, edit, edited } from "../app/handover.js";
import { html, signal, useEffect, useLayoutEffect, useRef, useSignal } from "../app/html.js";
import { list, number, plural, t } from "../app/i18n.js";
import { go, route } from "../app/router.js";
import { FileButton } from "./forms.js";
import { Icon } from "./icons.js";
import { Alert } from "./page.js";

/** Characters that the server takes; more need not be sent. */
const MAX_SIZE = 1 << 20;

/** What is in the dialog for pasting, or null while it is closed. */
const pasting = signal(/** @type {{text: string, problem: string}|null} */ (null));

/** What the visitor looks at, for texts that do not name their game. */
function looksAt() {
  const { view, params } = route.value;
  const spec = view === "editor" ? edited.value : view === "analysis" ? params.query.get("spec") : "";
  const [key, value] = view === "game" ? ["game", params.id] : ["spec", spec];
  return value ? `?${key}=${encodeURIComponent(value)}` : "";
}

/** Whether what is opened is to be analysed. */
const isAnalysing = () => route.value.view === "analysis";

/** Where a game is looked at. @param {string} id */
const placeOf = (id) => (isAnalysing() ? `/analysis?game=${id}` : `/game/${id}`);

/** A game as a line of JSON, which may have variations. */
const OWN = /^\s*\{\s*"polyversi"[^\n]*\s*$/;

/**
 * Has the server read something and goes where it belongs; several games are returned to be chosen from. A record of ours
 * is analysed with its variations, which a stored game does not have.
 * @param {Blob} content
 */
async function open(content) {
  const text = isAnalysing() && content.size < MAX_SIZE ? await content.text() : "";
  if (OWN.test(text) && !text.includes('"answers"')) {
    analyse({ record: text.trim() });
    return [];
  }
  const found = await post(`/api/records${looksAt()}`, content);
  const games = /** @type {string[]} */ (found.games ?? []);
  if (games.length) announce(plural(games.length, "{count} game read", "{count} games read"));
  if (games.length === 1) go(placeOf(games[0]));
  else if (!games.length && isAnalysing() && found.position) analyse(found);
  else if (!games.length) edit(found);
  return games.length > 1 ? games : [];
}

/** Opens a text that was pasted outside of fields; if that fails, the dialog says why. @param {Blob} content */
async function paste(content) {
  try {
    const games = await open(content);
    if (games.length) go(placeOf(games[0]));
  } catch (error) {
    pasting.value = { text: content.size < MAX_SIZE ? await content.text() : "", problem: sentenceOf(error) };
  }
}

/** From now on Ctrl-V opens what is in the clipboard, except in fields and dialogs. */
export function startPasting() {
  document.addEventListener("paste", (event) => {
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    const [file] = event.clipboardData?.files ?? [];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!file && !text.trim()) return;
    event.preventDefault();
    paste(file ?? new Blob([text]));
  });
}

/** @param {{games: string[]}} props */
function Games({ games }) {
  return games.length > 1 && html`
    <nav aria-label=${t("Games of the file")}>
      <p class="soft small">${plural(games.length, "{count} game read", "{count} games read")}</p>
      <ul class="row">${games.map((id, at) => html`
        <li><a href=${placeOf(id)}>${t("Game {number}", { number: number(at + 1) })}</a></li>`)}</ul>
    </nav>`;
}

/** The dialog in which a text is pasted or written; it is in the page once. */
export function PasteDialog() {
  return pasting.value && html`<${OpenPasteDialog} first=${pasting.value} />`;
}

/** @param {{first: {text: string, problem: string}}} props */
function OpenPasteDialog({ first }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const texts = useTexts();
  const text = useSignal(first.text);
  const games = useSignal(/** @type {string[]} */ ([]));
  const { isBusy, problem, run } = useAction();
  const address = useRef(route.value);
  useLayoutEffect(() => { dialog.current?.showModal(); }, []);
  useEffect(() => { problem.value = first.problem; }, [first]);
  useEffect(() => { if (route.value !== address.current) close(); }, [route.value]);
  const close = () => {
    dialog.current?.close();
    pasting.value = null;
  };
  const read = () => run(async () => {
    games.value = await open(new Blob([text.value]));
    if (!games.value.length) close();
  });
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    read();
  };
  return html`<dialog ref=${dialog} class="paste" aria-labelledby="paste-title" onCancel=${close}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) close(); }}>
    <form class="stack" onSubmit=${submit}><h2 id="paste-title">${t("Paste a game, a position or a map")}</h2>
      <label class="field"><span>${t("What can be read: {texts}", { texts: list(texts.pasted.map((text) => t(text))) })}</span>
        <textarea class="digits" rows="7" value=${text.value} autofocus spellcheck=${false}
          onInput=${(/** @type {Event} */ event) => { text.value = valueOf(event); }}
          onPaste=${() => { setTimeout(read); }}></textarea></label>
      <${Alert} text=${problem.value} look="small" />
      <${Games} games=${games.value} />
      <div class="row">
        <button class="button primary" disabled=${isBusy.value || !text.value.trim()}>${isBusy.value ? t("Reading…") : t("Open")}</button>
        <button type="button" class="button" onClick=${close}>${t("Cancel")}</button>
      </div>
    </form></dialog>`;
}

/** Buttons to open a file and to paste. */
export function OpenRecord() {
  const texts = useTexts();
  const { isBusy, problem, run } = useAction();
  const games = useSignal(/** @type {string[]} */ ([]));
  const read = (/** @type {File} */ file) => run(async () => {
    games.value = [];
    games.value = await open(file);
  });
  return html`
    <div class="open-record stack tight">
      <div class="row">
        <${FileButton} label=${t("Open a file")} accept=${texts.suffixes.join(",")} isBusy=${isBusy.value} onFile=${read}>
          ${isBusy.value ? t("Reading the file…") : t("Open a file")}<//>
        <button type="button" class="button" title=${t("Paste a game, a position or a map (Ctrl+V)")}
          onClick=${() => { pasting.value = { text: "", problem: "" }; }}><${Icon} name="paste" />${t("Paste")}</button>
      </div>
      <${Alert} text=${problem.value} look="small" />
      <${Games} games=${games.value} />
    </div>`;
}
