/** The set-up of a game, in a dialog over the gallery: seats, time and options, and the button to play always in sight. */
import { get, post, Problem, sentenceOf, useAction } from "../../app/api.js";
import { valueOf } from "../../app/dom.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { firstOpponent, playersFor, startGame } from "../../app/new-game.js";
import { name } from "../../app/settings.js";
import { readSpec, specOf } from "../../app/specs.js";
import { load, save } from "../../app/storage.js";
import { OptionFields, possibleValues } from "../../components/forms.js";
import { IconButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { RulesButton } from "../../components/rules.js";
import { Thumbnail } from "../../components/thumbnail.js";
import { pictureOf } from "../../components/variant-card.js";
import { Limits, limitText, readTime, Seats } from "./seats.js";

/** @import { Edited, Seat } from "../../app/new-game.js" */
/** @import { Description, PlayerInfo, Variant } from "../../app/types.js" */
/** @import { Values } from "../../app/specs.js" */

/** @typedef {{description: Description, players: PlayerInfo[], spec: string}} Table a game and who plays it */

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
 * Fetches the board of a game and the players for it.
 * @param {string} spec
 * @param {Edited|null} edited
 * @param {AbortSignal} stop
 * @returns {Promise<[Description, PlayerInfo[]]>}
 */
async function fetchTable(spec, edited, stop) {
  if (!edited) return Promise.all([get(`/api/board?spec=${encodeURIComponent(spec)}`, stop), playersFor(spec, stop)]);
  const { description, problem } = await post("/api/check", edited);
  if (problem) throw new Problem(problem);
  const players = /** @type {PlayerInfo[]} */ (await post("/api/players", { spec: edited.spec ?? "", map: edited.map ?? "" }));
  return [description, players.filter(({ unsuited }) => !unsuited)];
}

/** The game to be played, with a picture of its start. @param {{variant: Variant, table: Table|null, edited: Edited|null}} props */
function Head({ variant, table, edited }) {
  const description = table?.description;
  if (!edited) {
    return html`
      <img class="setup-picture" src=${pictureOf(table?.spec ?? variant.spec)} alt=${t("Start position")} width="104" height="104" />
      <div class="stack tight"><h2 id="setup-title" tabindex="-1">${t(variant.label)}</h2>
        <p>${t(description?.goal ?? variant.goal)}</p><p class="soft small">${t(variant.sentence)}</p>
        <div><${RulesButton} spec=${table?.spec ?? variant.spec} look="quiet setup-rules" /></div></div>`;
  }
  const title = edited.map ? t("Your map") : t(description?.title ?? "");
  return html`
    <div class="setup-picture">${description && html`<${Thumbnail} description=${description}
      position=${edited.position || description.start} label=${t("Start position")} />`}</div>
    <div class="stack tight"><h2 id="setup-title" tabindex="-1">${title}</h2>
      <p class="soft small">${edited.position ? t("From the position that you set up.") : t(description?.sentence ?? "")}</p>
      <p class="small">
        <a href=${edited.map && !edited.position ? "/editor?mode=map" : "/editor"}>${t("Back to the editor")}</a></p>
    </div>`;
}

/** The options with which a variant was played last, if these are still options of it. @param {Variant} variant */
function lastValues(variant) {
  const last = readSpec(load("spec") ?? "", [variant]);
  return last.name === variant.name ? last.values : {};
}

/** What the button says: the first that applies to who plays. @type {(seats: Seat[], isLoaded: boolean) => string} */
function verbFor(seats, isLoaded) {
  const kinds = new Set(seats.map(({ kind }) => kind));
  if (kinds.has("friend")) return t("Play with friends");
  return kinds.has("me") || !isLoaded ? t("Play") : t("Start and watch");
}

/** What a game of this specification is played on, and who sits where. @type {(spec: string, edited: Edited|null, onProblem: (sentence: string) => void) => {table: import("../../app/html.js").Signal<Table|null>, seats: import("../../app/html.js").Signal<Seat[]>}} */
function useTable(spec, edited, onProblem) {
  const table = useSignal(/** @type {Table|null} */ (null));
  const seats = useSignal(/** @type {Seat[]} */ ([]));
  useEffect(() => {
    const stop = new AbortController();
    fetchTable(spec, edited, stop.signal).then(([description, players]) => {
      const found = { description, spec, players };
      seats.value = seated(seats.value, found);
      table.value = found;
      onProblem("");
    }, (error) => {
      if (stop.signal.aborted) return;
      onProblem(sentenceOf(error));
    });
    return () => stop.abort();
  }, [spec, edited]);
  return { table, seats };
}

/**
 * The dialog. `given` are values of options that the address asks for.
 * @param {{variant: Variant, edited: Edited|null, given: Values, onClose: () => void}} props
 */
export function Setup({ variant, edited, given, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const { isBusy, problem, run } = useAction();
  const values = useSignal(possibleValues(variant.options, Object.keys(given).length ? given : lastValues(variant)));
  const time = useSignal(readTime(load("time")));
  const isRandom = useSignal(false);
  const spec = specOf(variant.name, variant.options, values.value);
  const { table, seats } = useTable(spec, edited, (sentence) => { problem.value = sentence; });
  useLayoutEffect(() => {
    dialog.current?.showModal();
    document.getElementById("setup-title")?.focus();    // and not the button that closes it
    return () => dialog.current?.close();
  }, []);
  const now = table.value;
  // While another game is being fetched, the seats shown are still those of the one before.
  const isReady = now !== null && (edited !== null || now.spec === spec);
  const start = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (!isReady) return;
    const order = isRandom.value ? shuffled(seats.value) : seats.value;
    run(async () => {
      await startGame(edited ?? { spec }, order, now.players, limitText(time.value));
      save("time", time.value);
      if (!edited) save("spec", spec);
    });
  };
  return html`
    <dialog ref=${dialog} class="setup" aria-labelledby="setup-title"
        onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); onClose(); }}
        onClick=${(/** @type {MouseEvent} */ event) => { if (event.target === dialog.current) onClose(); }}>
      <form onSubmit=${start} aria-label=${t("Your game")}>
        <header class="setup-head"><${Head} variant=${variant} table=${now} edited=${edited} />
          <${IconButton} icon="close" look="quiet setup-close" label=${t("Close")} onClick=${onClose} /></header>
        <div class="setup-body stack">
          ${now && html`
            <${Seats} paints=${now.description.plan.seats} seats=${seats.value} players=${now.players}
              isRandom=${isRandom.value} onRandom=${(/** @type {boolean} */ checked) => { isRandom.value = checked; }}
              onChange=${(/** @type {Seat[]} */ changed) => { seats.value = changed; }} />`}
          ${!edited && variant.options.length > 0 && html`
            <details class="setup-options" open=${Object.keys(values.value).length > 0}>
              <summary>${t("Options for this variant")}</summary>
              <${OptionFields} options=${variant.options} values=${values.value}
                pictureOf=${(/** @type {Values} */ wanted) => pictureOf(specOf(variant.name, variant.options, wanted))}
                onChange=${(/** @type {Values} */ changed) => { values.value = changed; }} /></details>`}
          <${Limits} time=${time.value}
            onChange=${(/** @type {typeof time.value} */ changed) => { time.value = changed; }} />
          <label class="field"><span>${t("Your name")}</span>
            <input maxlength="40" autocomplete="nickname" placeholder=${t("Guest")} value=${name.value}
              onInput=${(/** @type {Event} */ event) => { name.value = valueOf(event); }} /></label>
        </div>
        <footer class="setup-foot stack tight">
          <${Alert} text=${problem.value} look="small" />
          <button class="button primary big" disabled=${isBusy.value || !isReady}>
            ${isBusy.value ? t("Starting…") : verbFor(seats.value, now !== null)}</button>
        </footer>
      </form>
    </dialog>`;
}
