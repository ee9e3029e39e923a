/** The form of an event: what is played, by whom, in which format and within which limits. */
import { get, post, sentenceOf, useAction, useVariants } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { go } from "../../app/router.js";
import { common } from "../../app/words.js";
import { Checkbox, NumberField, Select } from "../../components/forms.js";
import { Alert, PageHeader } from "../../components/page.js";
import { Entrants, Maps, Variants } from "./choosing.js";
import { apiOf } from "./model.js";

/** @import { EventChoices, EventSettings } from "../../app/messages.js" */
/** @import { Change } from "./choosing.js" */

/** @param {{id: string}} props */
export function EventForm({ id }) {
  const choices = useSignal(/** @type {EventChoices|null} */ (null));
  const title = useSignal("");
  const settings = useSignal(/** @type {EventSettings|null} */ (null));
  const isReleased = useSignal(true);
  const { isBusy, problem, run } = useAction();
  const variants = useVariants((sentence) => { problem.value = sentence; });
  useEffect(() => {
    get("/api/site/event-choices").then((/** @type {EventChoices} */ found) => {
      choices.value = found;
      if (!id) settings.value = found.settings;
    }, (error) => { problem.value = sentenceOf(error); });
    if (!id) return;
    get(apiOf(id)).then((event) => {
      title.value = event.title;
      settings.value = event.settings;
      isReleased.value = event.is_released;
    }, (error) => { problem.value = sentenceOf(error); });
  }, [id]);
  const chosen = settings.value;
  /** @type {Change} */
  const set = (changes) => {
    const now = settings.value;    // which may be newer than what is shown
    if (now) settings.value = { ...now, ...(typeof changes === "function" ? changes(now) : changes) };
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const made = await post(id ? apiOf(id) : "/api/site/events", {
        title: title.value, settings: settings.value, is_released: isReleased.value,
      });
      go(`/events/${encodeURIComponent(made.id)}`);
    });
  };
  return html`
    <form class="page stack events event-form" onSubmit=${send}>
      <${PageHeader} title=${id ? t("Change the event") : t("New event")} lead=${t("Nothing is played before you start it.")} />
      ${!choices.value || !chosen ? html`<p class="soft loading">${common.loading}</p>` : html`
        <label class="field"><span>${t("Title")}</span>
          <input required maxlength="50" value=${title.value} onInput=${(/** @type {Event} */ event) => { title.value = valueOf(event); }} /></label>
        <section class="panel stack" aria-labelledby="event-games"><h2 id="event-games">${t("Games")}</h2>
          <${Variants} variants=${variants} settings=${chosen} onChange=${set} />
          <${Maps} settings=${chosen} onChange=${set} />
          <${Format} choices=${choices.value} settings=${chosen} onChange=${set} /></section>
        <section class="panel stack" aria-labelledby="event-entrants"><h2 id="event-entrants">${t("Entrants")}</h2>
          <${Entrants} choices=${choices.value} settings=${chosen} onChange=${set} /></section>
        <section class="panel stack" aria-labelledby="event-limits"><h2 id="event-limits">${t("Limits")}</h2>
          <${Limits} settings=${chosen} onChange=${set} /></section>
        <${Checkbox} label=${t("Everybody sees results and games while it is played")} checked=${isReleased.value}
          onChange=${(/** @type {boolean} */ isChecked) => { isReleased.value = isChecked; }} />
        <${Alert} text=${problem.value} />
        <div class="row"><button class="button primary" disabled=${isBusy.value}>${t("Save")}</button>
          <a class="button" href=${id ? `/events/${encodeURIComponent(id)}` : "/events"}>${common.cancel}</a></div>`}
      ${!choices.value && html`<${Alert} text=${problem.value} />`}
    </form>`;
}

/** @typedef {{settings: EventSettings, onChange: Change}} Props */

/** @param {Props & {choices: EventChoices}} props */
function Format({ choices, settings, onChange }) {
  const { format, options, games, openings } = settings;
  const info = choices.formats.find(({ name }) => name === format);
  const names = Object.fromEntries(choices.formats.map(({ name, label }) => [name, t(label)]));
  const [kind, plies = "8"] = openings.split(" ");
  return html`<div class="event-fields">
    <${Select} label=${t("Format")} value=${format} options=${names} onChange=${(/** @type {string} */ name) => onChange({ format: name, options: {} })} />
    ${info?.options.map((option) => html`<${NumberField} key=${option.name} label=${t(option.label)}
      value=${options[option.name] ?? option.default} low=${option.low} high=${option.high}
      onNumber=${(/** @type {number} */ value) => onChange({ options: { ...options, [option.name]: value } })} />`)}
    <${NumberField} label=${t("Games of a meeting")} value=${games} low=${1} high=${1000} isOptional=${true} placeholder=${t("one in each seat")}
      onNumber=${(/** @type {number|null} */ value) => onChange({ games: value })} />
    <${Select} label=${t("Openings")} value=${kind} options=${{ none: t("the start of the variant"), random: t("random moves"), balanced: t("balanced openings") }}
      onChange=${(/** @type {string} */ chosen) => onChange({ openings: chosen === "none" ? chosen : `${chosen} ${plies}` })} />
    ${kind !== "none" && html`<${NumberField} label=${t("Moves of an opening")} value=${Number(plies)} low=${1} high=${60}
      onNumber=${(/** @type {number} */ value) => onChange({ openings: `${kind} ${value}` })} />`}
  </div>`;
}

/** @param {Props} props */
function Limits({ settings, onChange }) {
  const { limit, memory, failures, adjudicate } = settings;
  const numbers = /** @type {const} */ ([
    ["memory", t("Memory of a bot (MiB)"), memory, 16, 1 << 20],
    ["failures", t("Set aside after failures (0: never)"), failures, 0, 1000],
    ["adjudicate", t("Adjudicate at empty cells (0: never)"), adjudicate, 0, 30],
  ]);
  return html`<div class="event-fields">
    <label class="field"><span>${t("Time limit")}</span>
      <input required value=${limit} onInput=${(/** @type {Event} */ event) => onChange({ limit: valueOf(event) })} /></label>
    ${numbers.map(([name, label, value, low, high]) => html`<${NumberField} key=${name} label=${label} value=${value} low=${low} high=${high}
      onNumber=${(/** @type {number} */ changed) => onChange({ [name]: changed })} />`)}
  </div>
  <p class="small soft">${t("Such as seconds=5,bank=180: five seconds for a move, three minutes for a game.")}</p>`;
}
