/** Icons, buttons with an icon, a button that copies, and the stone next to a name. */
import { announce } from "../app/announcer.js";
import { selectAll } from "../app/dom.js";
import { html, useSignal } from "../app/html.js";
import { t } from "../app/i18n.js";

/** @import { Paint } from "../app/types.js" */

/** @type {Record<string, string>} */
const SHAPES = {
  back: "M15 5l-7 7 7 7",
  on: "M9 5l7 7-7 7",
  start: "M17 5l-7 7 7 7M7 5v14",
  end: "M7 5l7 7-7 7M17 5v14",
  up: "M5 15l7-7 7 7",
  down: "M5 9l7 7 7-7",
  bulb: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.6 10.8c.7.6 1.1 1.3 1.1 2.2h5c0-.9.4-1.6 1.1-2.2A6 6 0 0 0 12 3z",
  undo: "M8 4L4 8l4 4M4 8h9a6 6 0 0 1 0 12H8",
  redo: "M16 4l4 4-4 4M20 8h-9a6 6 0 0 0 0 12h5",
  flag: "M6 21V4M6 5c4-2 7 2 12 0v8c-5 2-8-2-12 0",
  share: "M12 15V4M8 7l4-4 4 4M5 12v8h14v-8",
  download: "M12 4v11M8 11l4 4 4-4M5 20h14",
  sound: "M5 10v4h3l4 4V6L8 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  mute: "M5 10v4h3l4 4V6L8 10zM16 10l5 5M21 10l-5 5",
  sliders: "M4 7h7M19 7h1M15 4a3 3 0 1 0 0 6a3 3 0 1 0 0-6M4 17h1M13 17h7M9 14a3 3 0 1 0 0 6a3 3 0 1 0 0-6",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2m0 16v2M4 12H2m20 0h-2M5 5l1.4 1.4m11.2 11.2L19 19m0-14l-1.4 1.4M6.4 17.6L5 19",
  moon: "M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z",
  half: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 4v16M15 5.5v13M18 8v8",
  screen: "M4 5h16v11H4zM9 20h6M12 16v4",
  book: "M12 7c-2-2-5-2.5-8-2.5v13c3 0 6 .5 8 2.5 2-2 5-2.5 8-2.5v-13c-3 0-6 .5-8 2.5zM12 7v13",
  list: "M4 5h4v4H4zM4 15h4v4H4zM12 7h8M12 17h8",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-.9.6-1.5 1.2-1.5 2.4M12 18h.01",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  again: "M4 12a8 8 0 1 1 2.4 5.7M4 19v-4h4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  close: "M6 6l12 12M18 6L6 18",
  play: "M8 5v14l11-7z",
  pause: "M8 5v14M16 5v14",
  stop: "M7 7h10v10H7z",
  skip: "M5 12h12M13 7l5 5-5 5",
  person: "M12 12a4 4 0 1 0 0-8a4 4 0 0 0 0 8M4.5 20.5c.5-4 3.5-6.5 7.5-6.5s7 2.5 7.5 6.5",
  friends: "M9 11a3.5 3.5 0 1 0 0-7a3.5 3.5 0 0 0 0 7M3 20c0-3.5 2.5-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M17.5 14.5c2.2.8 3.5 2.9 3.5 5.5",
  boards: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM16.5 12.6l3.6 2v4.2l-3.6 2-3.6-2v-4.2z",
  check: "M5 13l4 4L19 7",
  graph: "M4 4v16h16M7 15l4-5 4 3 5-7",
  branch: "M6 4v16M6 14c0-4 12-2 12-8M18 6V4M15 7l3-4 3 4",
  pencil: "M4 20l1-5L16 4l4 4L9 19zM14 6l4 4",
  paste: "M9 4h6v3H9zM8 5H5v16h14V5h-3M9 12h6M9 16h4",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2M20 14v2M14 20h2M18 18h2v2M17 15",
};

/** An icon, hidden from screen readers: the element around it has the label. @param {{name: string}} props */
export function Icon({ name }) {
  return html`<svg class="icon-shape" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" fill="none"
    stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">
    <path d=${SHAPES[name]} /></svg>`;
}

/** @param {{icon: string, label: string, onClick: () => void, title?: string, disabled?: boolean, look?: string}} props */
export function IconButton({ icon, label, onClick, title = label, disabled = false, look = "" }) {
  return html`
    <button type="button" class=${`button icon ${look}`} aria-label=${label} title=${title} disabled=${disabled}
      onClick=${onClick}><${Icon} name=${icon} /></button>`;
}

/**
 * Copies a text; where the browser does not allow that, it is shown to be copied by hand.
 * @param {{text: string, label: string, look?: string}} props
 */
export function CopyButton({ text, label, look = "" }) {
  const tried = useSignal({ text: "", isCopied: false });
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    tried.value = { text, isCopied };
    if (isCopied) announce(t("Copied"));
  };
  const isCopied = tried.value.isCopied && tried.value.text === text;
  return html`
    <button type="button" class=${`button ${look}`} onClick=${copy}>
      <${Icon} name=${isCopied ? "check" : "copy"} />${isCopied ? t("Copied") : label}</button>
    ${tried.value.text === text && !isCopied && html`
      <label class="field"><span>${t("Copy this")}</span><input readonly value=${text} onFocus=${selectAll} /></label>`}`;
}

/** @param {{paint: Paint|undefined, size?: number}} props */
export function Stone({ paint, size = 22 }) {
  if (!paint) return null;
  return html`<svg class="stone" viewBox="-12 -12 24 24" width=${size} height=${size} aria-hidden="true">
    <circle r="10.5" fill=${paint.fill} stroke="currentColor" stroke-opacity="0.45" />
    ${paint.sign && html`
      <text y="0.36em" text-anchor="middle" font-size="12" font-weight="700" fill=${paint.ink}>${paint.sign}</text>`}
  </svg>`;
}
