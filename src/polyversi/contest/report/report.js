/** The games of a report: a list to search in, and the page's own board and replay to go through each. */
import { computed, html, render, signal, useEffect, useLayoutEffect, useRef } from "../../page/app/html.js";
import { valueOf } from "../../page/app/dom.js";
import { ZoomableBoard } from "../../page/components/board.js";
import { Checkbox, Select } from "../../page/components/forms.js";
import { IconButton, Stone } from "../../page/components/icons.js";
import { Replay, Steps } from "../../page/components/replay.js";

/** @import { Plan } from "../../page/board/config.js" */

/**
 * A game: who sat where by the numbers of the entrants, what changed with each move (as replay.py writes it),
 * failures with their seats, and disqualifications as moves before and seat.
 * @typedef {object} Game
 * @property {string} id
 * @property {number} round
 * @property {number} variant
 * @property {number[]} seating
 * @property {number[]} scores
 * @property {number[]} points
 * @property {string} reason
 * @property {number} start
 * @property {string} moves
 * @property {string} seconds
 * @property {[seat: number, detail: string][]} failures
 * @property {[after: number, seat: number][]} out
 */
/**
 * A position, and the move that led to it.
 * @typedef {{tiles: number[], seat: number, cell: number, turned: number[], name: string, seconds: string}} Step
 */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
/** Games that the list shows at once. */
const SHOWN = 100;
/** Characters of a failure in the list. */
const MAX_DETAIL = 60;

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * @type {{names: string[], variants: string[], boards: Plan[], symbols: Record<string, number>, tiles: Record<number, string>, fields: string[],
 *   games: unknown[][], starts: string[]}}
 */
const data = JSON.parse(element("data").textContent ?? "");

const { compare } = new Intl.Collator("en", { numeric: true });
/** All games in the order of their rounds. */
const games = data.games
  .map((row) => /** @type {Game} */ (/** @type {unknown} */ (Object.fromEntries(data.fields.map((name, at) => [name, row[at]])))))
  .sort((one, other) => compare(one.id, other.id));

/** The names of those in a game, the winners bold. @param {{game: Game}} props */
function Seats({ game: { seating, points } }) {
  const best = Math.max(...points);
  const isWon = points.some((one) => one !== best);
  return seating.map((entrant, seat) => {
    const name = html`<bdi>${data.names[entrant]}</bdi>`;
    return html`${seat ? " – " : ""}${isWon && points[seat] === best ? html`<b>${name}</b>` : name}`;
  });
}

/** Where a game is opened. @param {Game} game */
const address = ({ id }) => `#game/${encodeURIComponent(id).replaceAll("%2F", "/")}`;

/* The list */

const filter = signal({ words: "", entrant: "", other: "", failed: false });
const shown = signal(SHOWN);

/** What is searched in, made when it is first needed. */
const texts = computed(() => new Map(games.map((game) => {
  const { id, round, variant, seating, scores, reason, failures } = game;
  const words = [id, `round ${round}`, data.variants[variant], ...seating.map((entrant) => data.names[entrant]),
    scores.join("–"), reason, ...failures.map(([, detail]) => detail)];
  return [game, words.join(" ").toLowerCase()];
})));

const found = computed(() => {
  const { words, entrant, other, failed } = filter.value;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const who = [entrant, other].filter(Boolean).map(Number);
  return games.filter((game) => who.every((one) => game.seating.includes(one)) && (!failed || game.failures.length > 0)
    && wanted.every((word) => texts.value.get(game)?.includes(word)));
});

/** @param {Partial<typeof filter.value>} change */
function search(change) {
  filter.value = { ...filter.value, ...change };
  shown.value = SHOWN;
}

/** @param {{label: string, name: "entrant"|"other"}} props */
function EntrantField({ label, name }) {
  return html`<${Select} label=${label} value=${filter.value[name]} options=${{ ...data.names }}
    onChange=${(/** @type {string} */ entrant) => search({ [name]: entrant })}><option value="">all</option><//>`;
}

/** @param {{game: Game}} props */
function Row({ game }) {
  const detail = game.failures.map(([, text]) => text).join("; ");
  return html`<tr>
    <th scope="row"><a href=${address(game)} aria-label=${`Open game ${game.id}`}>${game.id}</a></th>
    <td class="number">${game.round}</td>
    ${data.variants.length > 1 && html`<td class="variant">${data.variants[game.variant]}</td>`}
    <td class="seats"><${Seats} game=${game} /></td>
    <td class="number">${game.scores.join("–")}</td>
    <td class=${detail ? "failed" : ""}>${detail.length > MAX_DETAIL ? `${detail.slice(0, MAX_DETAIL - 1)}…` : detail || game.reason}</td>
  </tr>`;
}

function List() {
  const count = (/** @type {number} */ number) => number.toLocaleString("en");
  const [some, all] = [found.value.length, games.length];
  return html`
    <form class="filters" role="search" aria-label="Find games" onSubmit=${(/** @type {Event} */ event) => event.preventDefault()}>
      <label class="field"><span>Search</span>
        <input type="search" placeholder="name, number, reason" value=${filter.value.words}
        onInput=${(/** @type {Event} */ event) => search({ words: valueOf(event) })} /></label>
      <${EntrantField} label="Entrant" name="entrant" />
      <${EntrantField} label="against" name="other" />
      <${Checkbox} label="only with failures" checked=${filter.value.failed}
        onChange=${(/** @type {boolean} */ failed) => search({ failed })} />
    </form>
    <p class="note" id="found" role="status">${some === all ? `${count(all)} games` : `${count(some)} of ${count(all)} games`}</p>
    <div class="scroll" role="group" aria-label="Games" tabindex="0">
      <table class="list">
        <caption class="visually-hidden">Games; the link in a row opens the game</caption>
        <thead><tr><th scope="col">Game</th><th scope="col" class="number">Round</th>
          ${data.variants.length > 1 && html`<th scope="col">Variant</th>`}
          <th scope="col">Seats</th><th scope="col" class="number">Stones</th><th scope="col">Ended by</th></tr></thead>
        <tbody>${found.value.slice(0, shown.value).map((game) => html`<${Row} key=${game.id} game=${game} />`)}</tbody>
      </table>
    </div>
    ${shown.value < some && html`
      <button type="button" class="button" onClick=${() => { shown.value += SHOWN; }}>Show more games</button>`}`;
}

/* A game */

/** @param {Game} game @returns {Step[]} */
function replayed(game) {
  const { names } = data.boards[game.variant];
  let width = 1;
  while (DIGITS.length ** width < names.length) width += 1;
  const cellsOf = (/** @type {string} */ text) => {
    const cells = [];
    for (let at = 0; at < text.length; at += width) {
      cells.push([...text.slice(at, at + width)].reduce((sum, digit) => sum * 64 + DIGITS.indexOf(digit), 0));
    }
    return cells;
  };
  const seconds = game.seconds.split(" ");
  let tiles = Array.from(data.starts[game.start], (symbol) => data.symbols[symbol]);
  const steps = [{ tiles, seat: 0, cell: -1, turned: /** @type {number[]} */ ([]), name: "start", seconds: "" }];
  for (const word of game.moves.split(" ").filter(Boolean)) {
    const [changes, said] = word.split("=");
    const [own, ...others] = changes.split(",");
    const seat = Number(own[0]);
    const [cell = -1, ...turned] = cellsOf(own.slice(1));
    tiles = [...tiles];
    if (cell >= 0) for (const one of [cell, ...turned]) tiles[one] = seat;
    for (const other of others) {
      const [place] = cellsOf(other.slice(1));
      tiles[place] = data.symbols[other[0]];
      if (place !== cell) turned.push(place);
    }
    const name = cell < 0 ? "pass" : names[cell] + (said ?? "");
    steps.push({ tiles, seat, cell, turned, name, seconds: seconds[steps.length - 1] ?? "" });
  }
  return steps;
}

/** A game that is open, as the page's replay wants it. */
class Opened {
  /** @param {Game} game */
  constructor(game) {
    this.game = game;
    this.board = data.boards[game.variant];
    this.seats = this.board.seats.map(({ name }) => name);
    this.steps = replayed(game);
    this.plies = signal(this.steps.slice(1));
    this.viewedPly = signal(game.failures.length ? this.plies.value.length : 0);
    /** The words for a cell. */
    this.label = (/** @type {number} */ cell, /** @type {number} */ tile) =>
      `${this.board.names[cell]}, ${this.seats[tile - 1] ?? data.tiles[tile]}`;
  }

  /** @param {number} ply */
  goTo(ply) {
    this.viewedPly.value = Math.max(0, Math.min(ply, this.plies.value.length));
  }
}

const current = signal(/** @type {Opened|null} */ (null));

/** What the bot in a seat of a game wrote last, as it stands among the failures. @param {string} place @returns {string} */
function output(place) {
  const node = /** @type {HTMLElement|null} */ (document.querySelector(`[data-of="${CSS.escape(place)}"]`));
  return node?.dataset.as ? output(node.dataset.as) : node?.textContent ?? "";
}

/** @param {string} thousandths */
function duration(thousandths) {
  const number = Number(thousandths);
  return number < 100 ? `${number} ms` : `${(number / 1000).toFixed(number < 10_000 ? 2 : 1)} s`;
}

/** The moves; the list scrolls to the one that is shown, never the page. @param {{opened: Opened}} props */
function Moves({ opened }) {
  const list = useRef(/** @type {HTMLOListElement|null} */ (null));
  const at = opened.viewedPly.value;
  useEffect(() => {
    const item = /** @type {HTMLElement|undefined} */ (list.current?.children[at - 1]);
    if (list.current) list.current.scrollTop = item ? item.offsetTop - list.current.clientHeight / 2 : 0;
  }, [opened, at]);
  return html`<ol id="viewer-moves" aria-label="Moves" ref=${list}>
    ${opened.plies.value.map(({ seat, name, seconds }, index) => html`<li key=${index}>
      <button type="button" tabindex="-1" aria-current=${index + 1 === at ? "step" : undefined}
        onClick=${() => opened.goTo(index + 1)}><${Stone} paint=${opened.board.seats[seat - 1]} size=${16} /><span>${name}</span></button>
      ${seconds && html`<small>${duration(seconds)}</small>`}
      ${opened.game.out.filter(([after]) => after === index + 1).map(([, who]) => html`<small class="failed"> seat ${who} out</small>`)}
    </li>`)}</ol>`;
}

/** @param {{opened: Opened}} props */
function Failures({ opened: { game } }) {
  return html`<div id="viewer-failures">${game.failures.map(([seat, detail]) => {
    const written = output(`${game.id} ${seat}`);
    return html`<p class="failed"><bdi>${data.names[game.seating[seat - 1]]}</bdi>, ${detail}</p>
      ${written && html`<p>It wrote last:</p><pre tabindex="0">${written}</pre>`}`;
  })}</div>`;
}

/** @param {{opened: Opened}} props */
function Opening({ opened }) {
  const { game, board, seats, steps } = opened;
  const step = steps[opened.viewedPly.value];
  const next = steps[opened.viewedPly.value + 1]?.seat;
  const said = `Move ${opened.viewedPly.value} of ${steps.length - 1}: ${step.name}${step.seat ? ` by ${seats[step.seat - 1]}` : ""}`;
  const config = { tiles: step.tiles, last: step.cell < 0 ? null : step.cell, turned: step.turned, label: opened.label,
    title: "Board" };
  return html`
    <p class="note">${data.variants[game.variant]} · ${game.scores.join("–")} stones · ${game.points.join("–")} points · ${game.reason}</p>
    <div class="stage">
      <div id="viewer-board"><${ZoomableBoard} key=${game.id} plan=${board} config=${config} /></div>
      <div class="side">
        <ol id="viewer-seats" aria-label="Seats">${game.seating.map((entrant, seat) => html`
          <li class=${seat + 1 === next ? "next" : ""}><${Stone} paint=${board.seats[seat]} />
            <bdi>${data.names[entrant]}</bdi><b>${step.tiles.filter((tile) => tile === seat + 1).length}</b></li>`)}</ol>
        <${Replay} model=${opened} />
        <${Steps} model=${opened} />
        <p id="viewer-said" class="soft" role="status">${said}</p>
        <${Moves} opened=${opened} />
        <${Failures} opened=${opened} />
      </div>
    </div>`;
}

/** Opens the game before or after this one in the list. @param {number} step */
function another(step) {
  const game = current.value?.game;
  if (!game) return;
  const list = found.value.includes(game) ? found.value : games;
  const wanted = list[list.indexOf(game) + step];
  if (wanted) location.replace(address(wanted));
}

/** @type {Record<string, (opened: Opened) => void>} */
const KEYS = {
  ArrowLeft: (opened) => opened.goTo(opened.viewedPly.value - 1),
  ArrowRight: (opened) => opened.goTo(opened.viewedPly.value + 1),
  Home: (opened) => opened.goTo(0),
  End: (opened) => opened.goTo(Infinity),
  PageUp: () => another(-1),
  PageDown: () => another(1),
};

/** @param {KeyboardEvent} event */
function press(event) {
  const act = KEYS[event.key];
  const isElsewhere = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey
    || /** @type {Element} */ (event.target).matches("input, select");
  if (!act || isElsewhere || !current.value) return;
  event.preventDefault();
  act(current.value);
}

function Viewer() {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const opened = current.value;
  useLayoutEffect(() => {
    if (opened && !dialog.current?.open) dialog.current?.showModal();
    else if (!opened && dialog.current?.open) dialog.current.close();
  }, [opened]);
  const closed = () => {
    current.value = null;
    history.replaceState(null, "", location.pathname + location.search);
  };
  return html`<dialog id="viewer" aria-labelledby="viewer-heading" ref=${dialog} onClose=${closed} onKeyDown=${press}>
    <div class="viewer-head">
      <h2 id="viewer-heading" tabindex="-1" autofocus>${opened && html`Game ${opened.game.id}: <${Seats} game=${opened.game} />`}</h2>
      <${IconButton} icon="up" label="Previous game" onClick=${() => another(-1)} />
      <${IconButton} icon="down" label="Next game" onClick=${() => another(1)} />
      <${IconButton} icon="close" label="Close" onClick=${() => dialog.current?.close()} />
    </div>
    ${opened && html`<${Opening} key=${opened.game.id} opened=${opened} />`}
  </dialog>`;
}

/** Opens the game that the address names. */
function follow() {
  const id = location.hash.startsWith("#game/") ? decodeURIComponent(location.hash.slice(6)) : "";
  const game = games.find((one) => one.id === id);
  current.value = game ? new Opened(game) : null;
}

document.querySelector(".cross")?.addEventListener("click", (event) => {
  const cell = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("td"));
  if (!cell?.dataset.pair) return;
  const [entrant, other] = cell.dataset.pair.split(" ");
  search({ entrant, other });
  element("games").scrollIntoView();
});
addEventListener("hashchange", follow);
element("list").replaceChildren();
render(html`<${List} />`, element("list"));
render(html`<${Viewer} />`, element("viewer-root"));
follow();
