/** The games of a report: a list to search in, and a board on which each can be gone through. */

/**
 * What is known of a board: the names of its seats and cells, where cells lie, and which of them are linked.
 *
 * @typedef {{seats: string[], cells: string[], x: number[], y: number[], links: [number, number][]}} Board
 */
/**
 * A game as it stands in the data: id, round, variant, seating, scores, points, reason, start, moves, thousandths of
 * a second of each move, failures with their seats, and disqualifications as moves before and seat.
 *
 * @typedef {[string, number, number, number[], number[], number[], string, number, string, string,
 *   [number, string][], [number, number][]]} Row
 */
/**
 * A position of a game, and the move that led to it: by which seat, to which cell, what it turned, and its name.
 *
 * @typedef {{tiles: Uint8Array, seat: number, cell: number, turned: number[], name: string}} Step
 */

const SVG = "http://www.w3.org/2000/svg";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
/** Games that the list shows at once. */
const SHOWN = 100;
/** Characters of a failure in the list. */
const LONGEST = 60;
/** Milliseconds for which a position is shown while a game plays by itself. */
const PACE = 600;
const EMPTY = "0".charCodeAt(0);
const HOLE = "-".charCodeAt(0);

/** @type {{names: string[], variants: string[], boards: Board[], games: Row[], starts: string[]}} */
const data = JSON.parse(element("data").textContent || "");

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function element(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * A new element; words are words, whatever characters they have.
 *
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} content
 */
function make(tag, attributes = {}, ...content) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...content);
  return made;
}

/**
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 */
function draw(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** The names of those in a game, the winners bold. @param {Row} game */
function seats([, , , seating, , points]) {
  const best = Math.max(...points);
  const wins = points.filter((one) => one === best).length < points.length;
  return seating.flatMap((entrant, seat) => {
    const name = make("bdi", {}, data.names[entrant]);
    const shown = wins && points[seat] === best ? make("b", {}, name) : name;
    return seat ? [" – ", shown] : [shown];
  });
}

/** Where a game is opened. @param {string} id */
const address = (id) => `#game/${encodeURIComponent(id).replaceAll("%2F", "/")}`;

/* The list */

const form = /** @type {HTMLFormElement} */ (document.querySelector(".filters"));
const body = /** @type {HTMLElement} */ (document.querySelector(".list tbody"));
const more = element("more");
/** Games in the order of their rounds, that the filters let through. @type {Row[]} */
let found = [];
let shown = 0;

const ordered = data.games
  .map((game) => ({ game, parts: game[0].split(/\D+/).map(Number) }))
  .sort((one, other) => {
    const place = one.parts.findIndex((part, index) => part !== other.parts[index]);
    return place < 0 ? 0 : one.parts[place] - (other.parts[place] ?? -1);
  })
  .map(({ game }) => game);

/** What is searched in. @type {Map<Row, string>} */
const words = new Map();

/** @param {Row} game */
function searched(game) {
  let text = words.get(game);
  if (text === undefined) {
    const [id, round, variant, seating, scores, , reason, , , , failures] = game;
    const parts = [id, `round ${round}`, data.variants[variant], ...seating.map((entrant) => data.names[entrant]),
      scores.join("–"), reason, ...failures.map(([, told]) => told)];
    words.set(game, (text = parts.join(" ").toLowerCase()));
  }
  return text;
}

/** @param {string} name */
function field(name) {
  return /** @type {HTMLInputElement|HTMLSelectElement} */ (form.elements.namedItem(name));
}

function search() {
  const wanted = field("words").value.toLowerCase().split(/\s+/).filter(Boolean);
  const who = [field("entrant").value, field("other").value].filter(Boolean).map(Number);
  const failed = /** @type {HTMLInputElement} */ (field("failed")).checked;
  found = ordered.filter((game) =>
    who.every((entrant) => game[3].includes(entrant)) && (!failed || game[10].length > 0)
    && wanted.every((word) => searched(game).includes(word)));
  shown = 0;
  body.replaceChildren();
  const count = (/** @type {number} */ number) => number.toLocaleString("en");
  element("found").textContent = found.length === ordered.length
    ? `${count(found.length)} games` : `${count(found.length)} of ${count(ordered.length)} games`;
  show();
}

function show() {
  const next = found.slice(shown, shown + SHOWN);
  body.append(...next.map(row));
  shown += next.length;
  more.hidden = shown >= found.length;
}

/** @param {string} text */
const shortened = (text) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** @param {Row} game */
function row(game) {
  const [id, round, variant, , scores, , reason, , , , failures] = game;
  const told = shortened(failures.map(([, text]) => text).join("; "));
  return make("tr", {},
    make("th", { scope: "row" }, make("a", { href: address(id), "aria-label": `Open game ${id}` }, id)),
    make("td", { class: "number" }, String(round)),
    make("td", { class: "variant" }, data.variants[variant]),
    make("td", { class: "seats" }, ...seats(game)),
    make("td", { class: "number" }, scores.join("–")),
    make("td", told ? { class: "failed" } : {}, told || reason));
}

/* A game */

/** @param {Row} game @returns {Step[]} */
function replayed(game) {
  const board = data.boards[game[2]];
  let width = 1;
  while (ALPHABET.length ** width < board.cells.length) width += 1;
  const cellsOf = (/** @type {string} */ text) => {
    const cells = [];
    for (let at = 0; at < text.length; at += width) {
      cells.push([...text.slice(at, at + width)].reduce((sum, digit) => sum * 64 + ALPHABET.indexOf(digit), 0));
    }
    return cells;
  };
  let tiles = Uint8Array.from(data.starts[game[7]], (symbol) => symbol.charCodeAt(0));
  const steps = [{ tiles, seat: 0, cell: -1, turned: /** @type {number[]} */ ([]), name: "start" }];
  for (const word of game[8].split(" ").filter(Boolean)) {
    const [changes, said] = word.split("=");
    const [own, ...others] = changes.split(",");
    const [cell, ...turned] = cellsOf(own.slice(1));
    tiles = tiles.slice();
    if (cell !== undefined) for (const one of [cell, ...turned]) tiles[one] = own.charCodeAt(0);
    for (const other of others) {
      const [place] = cellsOf(other.slice(1));
      tiles[place] = other.charCodeAt(0);
      if (place !== cell) turned.push(place);
    }
    const name = cell === undefined ? "pass" : board.cells[cell] + (said ?? "");
    steps.push({ tiles, seat: Number(own[0]), cell: cell ?? -1, turned, name });
  }
  return steps;
}

/** The board of a game that is open. */
class View {
  /** @type {(SVGElement|null)[]} */
  #nodes;
  #drawn;

  /** @param {number} variant */
  constructor(variant) {
    this.variant = variant;
    this.board = data.boards[variant];
    const model = /** @type {HTMLTemplateElement} */ (element(`board-${variant}`)).content.querySelector("svg");
    this.svg = /** @type {SVGSVGElement} */ (model?.cloneNode(true));
    const layer = (/** @type {string} */ name) => /** @type {SVGGElement} */ (this.svg.querySelector(`.${name}`));
    this.specials = layer("board-specials");
    this.stones = layer("board-stones");
    this.marks = layer("board-marks");
    this.links = [...(layer("pv-transitions")?.children ?? [])];
    this.#nodes = this.board.cells.map(() => null);
    this.#drawn = new Uint8Array(this.board.cells.length).fill(EMPTY);
  }

  /** @param {Step} step */
  show({ tiles, cell, turned }) {
    tiles.forEach((tile, place) => {
      if (tile !== this.#drawn[place]) this.#put(place, tile);
    });
    this.links.forEach((link, index) => {
      const gone = this.board.links[index].some((end) => tiles[end] === HOLE);
      link.setAttribute("visibility", gone ? "hidden" : "visible");
    });
    const ring = (/** @type {number} */ place, /** @type {object} */ look) =>
      draw("circle", { cx: this.board.x[place], cy: this.board.y[place], r: 18, ...look });
    const thin = { "stroke-width": 2.5, "stroke-dasharray": "4 3" };
    const rings = turned.filter((place) => tiles[place] !== HOLE).map((place) => ring(place, thin));
    this.marks.replaceChildren(...(cell < 0 ? rings : [...rings, ring(cell, { "stroke-width": 3.5 })]));
  }

  /** A seat's stone by itself. @param {number} seat */
  stone(seat) {
    const svg = draw("svg", { viewBox: "-18 -18 36 36", class: "stone", "aria-hidden": "true" });
    svg.append(draw("use", { href: `#t${this.variant}-${seat}` }));
    return svg;
  }

  /**
   * @param {number} place
   * @param {number} tile
   */
  #put(place, tile) {
    this.#nodes[place]?.remove();
    this.#nodes[place] = null;
    this.#drawn[place] = tile;
    if (tile === EMPTY) return;
    const symbol = String.fromCharCode(tile);
    const href = `#t${this.variant}-${symbol}`;
    const node = /** @type {SVGElement} */ (draw("use", { href, x: this.board.x[place], y: this.board.y[place] }));
    (symbol >= "1" && symbol <= "8" ? this.stones : this.specials).append(node);
    this.#nodes[place] = node;
  }
}

const viewer = /** @type {HTMLDialogElement} */ (element("viewer"));
const slider = /** @type {HTMLInputElement} */ (element("viewer-place"));
/** @type {{game: Row, steps: Step[], view: View, place: number}|null} */
let current = null;
let timer = 0;

/** @param {Row} game */
function open(game) {
  pause();
  const [id, , variant, , scores, points, reason, , , times, failures, disqualified] = game;
  const steps = replayed(game);
  const view = new View(variant);
  current = { game, steps, view, place: 0 };
  element("viewer-heading").replaceChildren(`Game ${id}: `, ...seats(game));
  element("viewer-about").textContent =
    `${data.variants[variant]} · ${scores.join("–")} stones · ${points.join("–")} points · ${reason}`;
  element("viewer-board").replaceChildren(view.svg);
  const wide = view.svg.viewBox.baseVal;
  element("viewer-board").classList.toggle("large", Math.max(wide.width, wide.height) > 900);
  listMoves(steps, view, times.split(" "), disqualified);
  listFailures(game, failures);
  slider.max = String(steps.length - 1);
  if (!viewer.open) viewer.showModal();
  go(failures.length ? steps.length - 1 : 0);
}

/**
 * @param {Step[]} steps
 * @param {View} view
 * @param {string[]} times
 * @param {[number, number][]} disqualified
 */
function listMoves(steps, view, times, disqualified) {
  const out = (/** @type {number} */ ply) => disqualified.filter(([after]) => after === ply)
    .map(([, seat]) => make("small", { class: "failed" }, ` seat ${seat} out`));
  const items = steps.slice(1).map(({ seat, name }, index) => {
    const spent = times[index] ? [make("small", {}, duration(Number(times[index])))] : [];
    const button = make("button", { type: "button", tabindex: -1, "data-place": index + 1 }, view.stone(seat), name);
    return make("li", {}, button, ...spent, ...out(index + 1));
  });
  element("viewer-moves").replaceChildren(...items);
}

/** @param {number} thousandths */
function duration(thousandths) {
  return thousandths < 100 ? `${thousandths} ms` : `${(thousandths / 1000).toFixed(thousandths < 10_000 ? 2 : 1)} s`;
}

/**
 * @param {Row} game
 * @param {[number, string][]} failures
 */
function listFailures([id, , , seating], failures) {
  const parts = failures.map(([seat, told]) => {
    const written = output(`${id} ${seat}`);
    const name = make("bdi", {}, data.names[seating[seat - 1]]);
    const last = written ? [make("p", {}, "It wrote last:"), make("pre", { tabindex: 0 }, written)] : [];
    return make("div", {}, make("p", { class: "failed" }, name, `, ${told}`), ...last);
  });
  element("viewer-failures").replaceChildren(...parts);
}

/** What the bot in a seat of a game wrote last, as it stands among the failures. @param {string} place @returns {string} */
function output(place) {
  const node = /** @type {HTMLElement|null} */ (document.querySelector(`[data-of="${CSS.escape(place)}"]`));
  return node?.dataset.as ? output(node.dataset.as) : node?.textContent ?? "";
}

/** Shows the position after so many moves. @param {number} place */
function go(place) {
  if (!current) return;
  const { game, steps, view } = current;
  current.place = place = Math.max(0, Math.min(place, steps.length - 1));
  const step = steps[place];
  view.show(step);
  slider.value = String(place);
  const counts = view.board.seats.map((_, seat) => step.tiles.filter((tile) => tile === EMPTY + seat + 1).length);
  const next = steps[place + 1]?.seat;
  element("viewer-seats").replaceChildren(...game[3].map((entrant, seat) =>
    make("li", seat + 1 === next ? { class: "next" } : {}, view.stone(seat + 1),
      make("bdi", {}, data.names[entrant]), make("b", {}, String(counts[seat])))));
  const by = step.seat ? ` by ${view.board.seats[step.seat - 1]}` : "";
  const said = `Move ${place} of ${steps.length - 1}: ${step.name}${by}`;
  element("viewer-said").textContent = said;
  slider.setAttribute("aria-valuetext", said);
  const standing = view.board.seats.map((name, seat) => `${name} ${counts[seat]}`).join(", ");
  view.svg.setAttribute("aria-label", `Board after ${said}. ${standing}`);
  mark(place);
  for (const [name, off] of /** @type {[string, boolean][]} */ ([["first", place === 0], ["back", place === 0],
    ["on", !next], ["last", !next]])) button(name).setAttribute("aria-disabled", String(off));
}

/** Marks a move in the list and scrolls the list to it, never the page. @param {number} place */
function mark(place) {
  const list = element("viewer-moves");
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = /** @type {HTMLElement|undefined} */ (list.children[place - 1]);
  item?.firstElementChild?.setAttribute("aria-current", "step");
  list.scrollTop = item ? item.offsetTop - list.offsetTop - list.clientHeight / 2 : 0;
}

/** @param {string} name */
function button(name) {
  return /** @type {HTMLButtonElement} */ (viewer.querySelector(`[data-do="${name}"]`));
}

function pause() {
  clearInterval(timer);
  timer = 0;
  button("play").setAttribute("aria-label", "Play");
}

function play() {
  if (timer || !current) return pause();
  if (current.place === current.steps.length - 1) go(0);
  button("play").setAttribute("aria-label", "Pause");
  timer = setInterval(() => {
    if (!current || current.place >= current.steps.length - 1) pause();
    else go(current.place + 1);
  }, PACE);
}

/** Opens the game before or after this one in the list. @param {number} step */
function another(step) {
  if (!current) return;
  const list = found.includes(current.game) ? found : ordered;
  const game = list[list.indexOf(current.game) + step];
  if (game) location.replace(address(game[0]));
}

/** @type {Record<string, () => void>} */
const deeds = {
  first: () => go(0),
  back: () => go((current?.place ?? 0) - 1),
  on: () => go((current?.place ?? 0) + 1),
  last: () => go(Infinity),
  play,
  earlier: () => another(-1),
  later: () => another(1),
  close: () => viewer.close(),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", PageUp: "earlier", PageDown: "later",
  p: "play", P: "play" };

function follow() {
  const id = location.hash.startsWith("#game/") ? decodeURIComponent(location.hash.slice(6)) : "";
  const game = data.games.find((one) => one[0] === id);
  if (game) open(game);
  else if (viewer.open) viewer.close();
}

function begin() {
  for (const name of ["entrant", "other"]) {
    field(name).append(...data.names.map((who, entrant) => make("option", { value: entrant }, who)));
  }
  /** @type {HTMLElement} */ (document.querySelector(".list")).hidden = false;
  element("games").classList.toggle("single", data.variants.length === 1);
  form.addEventListener("input", search);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", show);
  slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
  viewer.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target).closest("button");
    if (!target) return;
    const deed = target.dataset.do ?? "";
    if (deed !== "play") pause();
    if (target.dataset.place) go(Number(target.dataset.place));
    else deeds[deed]?.();
  });
  viewer.addEventListener("keydown", (event) => {
    const deed = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey || event.target === slider) return;
    event.preventDefault();
    if (deed !== "play") pause();
    deeds[deed]();
  });
  viewer.addEventListener("close", () => {
    pause();
    current = null;
    history.replaceState(null, "", location.pathname + location.search);
  });
  document.querySelector(".cross")?.addEventListener("click", (event) => {
    const pair = /** @type {HTMLElement|null} */ (/** @type {Element} */ (event.target).closest("td"))?.dataset.pair;
    if (!pair) return;
    [field("entrant").value, field("other").value] = pair.split(" ");
    search();
    element("games").scrollIntoView();
  });
  addEventListener("hashchange", follow);
  search();
  follow();
}

begin();

export {};
