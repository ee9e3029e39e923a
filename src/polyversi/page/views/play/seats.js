/** The fields for the players of the seats and for the time limit. */
import { valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { OptionFields, Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";

/** @import { Paint, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** @typedef {{choice: string, minutes: number, increment: number, seconds: number}} Time */

const LIMITS = { ...common.limits, bank: "Custom clock for the game…", seconds: "Custom limit for each move…" };

/** The numbers of a custom limit: field, label, bounds. */
const NUMBERS = /** @type {const} */ ({
  bank: [["minutes", "Minutes", 0.1, 1000], ["increment", "Seconds added per move", 0, 600]],
  seconds: [["seconds", "Seconds per move", 0.5, 3600]],
});

/**
 * The limit that was chosen before, or none. Earlier versions of the page stored a custom limit as "custom", with its kind.
 * @type {(saved: Partial<Time & {kind: string}>|null) => Time}
 */
export function readTime(saved) {
  const { minutes = 5, increment = 3, seconds = 10, choice, kind } = saved ?? {};
  const name = (choice === "custom" ? kind : choice) ?? "none";
  return { minutes, increment, seconds, choice: name in LIMITS ? name : "none" };
}

/** The limit as the server reads it. @param {Time} time */
export function limitText({ choice, minutes, increment, seconds }) {
  if (choice === "bank") return `bank=${Math.round(minutes * 60)}${increment ? `,increment=${increment}` : ""}`;
  return choice === "seconds" ? `seconds=${seconds}` : choice;
}

/** @param {{time: Time, onChange: (time: Time) => void}} props */
export function Limits({ time, onChange }) {
  const numbers = time.choice === "bank" || time.choice === "seconds" ? NUMBERS[time.choice] : [];
  return html`
    <section class="stack tight">
      <${Select} label="Time" value=${time.choice} options=${LIMITS}
        onChange=${(/** @type {string} */ choice) => onChange({ ...time, choice })} />
      ${numbers.length > 0 && html`<div class="option-fields">${numbers.map(([field, label, low, high]) => html`
        <label key=${field} class="field"><span>${label}</span>
          <input type="number" required min=${low} max=${high} step="any" value=${time[field]}
            onInput=${(/** @type {Event} */ event) => onChange({ ...time, [field]: Number(valueOf(event)) })} />
        </label>`)}</div>`}
    </section>`;
}

/** @typedef {{kind: "me"|"friend"|"computer", player: string, values: Values}} Seat */
/** @typedef {{paint: Paint, seat: Seat, players: PlayerInfo[], onChange: (seat: Seat) => void}} Row */

const KINDS = /** @type {const} */ ([["me", "You"], ["friend", "A friend"], ["computer", "Computer"]]);

/** @param {Row & {number: number}} props */
function Kinds({ number, paint, seat, players, onChange }) {
  return html`
    <fieldset class="seat-kinds"><legend class="visually-hidden">Who plays ${paint.name}</legend>
      <span class="seat-name" aria-hidden="true"><${Stone} paint=${paint} />${paint.name}</span>
      <span class="segments">${KINDS.map(([kind, label]) => html`
        <label key=${kind}><input class="visually-hidden" type="radio" name=${`seat-${number}`}
            checked=${seat.kind === kind} disabled=${kind === "computer" && !players.length}
            onChange=${() => onChange({ ...seat, kind })} />
          <span>${label}</span></label>`)}</span>
    </fieldset>`;
}

/** Which computer; among many seats there is no room for more than its name. @param {Row & {isBrief: boolean}} props */
function Computer({ paint, seat, players, isBrief, onChange }) {
  const chosen = players.find(({ name }) => name === seat.player);
  // The level is always shown, the other options on demand.
  const level = isBrief ? undefined : chosen?.options.find(({ name }) => name === "level");
  const others = chosen?.options.filter((option) => option !== level) ?? [];
  const fields = (/** @type {PlayerInfo["options"]} */ options) => html`
    <${OptionFields} options=${options} values=${seat.values}
      onChange=${(/** @type {Values} */ values) => onChange({ ...seat, values })} />`;
  const choose = (/** @type {string} */ player) =>
    onChange({ ...seat, player, values: players.find(({ name }) => name === player)?.offered ?? {} });
  return html`
    <div class="stack tight">
      <select aria-label=${`Player for ${paint.name}`} value=${seat.player}
          onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${players.map(({ name, label }) => html`<option key=${name} value=${name}>${t(label)}</option>`)}
      </select>
      ${chosen && !isBrief && html`<p class="soft small">${t(chosen.sentence)}</p>`}
      ${level && fields([{ ...level, label: level.high ? `Level, ${level.low} to ${level.high}` : "Level" }])}
      ${others.length > 0 && html`
        <details class="small"><summary>Options for this player</summary>${fields(others)}</details>`}
    </div>`;
}

/** @param {{paints: Paint[], seats: Seat[], players: PlayerInfo[], onChange: (seats: Seat[]) => void}} props */
export function Seats({ paints, seats, players, onChange }) {
  const computers = seats.filter(({ kind }) => kind === "computer");
  const chosen = new Set(computers.map(({ player, values }) => JSON.stringify([player, values])));
  const unify = () => onChange(seats.map((seat) => (seat.kind === "computer" ? { ...computers[0] } : seat)));
  const row = (/** @type {Seat} */ seat, /** @type {number} */ index) => {
    const change = (/** @type {Seat} */ changed) => onChange(seats.with(index, changed));
    const about = { paint: paints[index], seat, players, onChange: change };
    return html`
      <div key=${index} class="seat-row"><${Kinds} number=${index + 1} ...${about} />
        ${seat.kind === "friend" && html`<p class="soft small">You get a link to send.</p>`}
        ${seat.kind === "computer" && html`<${Computer} isBrief=${seats.length > 2} ...${about} />`}
      </div>`;
  };
  return html`
    <section class="stack tight">
      <div class="row apart"><h3>Seats</h3>
        <button type="button" class="button quiet" onClick=${() => onChange([...seats.slice(1), ...seats.slice(0, 1)])}>
          ${seats.length === 2 ? "Swap" : "Rotate"}</button></div>
      ${seats.map(row)}
      ${chosen.size > 1 && html`
        <button type="button" class="button quiet" onClick=${unify}>Use the same for all computers</button>`}
      ${!players.length && html`<p class="soft small">No computer player plays this variant.</p>`}
    </section>`;
}
