/** Who plays which seat, and with how much time. */
import { valueOf } from "../../app/dom.js";
import { html } from "../../app/html.js";
import { OptionFields, Select } from "../../components/forms.js";
import { Stone } from "../../components/icons.js";
import { words } from "./words.js";

/** @import { Paint, PlayerInfo } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */

/** @typedef {{choice: string, kind: string, minutes: number, increment: number, seconds: number}} Time */
/** @typedef {{time: Time, onChange: (time: Time) => void}} Props */

/** @type {Time} */
export const DEFAULT_TIME = { choice: "none", kind: "bank", minutes: 5, increment: 3, seconds: 10 };

/** The limit as the server reads it. @param {Time} time */
export function limitText({ choice, kind, minutes, increment, seconds }) {
  if (choice !== "custom") return choice;
  if (kind === "seconds") return `seconds=${seconds}`;
  return `bank=${Math.round(minutes * 60)}${increment ? `,increment=${increment}` : ""}`;
}

/** Any other limit, in numbers. @param {Props} props */
function Custom({ time, onChange }) {
  const number = (
    /** @type {"minutes"|"increment"|"seconds"} */ field, /** @type {string} */ label,
    /** @type {number} */ low, /** @type {number} */ high,
  ) => html`
    <label class="field"><span>${label}</span>
      <input type="number" required min=${low} max=${high} step="any" value=${time[field]}
        onInput=${(/** @type {Event} */ event) => onChange({ ...time, [field]: Number(valueOf(event)) })} /></label>`;
  return html`
    <div class="option-fields">
      <${Select} label=${words.customKind} value=${time.kind} options=${words.customKinds}
        onChange=${(/** @type {string} */ kind) => onChange({ ...time, kind })} />
      ${time.kind === "bank" && number("minutes", words.minutes, 0.1, 1000)}
      ${time.kind === "bank" && number("increment", words.increment, 0, 600)}
      ${time.kind === "seconds" && number("seconds", words.secondsAMove, 0.5, 3600)}
    </div>`;
}

/** @param {Props} props */
export function Limits({ time, onChange }) {
  return html`
    <section class="stack tight">
      <${Select} label=${words.limit} value=${time.choice} options=${words.limits}
        onChange=${(/** @type {string} */ choice) => onChange({ ...time, choice })} />
      ${time.choice === "custom" && html`<${Custom} time=${time} onChange=${onChange} />`}
    </section>`;
}

/** @typedef {{kind: "me"|"friend"|"computer", player: string, values: Values}} Seat */
/** @typedef {{paint: Paint, seat: Seat, players: PlayerInfo[], onChange: (seat: Seat) => void}} Row */

const KINDS = /** @type {const} */ (["me", "friend", "computer"]);

/** @param {Row & {number: number}} props */
function Kinds({ number, paint, seat, players, onChange }) {
  return html`
    <fieldset class="seat-kinds"><legend class="visually-hidden">${words.who(paint.name)}</legend>
      <span class="seat-name" aria-hidden="true"><${Stone} paint=${paint} />${paint.name}</span>
      <span class="segments">${KINDS.map((kind) => html`
        <label key=${kind}><input class="visually-hidden" type="radio" name=${`seat-${number}`}
            checked=${seat.kind === kind} disabled=${kind === "computer" && !players.length}
            onChange=${() => onChange({ ...seat, kind })} />
          <span>${words.kinds[kind]}</span></label>`)}</span>
    </fieldset>`;
}

/** What is seen at once of a computer's options: how strong it is. */
const SEEN = "level";

/** Which computer; among many seats there is no room for more than its name. @param {Row & {isBrief: boolean}} props */
function Computer({ paint, seat, players, isBrief, onChange }) {
  const chosen = players.find(({ name }) => name === seat.player);
  const options = chosen?.options ?? [];
  const seen = isBrief ? [] : options.filter(({ name }) => name === SEEN);
  const others = options.filter((option) => !seen.includes(option));
  const fields = (/** @type {typeof options} */ shown) => html`
    <${OptionFields} options=${shown} values=${seat.values}
      onChange=${(/** @type {Values} */ values) => onChange({ ...seat, values })} />`;
  const choose = (/** @type {string} */ player) =>
    onChange({ ...seat, player, values: players.find(({ name }) => name === player)?.offered ?? {} });
  return html`
    <div class="stack tight">
      <select aria-label=${words.player(paint.name)} value=${seat.player}
          onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${players.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
      ${chosen && !isBrief && html`<p class="soft small">${chosen.sentence}</p>`}
      ${seen.length > 0 && fields(seen.map((option) => ({ ...option, label: words.level(option) })))}
      ${others.length > 0 && html`
        <details class="small"><summary>${words.playerOptions}</summary>${fields(others)}</details>`}
    </div>`;
}

/** @param {{paints: Paint[], seats: Seat[], players: PlayerInfo[], onChange: (seats: Seat[]) => void}} props */
export function Seats({ paints, seats, players, onChange }) {
  const computers = seats.filter(({ kind }) => kind === "computer");
  const chosen = new Set(computers.map(({ player, values }) => JSON.stringify([player, values])));
  const unify = () => onChange(seats.map((seat) => (seat.kind === "computer" ? { ...computers[0] } : seat)));
  const row = (/** @type {Seat} */ seat, /** @type {number} */ index) => {
    const change = (/** @type {Seat} */ changed) => onChange(seats.map((one, at) => (at === index ? changed : one)));
    const about = { paint: paints[index], seat, players, onChange: change };
    return html`
      <div key=${index} class="seat-row"><${Kinds} number=${index + 1} ...${about} />
        ${seat.kind === "friend" && html`<p class="soft small">${words.friendHint}</p>`}
        ${seat.kind === "computer" && html`<${Computer} isBrief=${seats.length > 2} ...${about} />`}
      </div>`;
  };
  return html`
    <section class="stack tight">
      <div class="row apart"><h3>${words.seats}</h3>
        <button type="button" class="button quiet" onClick=${() => onChange([...seats.slice(1), ...seats.slice(0, 1)])}>
          ${seats.length === 2 ? words.swap : words.rotate}</button></div>
      ${seats.map(row)}
      ${chosen.size > 1 && html`
        <button type="button" class="button quiet" onClick=${unify}>${words.sameForAll}</button>`}
      ${!players.length && html`<p class="soft small">${words.noComputer}</p>`}
    </section>`;
}
