/** What organisers see to: people and their links, the list of changes, the room that the site takes. */
import { account, isAccountKnown, isAtLeast } from "../../app/account.js";
import { site } from "../../app/features.js";
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Changes } from "./changes.js";
import { People } from "./people.js";
import { Storage } from "./storage.js";

/** @import { Params } from "../../app/router.js" */

/** By the second part of the address. @type {() => [string, string, () => any][]} */
const parts = () => [["", t("People"), People], ["changes", t("Changes"), Changes], ["storage", t("Storage"), Storage]];

/** @param {{params: Params}} props */
export function View({ params }) {
  const [, , Part] = parts().find(([id]) => id === params.id) ?? parts()[0];
  return html`<section class="page stack organise">
    <${PageHeader} title=${t("Organise")} lead=${site}>
      <nav class="row" aria-label=${t("Organise")}>${parts().map(([id, text]) => html`
        <a key=${id} class="button" href=${`/organise${id && `/${id}`}`}
          aria-current=${params.id === id ? "page" : undefined}>${text}</a>`)}</nav>
    <//>
    ${!isAccountKnown.value ? html`<p class="soft loading">${common.loading}</p>`
      : isAtLeast("organiser") ? html`<${Part} />`
        : html`<${Alert} text=${t("This is for organisers of the site.")} />
          ${account.value ? null : html`<p><a class="button" href="/sign-in?next=/organise">${t("Sign in")}</a></p>`}`}
  </section>`;
}
