/** The fields for the players of the seats and for the time limit. */
import { limitChoices } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { levelOf, offeredValues } from "../../app/new-game.js";
import { Checkbox, OptionFields, Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { LevelSlider } from "../../components/level.js";

/** @import { Seat } from "../../app/new-game.js" */
/** @import { Paint, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../app/specs.js" */

/** @typedef {{choice: string, minutes: number, increment: number, seconds: number}} Time */

/** The limits that can be chosen, in words. @returns {Record<string, string>} */
const limits = () => ({ ...limitChoices(), bank: t("Custom clock for the game…"), seconds: t("Custom limit for each move…") });

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

/**
 * Which computer, with its level and options unless these are to be left out.
 * @param {{label: string, seat: Seat, players: PlayerInfo[], isBrief?: boolean, onChange: (seat: Seat) => void}} props
 */
function Computer({ label, seat, players, isBrief = false, onChange }) {
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
      <select aria-label=${label} value=${seat.player} onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${players.map((player) => html`<option key=${player.name} value=${player.name}>${t(player.label)}</option>`)}
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
 * Who sits where. Where more than two play, one choice is for all computers until somebody wants to choose each.
 * @param {{paints: Paint[], seats: Seat[], players: PlayerInfo[], onChange: (seats: Seat[]) => void,
 *   isRandom: boolean, onRandom: (isRandom: boolean) => void}} props
 */
export function Seats({ paints, seats, players, onChange, isRandom, onRandom }) {
  const isEach = useSignal(false);
  const isShared = seats.length > 2 && !isEach.value;
  const first = seats.find(({ kind }) => kind === "computer");
  /** Every computer as this one. @type {(all: Seat[], one: Seat) => Seat[]} */
  const unified = (all, { player, values }) => all.map((seat) => (seat.kind === "computer" ? { ...seat, player, values } : seat));
  const row = (/** @type {Seat} */ seat, /** @type {number} */ index) => {
    const change = (/** @type {Seat} */ changed) => {
      const next = seats.with(index, changed);
      onChange(isShared && first ? unified(next, first) : next);
    };
    const about = { paint: paints[index], seat, players, onChange: change };
    return html`
      <div key=${index} class="seat-row"><${Kinds} number=${index + 1} ...${about} />
        ${seat.kind === "friend" && html`<p class="soft small">${t("You get a link to send.")}</p>`}
        ${seat.kind === "computer" && !isShared && html`<${Computer} seat=${seat} players=${players} onChange=${change}
          isBrief=${seats.length > 2 && seat !== first} label=${t("Player for {seat}", { seat: t(paints[index].name) })} />`}
      </div>`;
  };
  return html`
    <section class="seats stack tight">
      <div class="row apart"><h3>${t("Who plays")}</h3>
        <button type="button" class="button quiet" onClick=${() => onChange([...seats.slice(1), ...seats.slice(0, 1)])}>
          ${seats.length === 2 ? t("Swap") : t("Rotate")}</button></div>
      ${seats.map(row)}
      ${isShared && first && html`
        <div class="seat-row"><div class="row apart"><h3>${t("All computers")}</h3>
            <button type="button" class="button quiet" onClick=${() => { isEach.value = true; }}>${t("Choose each")}</button></div>
          <${Computer} seat=${first} players=${players} label=${t("Player for all computers")}
            onChange=${(/** @type {Seat} */ changed) => onChange(unified(seats, changed))} /></div>`}
      ${isEach.value && first && html`<button type="button" class="button quiet"
        onClick=${() => { isEach.value = false; onChange(unified(seats, first)); }}>${t("Use the same for all computers")}</button>`}
      ${!players.length && html`<p class="soft small">${t("No computer player plays this variant.")}</p>`}
      <${Checkbox} label=${t("Assign the seats at random")} checked=${isRandom} onChange=${onRandom} />
    </section>`;
}
