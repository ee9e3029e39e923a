/** Handing in a new version: a file, an archive, or code that is pasted. */
import { announce } from "../../app/announcer.js";
import { post, useAction } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useSignal } from "../../app/html.js";
import { list, number, t } from "../../app/i18n.js";
import { common, sizeOf } from "../../app/words.js";
import { TextField } from "../../components/account-fields.js";
import { Checkbox, FileButton, Segments, Select } from "../../components/forms.js";
import { Alert } from "../../components/page.js";

/** @import { Bot, Ladder, Offer } from "./words.js" */

/** What is taken, and what bots may use. @param {{offer: Offer, ladder: Ladder|undefined}} props */
function Terms({ offer, ladder }) {
  const { usage, quotas } = offer;
  return html`<p class="soft small">
    ${t("Taken here: {languages}.", { languages: list(offer.languages.map((language) => t(language))) })} ${ladder && t(
      "A bot has {limit}, {memory} MiB of memory and one processor.",
      { limit: common.limitName(ladder.limit), memory: number(ladder.memory) })} ${usage && t(
      "You have used {used} of {size}, and {today} of {versions} versions a day.",
      { used: sizeOf(usage.bytes), size: sizeOf(1e6 * quotas.megabytes), today: number(usage.versions_today), versions: number(quotas.versions_per_day) })}
  </p>`;
}

/** @param {{bot: Bot, offer: Offer, onHandedIn: () => Promise<void>}} props */
export function HandIn({ bot, offer, onHandedIn }) {
  const ladder = offer.ladders.find(({ id }) => id === bot.ladder);
  const takesClients = Boolean(ladder?.takes_clients);
  const way = useSignal("file");
  const language = useSignal(Object.keys(offer.pasted)[0]);
  const code = useSignal("");
  const isClient = useSignal(takesClients);
  const words = useSignal(offer.arguments);
  const isOver = useSignal(false);
  const { isBusy, problem, run } = useAction();
  const send = (/** @type {Blob} */ data, /** @type {string} */ name) => run(async () => {
    if (data.size > 1e6 * offer.quotas.megabytes) {
      problem.value = t("This is larger than {size}.", { size: sizeOf(1e6 * offer.quotas.megabytes) });
      return;
    }
    const query = new URLSearchParams({ file: name, ...(takesClients && isClient.value ? { arguments: words.value } : {}) });
    const { number: made } = await post(`/api/site/bots/${bot.id}/versions?${query}`, data.slice());
    code.value = "";
    announce(t("Version {number} is handed in.", { number: made }));
    await onHandedIn();
  });
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    isOver.value = false;
    const file = event.dataTransfer?.files[0];
    if (file && !isBusy.value) send(file, file.name);
  };
  const paste = (/** @type {Event} */ event) => {
    event.preventDefault();
    send(new Blob([code.value]), offer.pasted[language.value]);
  };
  return html`<section class="panel stack" aria-labelledby="hand-in-title">
    <div class="row apart"><h2 id="hand-in-title">${t("Hand in a version")}</h2>
      <${Segments} label=${t("What you have")} name="way" value=${way.value} options=${[["file", t("File or archive")], ["code", t("Paste code")]]}
        onChange=${(/** @type {string} */ chosen) => { way.value = chosen; }} /></div>
    ${takesClients && html`<div class="row bots-client">
      <${Checkbox} label=${t("It is an XT client")} checked=${isClient.value}
        onChange=${(/** @type {boolean} */ checked) => { isClient.value = checked; }} />
      ${isClient.value && html`<${TextField} label=${t("Its arguments")} value=${words.value}
        onInput=${(/** @type {string} */ text) => { words.value = text; }} />`}</div>`}
    ${way.value === "file" ? html`<div class=${`bots-drop ${isOver.value ? "over" : ""}`} onDrop=${drop}
        onDragOver=${(/** @type {DragEvent} */ event) => { event.preventDefault(); isOver.value = true; }}
        onDragLeave=${() => { isOver.value = false; }}>
        <p>${isBusy.value ? t("Being unpacked…") : t("Drop a file, a zip or a tar archive here.")}</p>
        <${FileButton} label=${t("Choose a file")} accept="" isBusy=${isBusy.value}
          onFile=${(/** @type {File} */ file) => send(file, file.name)} /></div>`
      : html`<form class="stack" onSubmit=${paste}>
        <label class="field"><span>${t("The whole program")}</span>
          <textarea class="bots-code" rows="12" spellcheck=${false} autocapitalize="off" autocomplete="off" dir="ltr" value=${code.value}
            onInput=${(/** @type {Event} */ event) => { code.value = valueOf(event); }}></textarea></label>
        <div class="row bots-client"><${Select} label=${t("Programming language")} value=${language.value}
            options=${Object.fromEntries(Object.keys(offer.pasted).map((name) => [name, name]))}
            onChange=${(/** @type {string} */ chosen) => { language.value = chosen; }} />
          <button class="button primary" disabled=${isBusy.value || !code.value.trim()}>${t("Hand in")}</button></div></form>`}
    <${Alert} text=${problem.value} />
    <${Terms} offer=${offer} ladder=${ladder} />
  </section>`;
}
