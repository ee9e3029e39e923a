/** Signing in: with a name and a password, or with a link from an organiser, whose token is in the fragment. */
import { account, isAccountKnown, loadAccount, signOut } from "../../app/account.js";
import { post, sentenceOf, useAction } from "../../app/api.js";
import { site } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { date, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { NewPassword, PasswordField, TextField, WhoseForm } from "../../components/account-fields.js";
import { Alert, PageHeader } from "../../components/page.js";

/** @import { Params } from "../../app/router.js" */
/** @typedef {{kind: "invitation"|"reset", name: string, expires: number}} Link */

/** Where to go after signing in: back within this page, or to one's own profile. @param {Params} params */
async function goOn({ query }) {
  await loadAccount();
  const next = query.get("next") ?? "";
  const own = `/people/${encodeURIComponent(account.peek()?.name ?? "")}`;
  go(/^\/(?![/\\])/.test(next) ? next : own);
}

/** @param {{params: Params}} props */
function WithPassword({ params }) {
  const name = useSignal("");
  const password = useSignal("");
  const { isBusy, problem, run } = useAction();
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await post("/api/site/sign-in", { name: name.value, password: password.value });
      await goOn(params);
    });
  };
  return html`<form class="panel stack" onSubmit=${send}>
    <${TextField} label=${t("Name")} value=${name.value} onInput=${(/** @type {string} */ text) => { name.value = text; }}
      autocomplete="username" />
    <${PasswordField} label=${t("Password")} value=${password.value} autocomplete="current-password"
      onInput=${(/** @type {string} */ text) => { password.value = text; }} />
    <${Alert} text=${problem.value} />
    <button class="button primary" disabled=${isBusy.value || !name.value || !password.value}>${t("Sign in")}</button>
    <p class="soft small">${t("No account, or no password? An organiser makes a link for you, with which you come in and choose one.")}</p>
  </form>`;
}

/** @param {{token: string, params: Params}} props */
function WithLink({ token, params }) {
  const link = useSignal(/** @type {Link|null} */ (null));
  const wrong = useSignal("");
  const password = useSignal("");
  const { isBusy, problem, run } = useAction();
  useEffect(() => {
    post("/api/site/link", { token }).then((found) => { link.value = found; }, (error) => { wrong.value = sentenceOf(error); });
  }, [token]);
  if (wrong.value) {
    return html`<div class="panel stack"><${Alert} text=${wrong.value} />
      <p><a class="button" href="/sign-in">${t("Sign in with a password")}</a></p></div>`;
  }
  if (!link.value) return html`<p class="soft loading">${common.loading}</p>`;
  const { kind, name, expires } = link.value;
  const isReset = kind === "reset";
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await post("/api/site/link/use", { token, password: password.value });
      history.replaceState(null, "", "/sign-in");
      await goOn(params);
    });
  };
  return html`<form class="panel stack" onSubmit=${send}>
    <h2>${t("Welcome, {name}", { name })}</h2>
    <p>${isReset
      ? t("Choose another password. You are signed out everywhere else.")
      : t("Choose a password, so that you can come again. This link works once.")}</p>
    ${account.value && account.value.name !== name ? html`<p class="soft">
      ${t("You are signed in as {name} now, and will be signed out.", { name: account.value.name })}</p>` : null}
    <${WhoseForm} name=${name} />
    <${NewPassword} value=${password.value} onInput=${(/** @type {string} */ text) => { password.value = text; }} />
    <${Alert} text=${problem.value} />
    <div class="row"><button class="button primary" disabled=${isBusy.value || !password.value}>${t("Sign in")}</button>
      ${isReset || password.value ? null : html`
        <button class="button quiet" disabled=${isBusy.value}>${t("Sign in without a password")}</button>`}</div>
    <p class="soft small">${t("The link is good until {date}.", { date: date(1000 * expires) })}</p>
  </form>`;
}

/** @param {{name: string}} props */
function SignedIn({ name }) {
  return html`<div class="panel stack"><p>${t("You are signed in as {name}.", { name })}</p>
    <div class="row"><a class="button primary" href=${`/people/${encodeURIComponent(name)}`}>${t("Your profile")}</a>
      <button class="button" onClick=${signOut}>${t("Sign out")}</button></div></div>`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const token = location.hash.slice(1);    // whenever the address changes, the view is drawn anew
  return html`<section class="page stack sign-in">
    <${PageHeader} title=${t("Sign in")} lead=${site} />
    ${token ? html`<${WithLink} key=${token} token=${token} params=${params} />`
      : !isAccountKnown.value ? html`<p class="soft loading">${common.loading}</p>`
        : account.value ? html`<${SignedIn} name=${account.value.name} />` : html`<${WithPassword} params=${params} />`}
  </section>`;
}
