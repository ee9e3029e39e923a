/** The position as one line: to be copied, and to be pasted. */

import { announce } from "../../app/announce.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";
import { useCheck, Verdict } from "./check.js";
import { readLine } from "./line.js";

/**
 * @param {{game: {spec: string, map: string}, description: import("../../app/types.js").Description, line: string,
 *   onRead: (position: import("../../app/position.js").Position) => void}} props
 */
export function LineField({ game, description, line, onRead }) {
  const draft = useSignal(/** @type {string | null} */ (null));
  const said = useSignal("");
  const unread = draft.value !== null && !readLine(description, draft.value) ? draft.value : null;
  const answer = useCheck(unread === null ? null : { ...game, position: unread || " " }).value;
  // Whatever changes the position elsewhere replaces what is written here.
  useEffect(() => { if (unread === null) draft.value = null; }, [line]);

  const write = (/** @type {string} */ text) => {
    draft.value = text;
    const read = readLine(description, text);
    if (read) onRead(read);
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(line);
      said.value = words.editor.position.copied;
    } catch {
      said.value = words.editor.position.notCopied;
    }
    announce(said.value);
  };
  return html`
    <div class="stack tight">
      <label class="field">
        <span>${words.editor.position.line}</span>
        <textarea class="digits editor-line" rows="3" spellcheck=${false} autocomplete="off" autocapitalize="off" value=${draft.value ?? line}
          onInput=${(/** @type {any} */ event) => write(event.target.value)}
          onBlur=${() => { if (unread === null) draft.value = null; }}></textarea>
      </label>
      ${unread !== null && html`<${Verdict} answer=${answer} />`}
      <div class="row">
        <button type="button" class="button" onClick=${copy}><${Icon} name="copy" />${words.editor.position.copy}</button>
        ${said.value && html`<span class="soft small">${said.value}</span>`}
      </div>
    </div>`;
}
