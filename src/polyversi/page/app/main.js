/** Starts the page: header, navigation, keyboard help, and the view that the address names. */
import { Icon, IconButton } from "../components/icons.js";
import { PasteDialog, startPasting } from "../components/open-record.js";
import { Alert } from "../components/page.js";
import { RulesDialog } from "../components/rules.js";
import { account, isAccountKnown, isAtLeast, loadAccount } from "./account.js";
import { announce } from "./announcer.js";
import { get, isStoreWaiting } from "./api.js";
import { isTyping, useTitle } from "./dom.js";
import { canPlay, site } from "./features.js";
import { effect, html, render, useEffect, useLayoutEffect, useRef, useSignal } from "./html.js";
import { loadLanguage, t } from "./i18n.js";
import { route, startRouter } from "./router.js";
import { chosenLanguage, theme, THEMES } from "./settings.js";
import { loadView, VIEWS } from "./views.js";
import { common } from "./words.js";

/** The keys, with what they do, by where they do it. @returns {[where: string, [keys: string, what: string][]][]} */
const shortcuts = () => [
  [t("Everywhere"), [
    ["?", t("this list")],
    [t("Tab"), t("next control")],
    [t("Escape"), t("close a dialog or menu")],
  ]],
  [t("On the board"), [
    [t("Arrow keys"), t("move from cell to cell")],
    [t("Home, End"), t("first and last cell of the row")],
    [t("Ctrl + Home, Ctrl + End"), t("first and last cell of the board")],
    [t("Enter, Space"), t("play there")],
  ]],
  [t("In a game"), [
    ["← →", t("one move back or forward (outside the board)")],
    [t("Home, End"), t("the start, the current position (outside the board)")],
    ["[ ]", t("one move back or forward, anywhere")],
    ["B", t("go to the board")],
    ["P", t("pass, where it is allowed")],
    ["H", t("hint")],
    ["U", t("take back")],
    ["M", t("sound on or off")],
  ]],
  [t("In a puzzle"), [
    ["B", t("go to the board")],
    ["R", t("try again")],
    ["N", t("next puzzle")],
  ]],
  [t("In an analysis"), [
    ["← →", t("one move back or forward (outside the board)")],
    ["↑ ↓", t("to another variation (outside the board)")],
    [t("Home, End"), t("the start, the end of the line (outside the board)")],
    ["[ ], { }", t("the same as the arrows, anywhere")],
    ["E", t("engine on or off")],
    [t("N, Shift + N"), t("next and previous mistake")],
    ["C", t("comment on the move")],
  ]],
];

const help = () => /** @type {HTMLDialogElement} */ (document.getElementById("help"));

/** The list of keys; `?` opens it from anywhere but a field. */
function Help() {
  const close = () => help().close();
  return html`<dialog id="help" class="help" aria-labelledby="help-title"
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === help()) close(); }}>
    <div class="stack"><div class="row apart"><h2 id="help-title">${t("Keyboard shortcuts")}</h2>
      <button class="button" onClick=${close}>${t("Close")}</button></div>
      ${shortcuts().map(([group, keys]) => html`<section><h3>${group}</h3>
        <table><tbody>${keys.map(([pressed, what]) => html`<tr>
          <th scope="row">${pressed.split(", ").map((key, index) => html`${index ? ", " : ""}<kbd>${key}</kbd>`)}</th>
          <td>${what}</td></tr>`)}
        </tbody></table></section>`)}</div>
  </dialog>`;
}

function NotFound() {
  useTitle(t("Not found"));
  return html`<section class="page stack"><h1>${t("Not found")}</h1><p>${t("There is nothing at this address.")}</p>
    <p><a class="button primary" href="/">${canPlay ? t("Play a game") : t("Watch games")}</a></p></section>`;
}

/** Views with a link in the header. */
const NAVIGATION = [...VIEWS].filter(([, { inNavigation }]) => inNavigation);
const THEME_ICONS = { system: "screen", light: "sun", dark: "moon", contrast: "half" };

function ThemeSwitch() {
  const now = theme.value;
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  const change = () => {
    theme.value = next;
    announce(t("Theme: {theme}", { theme: common.themes[next] }));
  };
  return html`<${IconButton} icon=${THEME_ICONS[now]} look="quiet theme-switch" onClick=${change}
    label=${t("Theme: {theme}", { theme: common.themes[now] })} />`;
}

/** The icon of the document, which is there already. */
const LOGO = /** @type {HTMLLinkElement|null} */ (document.querySelector('link[rel="icon"]'))?.href;

/** Pixels of the navigation's end that are faded. */
const SPARE = 24;

/** The way to one's own account, or to signing in. @param {{current: (view: string) => "page"|undefined}} props */
function AccountLinks({ current }) {
  if (!isAccountKnown.value) return null;
  if (!account.value) {
    return html`<a class="button" href="/sign-in" aria-current=${current("sign-in")}>${t("Sign in")}</a>`;
  }
  const { name } = account.value;
  const isHere = route.value.view === "people" && route.value.params.id === name;
  return html`
    ${isAtLeast("organiser") ? html`<a class="button quiet wide-only" href="/organise" aria-current=${current("organise")}>
      ${t("Organise")}</a>` : null}
    <a class="button quiet account-link" href=${`/people/${encodeURIComponent(name)}`}
      aria-current=${isHere ? "page" : undefined} title=${t("Your profile")}><${Icon} name="person" /><bdi class="account-name">${name}</bdi></a>`;
}

function Header() {
  const { view } = route.value;
  /** @param {string} name */
  const current = (name) => (view === name ? "page" : undefined);
  const links = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => {    // where not all of them have room, the current one is in sight
    const [nav, link] = [links.current, links.current?.querySelector('[aria-current="page"]')];
    if (!nav || !(link instanceof HTMLElement)) return;
    const at = link.offsetLeft - nav.offsetLeft;
    nav.scrollLeft = Math.min(at, Math.max(nav.scrollLeft, at + link.offsetWidth + SPARE - nav.clientWidth));
  }, [view]);
  return html`<header class="shell-header">
    <a class="skip" href="#main">${t("Skip to the content")}</a>
    <a class="brand" href="/" aria-label=${site || common.name}>
      <img src=${LOGO} alt="" width="30" height="30" /><span aria-hidden="true">${site || common.name}</span></a>
    <nav ref=${links} aria-label=${t("Main")}>
      ${NAVIGATION.map(([name, { title }]) => html`
        <a key=${name} href=${`/${name}`} aria-current=${current(name)}>${title()}</a>`)}
    </nav>
    <div class="shell-tools">
      ${site ? html`<${AccountLinks} current=${current} />` : null}
      <${IconButton} icon="help" look="quiet wide-only" label=${t("Keyboard shortcuts")}
        title=${t("Keyboard shortcuts (?)")}
        onClick=${() => help().showModal()} />
      <${ThemeSwitch} />
      <a class="button quiet icon" href="/settings" aria-current=${current("settings")}
        aria-label=${t("Settings")} title=${t("Settings")}><${Icon} name="sliders" /></a>
    </div>
  </header>`;
}

/** Milliseconds after which the server is asked whether it can store games again. */
const STORE_AGAIN = 5_000;

/** Says on every view that the server cannot store anything, until it can again. */
function StoreNotice() {
  const isWaiting = isStoreWaiting.value;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => get("/api/games").catch(() => {}), STORE_AGAIN);    // every answer says how it is
    return () => clearInterval(timer);
  }, [isWaiting]);
  return isWaiting && html`<${Alert} look="shell-notice"
    text=${t("The server cannot store anything just now, so no new game can begin. Running games wait; no move is lost.")} />`;
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
  if (!View) return html`<${Alert} text=${t("This view could not be loaded. Is the server still running?")} />`;
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

/** The whole page. */
function Page() {
  return html`<${Header} /><${StoreNotice} /><main id="main" tabindex="-1"><${CurrentView} /></main><${Help} /><${PasteDialog} /><${RulesDialog} />`;
}

/** Shows the page once its texts are there, so that nobody sees them change. */
async function start() {
  await loadLanguage(chosenLanguage.peek());
  render(html`<${Page} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
  effect(() => { loadLanguage(chosenLanguage.value); });
}

startRouter();
loadAccount();
if (canPlay) startPasting();
if (site) import("../components/lobby-news.js").then(({ showLobbyNews }) => showLobbyNews(), () => {});
addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event) && !help().open) help().showModal();
});
start();
