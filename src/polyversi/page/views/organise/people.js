/** People: the list, what an organiser changes about them, new ones, and links to hand out. */
import { account, loadAccount } from "../../app/account.js";
import { get, post, sentenceOf, useAction } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../../app/html.js";
import { ago, date, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { TextField } from "../../components/account-fields.js";
import { Confirm } from "../../components/confirm.js";
import { FileButton, Select } from "../../components/forms.js";
import { CopyButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";

/** @import { Role } from "../../app/account.js" */
/**
 * @typedef {{id: string, name: string, role: Role, created: number, is_disabled: boolean, has_password: boolean,
 *   seen: number|null, link_until: number|null}} Person
 */
/** @typedef {{id: string, name: string, token: string}} Invited */

/** Bytes of a list that is read. */
const MAX_LIST = 500_000;
const PEOPLE = "/api/site/organise/people";

/** The roles that can be given: those that an organiser has. @returns {Record<string, string>} */
const roles = () => Object.fromEntries((account.value?.roles ?? []).map((role) => [role, t(role)]));

/** The address that brings somebody in. @param {Invited} invited */
const addressOf = ({ token }) => `${location.origin}/sign-in#${token}`;

/** Saves a table of names and links. @param {Invited[]} invited */
function saveLinks(invited) {
  const cell = (/** @type {string} */ text) => `"${text.replaceAll('"', '""')}"`;
  const lines = [["name", "link"], ...invited.map((one) => [one.name, addressOf(one)])];
  const text = lines.map((line) => line.map(cell).join(",")).join("\r\n");
  const address = URL.createObjectURL(new Blob([`\ufeff${text}\r\n`], { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: address, download: "links.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Links that were just made; nobody can see them again. @param {{invited: Invited[], onClose: () => void}} props */
function Links({ invited, onClose }) {
  const all = invited.map((one) => `${one.name}\t${addressOf(one)}`).join("\n");
  return html`<section class="panel stack" aria-labelledby="links-title">
    <div class="row apart"><h2 id="links-title">${t("Links to hand out")}</h2>
      <button class="button" onClick=${onClose}>${t("Done")}</button></div>
    <p>${t("Each link brings in one person, once. Nobody can see them again after this; another one can always be made.")}</p>
    ${invited.length > 1 ? html`<div class="row">
      <${CopyButton} text=${all} label=${t("Copy all")} />
      <button class="button" onClick=${() => saveLinks(invited)}>${t("Save as CSV")}</button></div>` : null}
    <ul class="organise-links">${invited.map((one) => html`<li key=${one.id} class="row">
      <bdi class="organise-who">${one.name}</bdi><code class="grow long-name">${addressOf(one)}</code>
      <${CopyButton} text=${addressOf(one)} label=${t("Copy")} /></li>`)}</ul>
  </section>`;
}

/** @param {{onAdded: (invited: Invited[]) => void}} props */
function Add({ onAdded }) {
  const list = useSignal("");
  const role = useSignal(/** @type {Role} */ ("member"));
  const { isBusy, problem, run } = useAction();
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const { people } = await post(PEOPLE, { list: list.value, role: role.value });
      list.value = "";
      onAdded(people);
    });
  };
  const read = (/** @type {File} */ file) => run(async () => { list.value = await file.slice(0, MAX_LIST).text(); });
  return html`<form class="panel stack" onSubmit=${send}>
    <h2>${t("Add people")}</h2>
    <label class="field"><span>${t("A name on each line, or a table with a column “name” and perhaps “role” (CSV)")}</span>
      <textarea rows="4" value=${list.value} spellcheck=${false} placeholder=${"Ann Lee\nBob"}
        onInput=${(/** @type {Event} */ event) => { list.value = valueOf(event); }}></textarea></label>
    <div class="row organise-add">
      <${Select} label=${t("Role")} value=${role.value} options=${roles()}
        onChange=${(/** @type {Role} */ chosen) => { role.value = chosen; }} />
      <${FileButton} label=${t("Read a file")} accept=".csv,.txt,text/csv,text/plain" onFile=${read} />
      <button class="button primary" disabled=${isBusy.value || !list.value.trim()}>${t("Add and make links")}</button>
    </div>
    <${Alert} text=${problem.value} />
  </form>`;
}

/** What is known of whether somebody comes. @param {{person: Person}} props */
function Presence({ person }) {
  if (person.is_disabled) return html`<span class="tag bad">${t("kept out")}</span>`;
  if (person.seen) return html`<span class="soft small" title=${date(1000 * person.seen)}>${t("here {when}", { when: ago(1000 * person.seen) })}</span>`;
  if (person.link_until) {
    return html`<span class="tag">${t("invited until {date}", { date: date(1000 * person.link_until, { dateStyle: "medium" }) })}</span>`;
  }
  return html`<span class="soft small">${person.has_password ? t("not signed in") : t("no link, no password")}</span>`;
}

/**
 * @param {{person: Person, change: (work: () => Promise<void>) => void, onLink: (invited: Invited) => void,
 *   onRename: (person: Person) => void, onDelete: (person: Person) => void, isBusy: boolean}} props
 */
function Row({ person, change, onLink, onRename, onDelete, isBusy }) {
  const { id, name, role, is_disabled: isDisabled } = person;
  const set = (/** @type {object} */ what) => change(async () => { await post(`${PEOPLE}/${id}`, what); });
  const link = () => change(async () => { onLink(await post(`${PEOPLE}/${id}/link`, {})); });
  return html`<tr>
    <th scope="row"><a href=${`/people/${encodeURIComponent(name)}`}><bdi class="long-name">${name}</bdi></a></th>
    <td><select aria-label=${t("Role of {name}", { name })} value=${role} disabled=${isBusy}
      onChange=${(/** @type {Event} */ event) => set({ role: valueOf(event) })}>
      ${Object.entries(roles()).map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select></td>
    <td><${Presence} person=${person} /></td>
    <td><div class="row organise-actions">
      <button class="button" disabled=${isBusy || isDisabled} onClick=${link} aria-label=${t("Make a link for {name}", { name })}>
        ${t("Link")}</button>
      <button class="button" disabled=${isBusy} onClick=${() => onRename(person)} aria-label=${t("Rename {name}", { name })}>
        ${t("Rename")}</button>
      <button class="button" disabled=${isBusy || id === account.value?.id} onClick=${() => set({ is_disabled: !isDisabled })}
        aria-label=${isDisabled ? t("Let in {name} again", { name }) : t("Keep out {name}", { name })}>
        ${isDisabled ? t("Let in") : t("Keep out")}</button>
      <button class="button danger" disabled=${isBusy || id === account.value?.id} onClick=${() => onDelete(person)}
        aria-label=${t("Delete {name}", { name })}>${t("Delete")}</button></div></td></tr>`;
}

/** Asks for another name. @param {{person: Person, onName: (name: string) => void, onCancel: () => void}} props */
function Rename({ person, onName, onCancel }) {
  const name = useSignal(person.name);
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  useLayoutEffect(() => { dialog.current?.showModal(); }, []);
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    onName(name.value);
  };
  return html`<dialog ref=${dialog} aria-labelledby="rename-title" onCancel=${onCancel}>
    <form class="stack" onSubmit=${send}><h2 id="rename-title">${t("Rename {name}", { name: person.name })}</h2>
      <p>${t("Signing in, profile and games that begin from now on have the new name.")}</p>
      <${TextField} label=${t("Name")} value=${name.value} onInput=${(/** @type {string} */ text) => { name.value = text; }} />
      <div class="row"><button class="button primary" disabled=${!name.value.trim() || name.value === person.name}>${t("Rename")}</button>
        <button type="button" class="button" onClick=${onCancel}>${common.cancel}</button></div></form>
  </dialog>`;
}

/** The people of the site. */
export function People() {
  const people = useSignal(/** @type {Person[]|null} */ (null));
  const wanted = useSignal("");
  const invited = useSignal(/** @type {Invited[]} */ ([]));
  const leaving = useSignal(/** @type {Person|null} */ (null));
  const renamed = useSignal(/** @type {Person|null} */ (null));
  const { isBusy, problem, run } = useAction();
  const load = async () => { people.value = (await get(PEOPLE)).people; };
  useEffect(() => { load().catch((error) => { problem.value = sentenceOf(error); }); }, []);
  const change = (/** @type {() => Promise<void>} */ work) => run(async () => { await work().finally(load); });
  const remove = (/** @type {Person} */ person) => {
    leaving.value = null;
    change(async () => { await post(`${PEOPLE}/${person.id}/delete`, {}); });
  };
  const rename = (/** @type {Person} */ person) => (/** @type {string} */ name) => {
    renamed.value = null;
    change(async () => { await post(`${PEOPLE}/${person.id}`, { name }).then(loadAccount); });
  };
  const found = (people.value ?? []).filter(({ name }) => name.toLowerCase().includes(wanted.value.trim().toLowerCase()));
  return html`
    <${Add} onAdded=${(/** @type {Invited[]} */ added) => { invited.value = added; load(); }} />
    ${invited.value.length ? html`<${Links} invited=${invited.value} onClose=${() => { invited.value = []; }} />` : null}
    <section class="panel stack">
      <div class="row apart"><h2 id="people-title">${people.value
        ? plural(people.value.length, "{count} person", "{count} people") : t("People")}</h2>
        <${TextField} label=${t("Search")} value=${wanted.value} onInput=${(/** @type {string} */ text) => { wanted.value = text; }} /></div>
      <${Alert} text=${problem.value} />
      <div class="organise-table" tabindex="0"><table aria-labelledby="people-title">
        <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Role")}</th><th scope="col">${t("Last here")}</th>
          <th scope="col">${t("Actions")}</th></tr></thead>
        <tbody>${found.map((person) => html`<${Row} key=${person.id} person=${person} change=${change} isBusy=${isBusy.value}
          onLink=${(/** @type {Invited} */ one) => { invited.value = [one]; }}
          onRename=${(/** @type {Person} */ one) => { renamed.value = one; }}
          onDelete=${(/** @type {Person} */ one) => { leaving.value = one; }} />`)}</tbody></table></div>
      ${people.value && !found.length ? html`<p class="soft">${t("Nobody is called that.")}</p>` : null}
    </section>
    ${renamed.value ? html`<${Rename} person=${renamed.value} onName=${rename(renamed.value)} onCancel=${() => { renamed.value = null; }} />` : null}
    ${leaving.value ? html`<${Confirm} title=${t("Delete {name}?", { name: leaving.value.name })}
      text=${t("The account, uploads and what bots have written are erased. Games stay, without the name. This cannot be undone.")}
      action=${t("Delete for good")} onCancel=${() => { leaving.value = null; }}
      onConfirm=${() => { if (leaving.value) remove(leaving.value); }} />` : null}`;
}
