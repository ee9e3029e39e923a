/** What somebody wants to play: the variant, the clock, with whom, and whether it is rated. */
import { limitChoices, useAction, useCatalogue, useFetched, useVariants } from "../../app/api.js";
import { account } from "../../app/account.js";
import { valueOf } from "../../app/dom.js";
import { html, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { challenge } from "../../app/lobby.js";
import { load, save } from "../../app/storage.js";
import { Checkbox, Select, VariantOptions } from "../../components/forms.js";
import { Alert } from "../../components/page.js";

/** What is wanted where nothing was chosen before: what the server offers first. */
const FIRST = { variant: "", limit: "", isRated: true };

/** @param {{opponent: string}} props */
export function NewChallenge({ opponent: asked }) {
  const { isBusy, problem, run } = useAction();
  const variants = useVariants((sentence) => { problem.value = sentence; });
  const wanted = useSignal({ ...FIRST, .../** @type {object} */ (load("challenge") ?? {}) });
  const opponent = useSignal(asked);
  /** @type {{people: {id: string, name: string}[]}|null} */
  const known = useFetched("/api/site/people");
  const catalogue = useCatalogue();
  const { variant: name, isRated } = wanted.value;
  const limit = wanted.value.limit || (catalogue?.clock ?? "");
  const chosen = variants.find((one) => one.name === name) ?? variants[0];
  const others = (known?.people ?? []).filter(({ id }) => id !== account.value?.id);
  const change = (/** @type {Partial<typeof FIRST>} */ changed) => { wanted.value = { ...wanted.value, ...changed }; };
  const send = (/** @type {boolean} */ isQuick) => run(async () => {
    if (!chosen) return;
    save("challenge", wanted.value);
    await challenge({ spec: chosen.spec, limit, is_rated: isRated, opponent: opponent.value.trim(), is_quick: isQuick });
    opponent.value = "";
  });
  const isDirect = opponent.value.trim() !== "";
  return html`<form class="panel stack lobby-new" aria-labelledby="lobby-new"
      onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); send(!isDirect); }}>
    <h2 id="lobby-new">${t("New game")}</h2>
    <div class="lobby-choices">
    <${Select} label=${t("Variant")} value=${chosen?.name ?? ""} onChange=${(/** @type {string} */ variant) => change({ variant })}>
      <${VariantOptions} variants=${variants} /><//>
    <${Select} label=${t("Clock")} value=${limit} options=${limitChoices()} onChange=${(/** @type {string} */ text) => change({ limit: text })} /></div>
    <label class="field"><span>${t("Opponent")}</span>
      <input list="lobby-people" maxlength="40" autocomplete="off" placeholder=${t("Anybody")} value=${opponent.value}
        onInput=${(/** @type {Event} */ event) => { opponent.value = valueOf(event); }} />
      <datalist id="lobby-people">${others.map(({ id, name: one }) => html`<option key=${id} value=${one} />`)}</datalist></label>
    <${Checkbox} label=${t("Rated")} checked=${isRated} onChange=${(/** @type {boolean} */ checked) => change({ isRated: checked })} />
    <${Alert} text=${problem.value} look="small" />
    <div class="row">
      <button class="button primary grow" disabled=${isBusy.value || !chosen}>${isDirect
        ? t("Challenge") : t("Quick pairing")}</button>
      ${!isDirect && html`<button type="button" class="button grow" disabled=${isBusy.value || !chosen}
        onClick=${() => send(false)}>${t("Open a challenge")}</button>`}
    </div>
    <p class="soft small">${isDirect ? t("The challenge waits for a week.")
      : t("Quick pairing takes the next one who wants the same. An open challenge waits for an hour.")}</p>
  </form>`;
}
