/** Choosing for an event: variants, maps of one's own, and who takes part. */
import { get } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { playerName } from "../../app/players.js";
import { readSpec, specOf } from "../../app/specs.js";
import { Checkbox, FileButton, Select, VariantOptions } from "../../components/forms.js";
import { IconButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";

/** @import { PlayerInfo, Variant } from "../../app/types.js" */
/** @import { EventChoices, EventSettings } from "../../app/messages.js" */

/** Changes settings; a function makes the changes of the settings as they are then. @typedef {(changes: Partial<EventSettings> | ((now: EventSettings) => Partial<EventSettings>)) => void} Change */
/** @typedef {{settings: EventSettings, onChange: Change}} Props */

/** Bytes of a map. */
const MAX_MAP = 200_000;

/** What is chosen, each with a button that removes it. @param {{names: string[], onRemove: (at: number) => void}} props */
function Chosen({ names, onRemove }) {
  return names.length > 0 && html`<ul class="event-chosen">${names.map((name, at) => html`<li key=${`${at} ${name}`}><bdi>${name}</bdi>
    <${IconButton} icon="close" label=${t("Remove {name}", { name })} look="quiet" onClick=${() => onRemove(at)} /></li>`)}</ul>`;
}

/** @type {<T>(list: T[], at: number) => T[]} */
const without = (list, at) => list.filter((_, place) => place !== at);

/** @param {Props & {variants: Variant[]}} props */
export function Variants({ variants, settings, onChange }) {
  const labels = settings.variants.map((spec) => {
    const { name, values } = readSpec(spec, variants);
    const label = t(variants.find((one) => one.name === name)?.label ?? spec);
    return Object.keys(values).length > 0 ? `${label} (${Object.values(values).join(", ")})` : label;
  });
  const add = (/** @type {string} */ name) => {
    const info = variants.find((one) => one.name === name);
    const spec = specOf(name, info?.options ?? [], {});
    if (name && !settings.variants.includes(spec)) onChange({ variants: [...settings.variants, spec] });
  };
  return html`<div class="stack tight">
    <${Chosen} names=${labels} onRemove=${(/** @type {number} */ at) => onChange({ variants: without(settings.variants, at) })} />
    <${Select} label=${t("Add a variant")} value="" onChange=${(/** @type {string} */ name, /** @type {HTMLSelectElement} */ field) => { add(name); field.value = ""; }}>
      <option value="">${t("choose…")}</option><${VariantOptions} variants=${variants} /><//>
  </div>`;
}

/** @param {Props} props */
export function Maps({ settings, onChange }) {
  const problem = useSignal("");
  const add = async (/** @type {File} */ file) => {
    problem.value = "";
    if (file.size > MAX_MAP) problem.value = t("This map is too large.");
    else {
      const name = file.name.replace(/\.[^.]*$/, "").replace(/[^\p{L}\p{N}_ .()-]/gu, "").slice(0, 40) || "map";
      const text = await file.text();
      onChange(({ maps }) => ({ maps: [...maps, { name, text }] }));
    }
  };
  return html`<div class="stack tight">
    <${Chosen} names=${settings.maps.map(({ name }) => name)} onRemove=${(/** @type {number} */ at) => onChange({ maps: without(settings.maps, at) })} />
    <div><${FileButton} label=${t("Add a map of Reversi XT")} accept=".map,.txt,text/plain" onFile=${add} /></div>
    <${Alert} text=${problem.value} />
  </div>`;
}

/** @param {Props & {choices: EventChoices}} props */
export function Entrants({ choices, settings, onChange }) {
  const { ladder, deadline, bots } = settings;
  const groups = useSignal(settings.groups.join("\n"));    // as they are being written, with empty lines
  const ladders = Object.fromEntries([["", t("nobody by itself")], ...choices.ladders.map(({ id, title }) =>
    [id, t("all who pass on {ladder}", { ladder: title })])]);
  const fromLadder = (/** @type {string} */ id) => onChange({ ladder: id, ...gamesOf(choices.ladders.find((one) => one.id === id)) });
  const toggle = (/** @type {string} */ id) => (/** @type {boolean} */ isIn) =>
    onChange({ bots: isIn ? [...bots, id] : bots.filter((one) => one !== id) });
  return html`
    <div class="event-fields">
      <${Select} label=${t("From a ladder")} value=${ladder} options=${ladders} onChange=${fromLadder} />
      ${ladder && html`<label class="field"><span>${t("By (or when it starts)")}</span>
        <input type="datetime-local" value=${localText(deadline)} onInput=${(/** @type {Event} */ event) => onChange({ deadline: momentOf(valueOf(event)) })} /></label>`}
    </div>
    ${choices.bots.length > 0 && html`<fieldset><legend>${t("Bots")}</legend><div class="event-bots">
      ${choices.bots.map(({ id, name, owner }) => html`<${Checkbox} key=${id} label=${t("{bot} by {owner}", { bot: name, owner })}
        checked=${bots.includes(id)} onChange=${toggle(id)} />`)}</div></fieldset>`}
    <${Players} choices=${choices} settings=${settings} onChange=${onChange} />
    <label class="field"><span>${t("Groups that connect their XT clients, a name on each line")}</span>
      <textarea rows="3" value=${groups.value} onInput=${(/** @type {Event} */ event) => {
        groups.value = valueOf(event);
        onChange({ groups: groups.value.split("\n").map((name) => name.trim()).filter(Boolean) });
      }} /></label>`;
}

/**
 * What the bots of a ladder were handed in for; without a ladder there is no deadline either.
 * @param {EventChoices["ladders"][number]|undefined} ladder @returns {Partial<EventSettings>}
 */
const gamesOf = (ladder) => (ladder
  ? { variants: [ladder.variant], maps: [], limit: ladder.limit, memory: ladder.memory } : { deadline: null });

/** Players of the program, which may take part more than once. @param {Props & {choices: EventChoices}} props */
function Players({ choices, settings, onChange }) {
  const { players } = settings;
  const known = useSignal(/** @type {PlayerInfo[]} */ ([]));
  const variant = settings.variants[0] ?? choices.settings.variants[0];
  useEffect(() => {
    get(`/api/players?spec=${encodeURIComponent(variant)}`).then((found) => { known.value = found; }, () => {});
  }, [variant]);
  const offered = known.value.filter(({ unsuited, name }) => !unsuited && !name.includes(":"));
  const add = (/** @type {string} */ spec) => { if (spec) onChange({ players: [...players, spec] }); };
  return html`<div class="stack tight">
    <${Chosen} names=${players.map(playerName)} onRemove=${(/** @type {number} */ at) => onChange({ players: without(players, at) })} />
    <${Select} label=${t("Add a computer player")} value="" onChange=${(/** @type {string} */ spec, /** @type {HTMLSelectElement} */ field) => { add(spec); field.value = ""; }}>
      <option value="">${t("choose…")}</option>
      ${offered.flatMap(specsOf).map((spec) => html`<option key=${spec} value=${spec}>${playerName(spec)}</option>`)}<//>
  </div>`;
}

/** A player at each of its levels. @param {PlayerInfo} info */
function specsOf({ name, levels }) {
  return levels.length > 0 ? levels.map((_, at) => `${name}:level=${at + 1}`) : [name];
}

/** A moment as a field for local time has it. @param {number|null} seconds */
function localText(seconds) {
  if (seconds === null) return "";
  const moment = new Date(seconds * 1000);
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The moment of such a field; none for an empty one. @param {string} text */
const momentOf = (text) => (text ? new Date(text).getTime() / 1000 : null);
