/** The fields for the players of the seats and for the time limit. */
import { valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { levelOf, offeredValues } from "../../app/new-game.js";
import { common } from "../../app/words.js";
import { Checkbox, OptionFields, Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { LevelSlider } from "../../components/level.js";

/** @import { Seat } from "../../app/new-game.js" */
/** @import { Paint, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** @typedef {{choice: string, minutes: number, increment: number, seconds: number}} Time */

/** The limits that can be chosen, in words. @returns {Record<string, string>} */
const limits = () => ({ ...common.limits, bank: t("Custom clock for the game…"), seconds: t("Custom limit for each move…") });

/** The numbers of a custom limit: field, label, bounds. @type {(choice: string) => ["minutes"|"increment"|"seconds", string, number, number][]} */
function numbersOf(choice) {
  if (choice === "bank") return [["minutes", t("Minutes"), 0.1, 1000], ["increment", t("Seconds added per move"), 0, 600]];
  return choice === "seconds" ? [["seconds", t("Seconds per move"), 0.5, 3600]] : [];
}

/**
 * The limit that was chosen before, or none. Earlier versions of the page stored a custom limit as "custom", with its kind.
 * @type {(saved: Partial<Time & {kind: string}>|null) => Time}
 */
export function readTime(saved) {
  const { minutes = 5, increment = 3, seconds = 10, choice, kind } = saved ?? {};
  const name = (choice === "custom" ? kind : choice) ?? "none";
  return { minutes, increment, seconds, choice: name in limits() ? name : "none" };
}

/** The limit as the server reads it. @param {Time} time */
export function limitText({ choice, minutes, increment, seconds }) {
  if (choice === "bank") return `bank=${Math.round(minutes * 60)}${increment ? `,increment=${increment}` : ""}`;
  return choice === "seconds" ? `seconds=${seconds}` : choice;
}

/** @param {{time: Time, onChange: (time: Time) => void}} props */
export function Limits({ time, onChange }) {
  const numbers = numbersOf(time.choice);
  return html`
    <section class="stack tight">
      <${Select} label=${t("Time")} value=${time.choice} options=${limits()}
        onChange=${(/** @type {string} */ choice) => onChange({ ...time, choice })} />
      ${numbers.length > 0 && html`<div class="option-fields">${numbers.map(([field, label, low, high]) => html`
        <label key=${field} class="field"><span>${label}</span>
          <input type="number" required min=${low} max=${high} step="any" value=${time[field]}
            onInput=${(/** @type {Event} */ event) => onChange({ ...time, [field]: Number(valueOf(event)) })} />
        </label>`)}</div>`}
    </section>`;
}

/** @typedef {{paint: Paint, seat: Seat, players: PlayerInfo[], onChange: (seat: Seat) => void}} Row */

/** @param {Row & {number: number}} props */
function Kinds({ number, paint, seat, players, onChange }) {
  const kinds = /** @type {const} */ ([["me", t("You")], ["friend", t("A friend")], ["computer", t("Computer")]]);
  return html`
    <fieldset class="seat-kinds"><legend class="visually-hidden">${t("Who plays {seat}", { seat: t(paint.name) })}</legend>
      <span class="seat-name" aria-hidden="true"><${Stone} paint=${paint} />${t(paint.name)}</span>
      <span class="segments">${kinds.map(([kind, label]) => html`
        <label key=${kind}><input class="visually-hidden" type="radio" name=${`seat-${number}`}
            checked=${seat.kind === kind} disabled=${kind === "computer" && !players.length}
            onChange=${() => onChange({ ...seat, kind })} />
          <span>${label}</span></label>`)}</span>
    </fieldset>`;
}

/** Which computer; in brief only its name. @param {Row & {isBrief: boolean}} props */
function Computer({ paint, seat, players, isBrief, onChange }) {
  const chosen = players.find(({ name }) => name === seat.player);
  const level = levelOf(chosen);
  const others = chosen?.options.filter((option) => option !== level) ?? [];
  const change = (/** @type {Values} */ values) => onChange({ ...seat, values });
  const choose = (/** @type {string} */ player) => {
    const next = players.find(({ name }) => name === player);
    onChange({ ...seat, player, values: next ? offeredValues(next) : {} });
  };
  return html`
    <div class="seat-computer stack tight">
      <select aria-label=${t("Player for {seat}", { seat: t(paint.name) })} value=${seat.player}
          onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${players.map(({ name, label }) => html`<option key=${name} value=${name}>${t(label)}</option>`)}
      </select>
      ${chosen && !isBrief && html`<p class="soft small">${t(chosen.sentence)}</p>
        <${LevelSlider} player=${chosen} value=${seat.values.level ?? ""}
          onChange=${(/** @type {string} */ value) => change({ ...seat.values, level: value })} />`}
      ${others.length > 0 && !isBrief && html`
        <details class="small"><summary>${t("Options for this player")}</summary>
          <${OptionFields} options=${others} values=${seat.values} onChange=${change} /></details>`}
    </div>`;
}

/**
 * @param {{paints: Paint[], seats: Seat[], players: PlayerInfo[], onChange: (seats: Seat[]) => void,
 *   isRandom: boolean, onRandom: (isRandom: boolean) => void}} props
 */
export function Seats({ paints, seats, players, onChange, isRandom, onRandom }) {
  const computers = seats.filter(({ kind }) => kind === "computer");
  const chosen = new Set(computers.map(({ player, values }) => JSON.stringify([player, values])));
  const unify = () => onChange(seats.map((seat) => (seat.kind === "computer" ? { ...computers[0] } : seat)));
  const row = (/** @type {Seat} */ seat, /** @type {number} */ index) => {
    const change = (/** @type {Seat} */ changed) => onChange(seats.with(index, changed));
    const about = { paint: paints[index], seat, players, onChange: change };
    // Among many seats there is room for one computer in full; the others can be made the same with a click.
    const isBrief = seats.length > 2 && seat !== computers[0];
    return html`
      <div key=${index} class="seat-row"><${Kinds} number=${index + 1} ...${about} />
        ${seat.kind === "friend" && html`<p class="soft small">${t("You get a link to send.")}</p>`}
        ${seat.kind === "computer" && html`<${Computer} isBrief=${isBrief} ...${about} />`}
      </div>`;
  };
  return html`
    <section class="seats stack tight">
      <div class="row apart"><h3>${t("Who plays")}</h3>
        <button type="button" class="button quiet" onClick=${() => onChange([...seats.slice(1), ...seats.slice(0, 1)])}>
          ${seats.length === 2 ? t("Swap") : t("Rotate")}</button></div>
      ${seats.map(row)}
      ${chosen.size > 1 && html`
        <button type="button" class="button quiet" onClick=${unify}>${t("Use the same for all computers")}</button>`}
      ${!players.length && html`<p class="soft small">${t("No computer player plays this variant.")}</p>`}
      <${Checkbox} label=${t("Assign the seats at random")} checked=${isRandom} onChange=${onRandom} />
    </section>`;
}
