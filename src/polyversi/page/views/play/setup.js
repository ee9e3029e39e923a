/** The form for a new game: options, seats and time limit. */
import { get, post, Problem, sentenceOf, useAction } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { go } from "../../app/router.js";
import { name } from "../../app/settings.js";
import { load, save, saveGame } from "../../app/storage.js";
import { loadView } from "../../app/views.js";
import { common } from "../../app/words.js";
import { Checkbox, OptionFields, specOf } from "../../components/forms.js";
import { Alert } from "../../components/page.js";
import { Thumbnail } from "../../components/thumbnail.js";
import { Limits, limitText, readTime, Seats } from "./seats.js";

/** @import { Description, PlayerInfo, Variant } from "../../app/types.js" */
/** @import { Values } from "../../components/forms.js" */
/** @import { Seat } from "./seats.js" */

/** @typedef {{description: Description, players: PlayerInfo[], spec: string}} Table a game and who plays it */
/** @typedef {{spec?: string, map?: string, position?: string}} Edited what the editor has handed over */

/**
 * The opponent that is offered first: the strongest that plays the game.
 * @param {PlayerInfo[]} players
 * @returns {{player: string, values: Values}}
 */
export function firstOpponent(players) {
  const first = players.find(({ unsuited }) => !unsuited);
  return { player: first?.name ?? "", values: first?.offered ?? {} };
}

/**
 * The seats of the game: those chosen before stay; of the new ones, the visitor has the first and computers the others.
 * @param {Seat[]} before
 * @param {Table} table
 * @returns {Seat[]}
 */
function seated(before, { description, players }) {
  const fresh = firstOpponent(players);
  const other = players.length ? "computer" : "friend";
  return Array.from({ length: description.seats }, (_, index) => {
    const seat = before[index] ?? { kind: index === 0 ? "me" : other, ...fresh };
    if (players.some((player) => player.name === seat.player)) return seat;
    return { ...fresh, kind: seat.kind === "computer" ? other : seat.kind };
  });
}

/** The seats in random order. @param {Seat[]} seats */
function shuffled(seats) {
  const drawn = seats.map((seat) => ({ seat, lot: Math.random() }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ seat }) => seat);
}

/**
 * Sets a game up on the server and goes there.
 * @param {Edited} game
 * @param {Seat[]} seats
 * @param {PlayerInfo[]} players
 * @param {string} limit
 */
export async function startGame(game, seats, players, limit) {
  // The view is fetched while the server sets the game up; a failure is reported when the page goes there.
  loadView("game").catch(() => {});
  const wanted = seats.map(({ kind, player, values }) => {
    if (kind === "me") return { kind, name: name.value || common.guest };
    const options = players.find((one) => one.name === player)?.options ?? [];
    return kind === "computer" ? { kind, player: specOf(player, options, values) } : { kind };
  });
  const { game: id, token, links } = await post("/api/games", { ...game, seats: wanted, limit });
  if (token || Object.keys(links).length) saveGame(id, { token, links });
  go(`/game/${id}`);
}

/**
 * Fetches the board of a game and the players for it.
 * @param {string} spec
 * @param {Edited|null} edited
 * @param {AbortSignal} stop
 * @returns {Promise<[Description, PlayerInfo[]]>}
 */
async function fetchTable(spec, edited, stop) {
  if (!edited) {
    const query = `spec=${encodeURIComponent(spec)}`;
    return Promise.all([get(`/api/board?${query}`, stop), get(`/api/players?${query}`, stop)]);
  }
  const { description, problem } = await post("/api/check", edited);
  if (problem) throw new Problem(problem);
  return [description, await post("/api/players", { spec: edited.spec ?? "", map: edited.map ?? "" })];
}

/** The game to be played, with a picture. @param {{variant: Variant, table: Table|null, edited: Edited|null}} props */
function Head({ variant, table, edited }) {
  if (!edited) {
    const picture = `/api/picture.svg?spec=${encodeURIComponent(table?.spec ?? variant.spec)}`;
    return html`<div class="setup-head">
      <img src=${picture} alt=${`Start position of ${table?.description.title ?? variant.label}`}
        width="112" height="112" />
      <div><h2>${variant.label}</h2><p class="soft small">${variant.sentence}</p></div>
    </div>`;
  }
  if (!table) return null;
  const { description } = table;
  const title = edited.map ? "Your map" : description.title;
  return html`<div class="setup-head">
    <div class="setup-thumbnail"><${Thumbnail} description=${description}
      position=${edited.position || description.start} label=${`Start position of ${title}`} /></div>
    <div><h2>${title}</h2>
      <p class="soft small">${edited.position ? "From the position that you set up." : description.sentence}</p>
      <p class="small">
        <a href=${edited.map && !edited.position ? "/editor?mode=map" : "/editor"}>Back to the editor</a></p>
    </div>
  </div>`;
}

/**
 * @param {{variant: Variant, spec: string, values: Values, onValues: (values: Values) => void,
 *   edited: Edited|null}} props
 */
export function Setup({ variant, spec, values, onValues, edited }) {
  const { isBusy, problem, run } = useAction();
  const table = useSignal(/** @type {Table|null} */ (null));
  const seats = useSignal(/** @type {Seat[]} */ ([]));
  const time = useSignal(readTime(load("time")));
  const isRandom = useSignal(false);
  useEffect(() => {
    const stop = new AbortController();
    fetchTable(spec, edited, stop.signal).then(([description, players]) => {
      const found = { description, spec, players: players.filter(({ unsuited }) => !unsuited) };
      seats.value = seated(seats.value, found);
      table.value = found;
      problem.value = "";
    }, (error) => { if (!stop.signal.aborted) problem.value = sentenceOf(error); });
    return () => stop.abort();
  }, [spec, edited]);
  const now = table.value;
  // While another game is being fetched, the seats shown are still those of the one before.
  const isReady = now !== null && (edited !== null || now.spec === spec);
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isReady) return;
    save("time", time.value);
    const order = isRandom.value ? shuffled(seats.value) : seats.value;
    run(() => startGame(edited ?? { spec }, order, now.players, limitText(time.value)));
  };
  const kinds = new Set(seats.value.map(({ kind }) => kind));
  const verb = kinds.has("friend") ? "Play with friends" : kinds.has("me") || !now ? "Play" : "Start and watch";
  return html`
    <form class="setup panel stack" onSubmit=${start} aria-label="Your game">
      <${Head} variant=${variant} table=${now} edited=${edited} />
      ${!edited && variant.options.length > 0 && html`
        <details open=${Object.keys(values).length > 0}><summary>Options for this variant</summary>
          <${OptionFields} options=${variant.options} values=${values} onChange=${onValues} /></details>`}
      ${now && html`
        <${Seats} paints=${now.description.plan.seats} seats=${seats.value} players=${now.players}
          onChange=${(/** @type {Seat[]} */ changed) => { seats.value = changed; }} />`}
      <${Checkbox} label="Assign the seats at random" checked=${isRandom.value}
        onChange=${(/** @type {boolean} */ checked) => { isRandom.value = checked; }} />
      <${Limits} time=${time.value}
        onChange=${(/** @type {typeof time.value} */ changed) => { time.value = changed; }} />
      <label class="field"><span>Your name</span>
        <input maxlength="40" autocomplete="nickname" placeholder=${common.guest} value=${name.value}
          onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
      <${Alert} text=${problem.value} />
      <button class="button primary big" disabled=${isBusy.value || !isReady}>
        ${isBusy.value ? "Starting…" : verb}</button>
    </form>`;
}
