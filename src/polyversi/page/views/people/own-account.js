/** One's own account: another password, signing out. */
import { account, loadAccount, signOut } from "../../app/account.js";
import { post, useAction } from "../../app/api.js";
import { html, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { NewPassword, PasswordField, WhoseForm } from "../../components/account-fields.js";
import { Alert } from "../../components/page.js";

function ChangePassword() {
  const old = useSignal("");
  const chosen = useSignal("");
  const isDone = useSignal(false);
  const { isBusy, problem, run } = useAction();
  const has = account.value?.has_password;
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      await post("/api/site/me/password", { old: old.value, new: chosen.value });
      isDone.value = true;
      await loadAccount();
    });
  };
  if (isDone.value) return html`<p role="status">${t("Changed. You are signed out everywhere else.")}</p>`;
  return html`<form class="stack" onSubmit=${send}>
    <${WhoseForm} name=${account.value?.name ?? ""} />
    ${has ? html`<${PasswordField} label=${t("Old password")} value=${old.value} autocomplete="current-password"
      onInput=${(/** @type {string} */ text) => { old.value = text; }} />`
    : html`<p>${t("You have no password yet. Choose one, so that you can come again without a link.")}</p>`}
    <${NewPassword} value=${chosen.value} onInput=${(/** @type {string} */ text) => { chosen.value = text; }} />
    <${Alert} text=${problem.value} />
    <p><button class="button" disabled=${isBusy.value || !chosen.value || (has && !old.value)}>
      ${t("Change the password")}</button></p>
  </form>`;
}

export function OwnAccount() {
  const ended = useSignal(/** @type {number|null} */ (null));
  const { problem, run } = useAction();
  const leave = () => run(async () => {
    await signOut();
    go("/");
  });
  const leaveElsewhere = () => run(async () => { ended.value = (await post("/api/site/me/sign-out-elsewhere", {})).ended; });
  return html`<section class="panel stack people-account"><h2>${t("Your account")}</h2>
    <div class="row"><button class="button" onClick=${leave}>${t("Sign out")}</button>
      <button class="button" onClick=${leaveElsewhere}>${t("Sign out everywhere else")}</button>
      ${ended.value === null ? null : html`<span role="status">${plural(ended.value, "{count} other session ended.",
        "{count} other sessions ended.")}</span>`}</div>
    <${Alert} text=${problem.value} />
    <details><summary>${account.value?.has_password ? t("Change the password") : t("Choose a password")}</summary>
      <${ChangePassword} /></details>
    <p class="soft small">${t("The site keeps your name, your games, your bots and their games. An organiser can erase all that tells who you are.")}</p>
  </section>`;
}
