/** Who sits where: oneself, friends with a link, computers with their options. */
import { valueOf } from "../../app/fields.js";
import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { OptionFields } from "../parts/options.js";
import { Stone } from "../parts/stone.js";
import { offeredValues } from "./begin.js";

/** @typedef {import("../../app/types.js").Paint} Paint */
/** @typedef {import("../../app/types.js").PlayerInfo} PlayerInfo */
/** @typedef {import("../parts/options.js").Values} Values */
/** @typedef {{kind: "me"|"friend"|"computer", player: string, values: Values}} Seat */
/** @typedef {{paint: Paint, seat: Seat, players: PlayerInfo[], onChange: (seat: Seat) => void}} Row */

const KINDS = /** @type {const} */ (["me", "friend", "computer"]);

/** @param {Row & {number: number}} props */
function Kinds({ number, paint, seat, players, onChange }) {
  return html`
    <fieldset class="seat-kinds"><legend class="visually-hidden">${words.play.who(paint.name)}</legend>
      <span class="seat-name" aria-hidden="true"><${Stone} paint=${paint} />${paint.name}</span>
      <span class="segments">${KINDS.map((kind) => html`
        <label key=${kind}><input class="visually-hidden" type="radio" name=${`seat-${number}`}
            checked=${seat.kind === kind} disabled=${kind === "computer" && !players.length}
            onChange=${() => onChange({ ...seat, kind })} />
          <span>${words.play.kinds[kind]}</span></label>`)}</span>
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
  const choose = (/** @type {string} */ player) => onChange({ ...seat, player, values: offeredValues(player) });
  return html`
    <div class="stack tight">
      <select aria-label=${words.play.player(paint.name)} value=${seat.player}
          onChange=${(/** @type {Event} */ event) => choose(valueOf(event))}>
        ${players.map(({ name }) => html`<option key=${name} value=${name}>${name}</option>`)}
      </select>
      ${chosen && !isBrief && html`<p class="soft small">${chosen.sentence}</p>`}
      ${seen.length > 0 && fields(seen.map((option) => ({ ...option, label: words.play.level(option) })))}
      ${others.length > 0 && html`
        <details class="small"><summary>${words.play.playerOptions}</summary>${fields(others)}</details>`}
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
        ${seat.kind === "friend" && html`<p class="soft small">${words.play.friendHint}</p>`}
        ${seat.kind === "computer" && html`<${Computer} isBrief=${seats.length > 2} ...${about} />`}
      </div>`;
  };
  return html`
    <section class="stack tight">
      <div class="row apart"><h3>${words.play.seats}</h3>
        <button type="button" class="button quiet" onClick=${() => onChange([...seats.slice(1), ...seats.slice(0, 1)])}>
          ${seats.length === 2 ? words.play.swap : words.play.rotate}</button></div>
      ${seats.map(row)}
      ${chosen.size > 1 && html`
        <button type="button" class="button quiet" onClick=${unify}>${words.play.sameForAll}</button>`}
      ${!players.length && html`<p class="soft small">${words.play.nobody}</p>`}
    </section>`;
}
