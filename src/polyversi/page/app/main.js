/** Starts the page: header, navigation, keyboard help, and the view that the address names. */
import { Icon } from "../components/icons.js";
import { announce } from "./announcer.js";
import { isTyping, useTitle } from "./dom.js";
import { canPlay } from "./features.js";
import { html, render, signal, useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { route, startRouter } from "./router.js";
import { theme, THEMES } from "./settings.js";
import { loadView, VIEWS } from "./views.js";
import { common } from "./words.js";

/** Whether the list is shown. */
const helpIsOpen = signal(false);

/** @param {{group: "everywhere"|"board"|"game"}} props */
function Group({ group }) {
  return html`<section><h3>${common.shortcutGroups[group]}</h3>
    <table><tbody>${common.shortcuts[group].map(([keys, what]) => html`<tr key=${keys}>
      <th scope="row">${keys.split(", ").map((key, index) => html`${index ? ", " : ""}<kbd>${key}</kbd>`)}</th>
      <td>${what}</td></tr>`)}
    </tbody></table></section>`;
}

/** The dialog itself; `?` opens it from anywhere but a field. */
function Help() {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const open = helpIsOpen.value;
  useEffect(() => {
    /** @param {KeyboardEvent} event */
    const listen = (event) => {
      if (event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event)) helpIsOpen.value = true;
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  useEffect(() => {
    if (open && !dialog.current?.open) dialog.current?.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  const close = () => { helpIsOpen.value = false; };
  return html`<dialog ref=${dialog} class="help" aria-labelledby="help-title" onClose=${close}
      onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) close(); }}>
    <div class="stack"><div class="row apart"><h2 id="help-title">${common.help}</h2>
      <button class="button" onClick=${close}>${common.close}</button></div>
      <${Group} group="everywhere" /><${Group} group="board" /><${Group} group="game" /></div>
  </dialog>`;
}

function NotFound() {
  useTitle(common.notFound.title);
  return html`<section class="page stack"><h1>${common.notFound.title}</h1>
    <p>${common.notFound.text}</p><p><a class="button primary" href="/">${canPlay ? common.notFound.play : common.notFound.watch}</a></p></section>`;
}

/** Views with a link in the header. */
const NAVIGATION = [...VIEWS].filter(([, { inNavigation }]) => inNavigation);
const THEME_ICONS = { system: "screen", light: "sun", dark: "moon", contrast: "half" };

function ThemeSwitch() {
  const now = theme.value;
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  const said = common.theme(common.themes[now]);
  const change = () => {
    theme.value = next;
    announce(common.theme(common.themes[next]));
  };
  return html`<button class="button quiet icon theme-switch" onClick=${change} aria-label=${said} title=${said}>
    <${Icon} name=${THEME_ICONS[now]} /></button>`;
}

function Header() {
  const { view } = route.value;
  /** @param {string} name */
  const current = (name) => (view === name ? "page" : undefined);
  return html`<header class="shell-header">
    <a class="skip" href="#main">${common.skip}</a>
    <a class="brand" href="/" aria-label=${common.name}>
      <img src="/page/logo.svg" alt="" width="30" height="30" /><span aria-hidden="true">${common.name}</span></a>
    <nav aria-label=${common.navigation}>
      ${NAVIGATION.map(([name, { title }]) => html`
        <a key=${name} href=${`/${name}`} aria-current=${current(name)}>${title}</a>`)}
    </nav>
    <div class="shell-tools">
      <button class="button quiet icon wide-only" onClick=${() => { helpIsOpen.value = true; }}
        aria-label=${common.help} title=${`${common.help} (?)`}><${Icon} name="help" /></button>
      <${ThemeSwitch} />
      <a class="button quiet icon" href="/settings" aria-current=${current("settings")}
        aria-label=${VIEWS.get("settings")?.title} title=${VIEWS.get("settings")?.title}><${Icon} name="sliders" /></a>
    </div>
  </header>`;
}

/** The view of the address, loaded when needed; what was there before stays until then. */
function CurrentView() {
  const { view, params } = route.value;
  const [loaded, setLoaded] = useState(/** @type {{view: string, View: import("./views.js").View}|null} */ (null));
  const [failed, setFailed] = useState("");
  useEffect(() => {
    if (!VIEWS.has(view)) return undefined;
    let wanted = true;
    loadView(view).then(
      (View) => { if (wanted) { setFailed(""); setLoaded({ view, View }); } },
      () => { if (wanted) setFailed(view); },
    );
    return () => { wanted = false; };
  }, [view]);
  if (!VIEWS.has(view)) return html`<${Arrived} key=${view}><${NotFound} /><//>`;
  if (failed === view) return html`<p class="problem" role="alert">${common.problems.view}</p>`;
  if (!loaded || loaded.view !== view) return html`<p class="soft loading">${common.loading}</p>`;
  return html`<${Arrived} key=${`${view}/${params.id}`}><${loaded.View} params=${params} /><//>`;
}

let first = true;

/**
 * Moves the focus to a view that was navigated to, so that keyboard and screen reader go on from there.
 * @param {{children?: any}} props
 */
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
function Shell() {
  return html`<${Header} />
    <main id="main" tabindex="-1"><${CurrentView} /></main>
    <${Help} />`;
}

startRouter();
const root = document.getElementById("page");
if (root) render(html`<${Shell} />`, root);
