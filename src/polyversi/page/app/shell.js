/** The frame of every view: header, navigation, help, and the view that the address names. */
import { loadView } from "./views.js";
import { announce } from "./announce.js";
import { Help, helpIsOpen } from "./help.js";
import { html, useEffect, useLayoutEffect, useState } from "./html.js";
import { Icon } from "./icons.js";
import { isForPlaying } from "./offers.js";
import { route } from "./router.js";
import { THEMES, theme } from "./settings.js";
import { words } from "../words/words.js";

/**
 * Views with a place in the navigation; analysis and tournaments will follow.
 * @type {("play"|"watch"|"arena"|"editor")[]}
 */
const NAVIGATION = isForPlaying ? ["play", "watch", "arena", "editor"] : ["watch"];
const THEME_ICONS = { system: "screen", light: "sun", dark: "moon", contrast: "half" };

function ThemeSwitch() {
  const now = theme.value;
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
  const said = words.shell.theme(words.shell.themes[now]);
  const change = () => {
    theme.value = next;
    announce(words.shell.theme(words.shell.themes[next]));
  };
  return html`<button class="button quiet icon theme-switch" onClick=${change} aria-label=${said} title=${said}>
    <${Icon} name=${THEME_ICONS[now]} /></button>`;
}

function Header() {
  const { view } = route.value;
  /** @param {string} name */
  const current = (name) => (view === name ? "page" : undefined);
  return html`<header class="shell-header">
    <a class="skip" href="#main">${words.shell.skip}</a>
    <a class="brand" href="/" aria-label=${words.shell.name}>
      <img src="/page/logo.svg" alt="" width="30" height="30" /><span aria-hidden="true">${words.shell.name}</span></a>
    <nav aria-label=${words.shell.navigation}>
      ${NAVIGATION.map((name) => html`
        <a key=${name} href=${`/${name}`} aria-current=${current(name)}>${words.shell.views[name]}</a>`)}
    </nav>
    <div class="shell-tools">
      <button class="button quiet icon wide-only" onClick=${() => { helpIsOpen.value = true; }}
        aria-label=${words.shell.help} title=${`${words.shell.help} (?)`}><${Icon} name="help" /></button>
      <${ThemeSwitch} />
      <a class="button quiet icon" href="/settings" aria-current=${current("settings")}
        aria-label=${words.shell.views.settings} title=${words.shell.views.settings}><${Icon} name="sliders" /></a>
    </div>
  </header>`;
}

/** The view of the address, loaded when needed; what was there before stays until then. */
function Current() {
  const { view, params } = route.value;
  const [loaded, setLoaded] = useState(/** @type {{view: string, View: any}|null} */ (null));
  const [failed, setFailed] = useState("");
  useEffect(() => {
    let wanted = true;
    loadView(view).then(
      (View) => { if (wanted) { setFailed(""); setLoaded({ view, View }); } },
      () => { if (wanted) setFailed(view); },
    );
    return () => { wanted = false; };
  }, [view]);
  if (failed === view) return html`<p class="problem" role="alert">${words.problems.view}</p>`;
  if (!loaded || loaded.view !== view) return html`<p class="soft loading">${words.shell.loading}</p>`;
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
export function Shell() {
  return html`<${Header} />
    <main id="main" tabindex="-1"><${Current} /></main>
    <${Help} />`;
}
