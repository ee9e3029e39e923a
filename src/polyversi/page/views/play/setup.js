/** The form for a new game: options, seats and time limit. */
import { get, sentenceOf, useAction } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { name } from "../../app/settings.js";
import { load, save } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { Checkbox, OptionFields, specOf } from "../../components/forms.js";
import { Alert } from "../../components/page.js";
import { DEFAULT_TIME, Limits, limitText, Seats } from "./seats.js";
import { describeEdited, EditedHead, firstOpponent, startGame } from "./start.js";
import { words } from "./words.js";

/** @import { Signal } from "../../app/html.js" */
/** @import { Description, PlayerInfo, Variant } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Edited } from "./start.js" */

/** @typedef {{description: Description, players: PlayerInfo[], spec: string}} Table */

/**
 * The seats of the game: those chosen before are kept, the visitor has the first new one and computers the others.
 * @param {Seat[]} before
 * @param {Table} table
 * @returns {Seat[]}
 */
function seated(before, { description, players }) {
  const suited = players.map((player) => player.name);
  const fresh = firstOpponent(players);
  return Array.from({ length: description.seats }, (_, index) => {
    const seat = before[index] ?? { kind: index === 0 ? "me" : suited.length ? "computer" : "friend", ...fresh };
    if (suited.includes(seat.player)) return seat;
    return { ...fresh, kind: seat.kind === "computer" && !suited.length ? "friend" : seat.kind };
  });
}

/** @param {Seat[]} seats */
function shuffled(seats) {
  const mixed = [...seats];
  for (let left = mixed.length; left > 1; left--) {
    const at = Math.floor(Math.random() * left);
    [mixed[left - 1], mixed[at]] = [mixed[at], mixed[left - 1]];
  }
  return mixed;
}

/**
 * What the server is asked for.
 * @param {Seat[]} seats
 * @param {PlayerInfo[]} players
 */
export function wantedSeats(seats, players) {
  return seats.map(({ kind, player, values }) => {
    if (kind === "me") return { kind, name: name.value || common.guest };
    const options = players.find((one) => one.name === player)?.options ?? [];
    return kind === "computer" ? { kind, player: specOf(player, options, values) } : { kind };
  });
}

/**
 * Fetches the board of a game and the players for it.
 * @param {string} spec
 * @param {Edited|null} edited
 * @param {AbortSignal} stop
 * @returns {Promise<Table>}
 */
async function fetchTable(spec, edited, stop) {
  const asked = encodeURIComponent(spec);
  const [description, players] = await (edited ? describeEdited(edited) : Promise.all([
    get(`/api/board?spec=${asked}`, stop), get(`/api/players?spec=${asked}`, stop),
  ]));
  return { description, spec, players: players.filter((/** @type {PlayerInfo} */ { unsuited }) => !unsuited) };
}

/**
 * The game of a specification, or of the editor, with its seats; fetched again whenever it changes.
 * @param {string} spec
 * @param {Edited|null} edited
 * @param {Signal<string>} problem
 */
function useTable(spec, edited, problem) {
  const table = useSignal(/** @type {Table|null} */ (null));
  const seats = useSignal(/** @type {Seat[]} */ ([]));
  useEffect(() => {
    const stop = new AbortController();
    fetchTable(spec, edited, stop.signal).then((found) => {
      seats.value = seated(seats.value, found);
      table.value = found;
      problem.value = "";
    }, (error) => { if (!stop.signal.aborted) problem.value = sentenceOf(error); });
    return () => stop.abort();
  }, [spec, edited]);
  return { table, seats };
}

/** @param {{variant: Variant, spec: string, title: string}} props */
function Head({ variant, spec, title }) {
  return html`
    <div class="setup-head">
      <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt=${words.picture(title)}
        width="112" height="112" />
      <div><h2>${variant.label}</h2><p class="soft small">${variant.sentence}</p></div>
    </div>`;
}

/** @param {{variant: Variant, values: Values, onValues: (values: Values) => void}} props */
function Options({ variant, values, onValues }) {
  if (!variant.options.length) return null;
  return html`
    <details open=${Object.keys(values).length > 0}><summary>${words.options}</summary>
      <${OptionFields} options=${variant.options} values=${values} onChange=${onValues} /></details>`;
}

/**
 * @param {{variant: Variant, spec: string, values: Values, onValues: (values: Values) => void,
 *   edited: Edited|null}} props
 */
export function Setup({ variant, spec, values, onValues, edited }) {
  const { isBusy, problem, run } = useAction();
  const { table, seats } = useTable(spec, edited, problem);
  const time = useSignal({ ...DEFAULT_TIME, ...load("time") });
  const drawLots = useSignal(false);
  // While another game is being fetched, the seats shown are still those of the one before.
  const isReady = table.value !== null && (edited !== null || table.value.spec === spec);
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isReady || !table.value) return;
    save("time", time.value);
    const order = drawLots.value ? shuffled(seats.value) : seats.value;
    const wanted = { seats: wantedSeats(order, table.value.players), limit: limitText(time.value) };
    run(() => startGame({ ...(edited ?? { spec }), ...wanted }));
  };
  const kinds = new Set(seats.value.map(({ kind }) => kind));
  const isMine = kinds.has("me") || !table.value;
  const verb = kinds.has("friend") ? words.invite : isMine ? words.start : words.watch;
  return html`
    <form class="setup panel stack" onSubmit=${start} aria-label=${words.setup}>
      ${edited
        ? table.value && html`<${EditedHead} edited=${edited} description=${table.value.description} />`
        : html`<${Head} variant=${variant} spec=${table.value?.spec ?? variant.spec}
            title=${table.value?.description.title ?? variant.label} />
          <${Options} variant=${variant} values=${values} onValues=${onValues} />`}
      ${table.value && html`
        <${Seats} paints=${table.value.description.plan.seats} seats=${seats.value} players=${table.value.players}
          onChange=${(/** @type {Seat[]} */ changed) => { seats.value = changed; }} />`}
      <${Checkbox} label=${words.drawLots} checked=${drawLots.value}
        onChange=${(/** @type {boolean} */ checked) => { drawLots.value = checked; }} />
      <${Limits} time=${time.value} onChange=${(/** @type {typeof time.value} */ changed) => { time.value = changed; }} />
      <label class="field"><span>${words.name}</span>
        <input maxlength="40" autocomplete="nickname" placeholder=${common.guest} value=${name.value}
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <${Alert} text=${problem.value} />
      <button class="button primary big" disabled=${isBusy.value || !isReady}>
        ${isBusy.value ? words.starting : verb}</button>
    </form>`;
}
