/** Starts the page: header, navigation, keyboard help, and the view that the address names. */
import { Icon, IconButton } from "../components/icons.js";
import { Alert } from "../components/page.js";
import { StoreNotice } from "../components/store-notice.js";
import { announce } from "./announcer.js";
import { isTyping, useTitle } from "./dom.js";
import { canPlay } from "./features.js";
import { html, render, useEffect, useLayoutEffect, useSignal } from "./html.js";
import { route, startRouter } from "./router.js";
import { theme, THEMES } from "./settings.js";
import { loadView, VIEWS } from "./views.js";
import { common } from "./words.js";

/** @type {Record<string, [keys: string, what: string][]>} */
const SHORTCUTS = {
  "Everywhere": [
    ["?", "this list"],
    ["Tab", "next control"],
    ["Escape", "close a dialog or menu"],
  ],
  "On the board": [
    ["Arrow keys", "move from cell to cell"],
    ["Home, End", "first and last cell of the row"],
    ["Ctrl + Home, Ctrl + End", "first and last cell of the board"],
    ["Enter, Space", "play there"],
  ],
  "In a game": [
    ["← →", "one move back or forward (outside the board)"],
    ["Home, End", "the start, the current position (outside the board)"],
    ["[ ]", "one move back or forward, anywhere"],
    ["B", "go to the board"],
    ["P", "pass, where it is allowed"],
    ["H", "hint"],
    ["U", "take back"],
    ["M", "sound on or off"],
  ],
};

const help = () => /** @type {HTMLDialogElement} */ (document.getElementById("help"));

/** The list of keys; `?` opens it from anywhere but a field. */
function Help() {
  const close = () => help().close();
  return html`<dialog id="help" class="help" aria-labelledby="help-title"
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === help()) close(); }}>
    <div class="stack"><div class="row apart"><h2 id="help-title">Keyboard shortcuts</h2>
      <button class="button" onClick=${close}>Close</button></div>
      ${Object.entries(SHORTCUTS).map(([group, shortcuts]) => html`<section><h3>${group}</h3>
        <table><tbody>${shortcuts.map(([keys, what]) => html`<tr>
          <th scope="row">${keys.split(", ").map((key, index) => html`${index ? ", " : ""}<kbd>${key}</kbd>`)}</th>
          <td>${what}</td></tr>`)}
        </tbody></table></section>`)}</div>
  </dialog>`;
}

function NotFound() {
  useTitle("Not found");
  return html`<section class="page stack"><h1>Not found</h1><p>There is nothing at this address.</p>
    <p><a class="button primary" href="/">${canPlay ? "Play a game" : "Watch games"}</a></p></section>`;
}

/** Views with a link in the header. */
const NAVIGATION = [...VIEWS].filter(([, { inNavigation }]) => inNavigation);
const THEME_ICONS = { system: "screen", light: "sun", dark: "moon", contrast: "half" };

function ThemeSwitch() {
  const now = theme.value;
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  const change = () => {
    theme.value = next;
    announce(`Theme: ${common.themes[next]}`);
  };
  return html`<${IconButton} icon=${THEME_ICONS[now]} look="quiet theme-switch" onClick=${change}
    label=${`Theme: ${common.themes[now]}`} />`;
}

function Header() {
  const { view } = route.value;
  /** @param {string} name */
  const current = (name) => (view === name ? "page" : undefined);
  return html`<header class="shell-header">
    <a class="skip" href="#main">Skip to the content</a>
    <a class="brand" href="/" aria-label=${common.name}>
      <img src="/page/logo.svg" alt="" width="30" height="30" /><span aria-hidden="true">${common.name}</span></a>
    <nav aria-label="Main">
      ${NAVIGATION.map(([name, { title }]) => html`
        <a key=${name} href=${`/${name}`} aria-current=${current(name)}>${title}</a>`)}
    </nav>
    <div class="shell-tools">
      <${IconButton} icon="help" look="quiet wide-only" label="Keyboard shortcuts" title="Keyboard shortcuts (?)"
        onClick=${() => help().showModal()} />
      <${ThemeSwitch} />
      <a class="button quiet icon" href="/settings" aria-current=${current("settings")}
        aria-label=${VIEWS.get("settings")?.title} title=${VIEWS.get("settings")?.title}><${Icon} name="sliders" /></a>
    </div>
  </header>`;
}

/** The view of the address, loaded when needed. */
function CurrentView() {
  const { view, params } = route.value;
  const loaded = useSignal(/** @type {{view: string, View: import("./views.js").View|null}|null} */ (null));
  useEffect(() => {
    if (!VIEWS.has(view)) return undefined;
    let wanted = true;
    loadView(view).catch(() => null).then((View) => { if (wanted) loaded.value = { view, View }; });
    return () => { wanted = false; };
  }, [view]);
  if (!VIEWS.has(view)) return html`<${Arrived} key=${view}><${NotFound} /><//>`;
  if (loaded.value?.view !== view) return html`<p class="soft loading">${common.loading}</p>`;
  const { View } = loaded.value;
  if (!View) return html`<${Alert} text="This view could not be loaded. Is the server still running?" />`;
  return html`<${Arrived} key=${`${view}/${params.id}`}><${View} params=${params} /><//>`;
}

let first = true;

/** Moves the focus to a view that was navigated to, for keyboard and screen reader. @param {{children?: any}} props */
function Arrived({ children }) {
  useLayoutEffect(() => {
    if (!first) {
      document.getElementById("main")?.focus({ preventScroll: true });
      scrollTo(0, 0);
      announce(() => document.title);
    }
    first = false;
  }, []);
  return html`<div class="view">${children}</div>`;
}

startRouter();
addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event) && !help().open) help().showModal();
});
render(
  html`<${Header} /><${StoreNotice} /><main id="main" tabindex="-1"><${CurrentView} /></main><${Help} />`,
  /** @type {HTMLElement} */ (document.getElementById("page")),
);
