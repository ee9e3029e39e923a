/** The way to one's own account, or to signing in, in the header of a site. */
import { account, isAccountKnown, isAtLeast } from "../app/account.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { route } from "../app/router.js";
import { Icon } from "./icons.js";

/** @param {{current: (view: string) => "page"|undefined}} props */
export function AccountLinks({ current }) {
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
