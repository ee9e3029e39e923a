/** An XT map as data: its text, sides and transitions, and edits of many tiles at once. Maps are replaced, never changed. */

/**
 * One end of a transition: column, row and the direction through which it leaves.
 * @typedef {{x: number, y: number, direction: number}} Side
 */

/** @typedef {{from: Side, to: Side}} Transition */

/**
 * @typedef {object} Chart
 * @property {number} players
 * @property {number} overrides override stones each player begins with
 * @property {number} bombs bombs each player begins with
 * @property {number} radius how many steps a bomb reaches
 * @property {number} width
 * @property {number} height
 * @property {string} tiles a character for each place, row by row: `0`, `1` to `8`, `-`, `c`, `i`, `b` or `x`
 * @property {readonly Transition[]} transitions
 */

/** The bounds of a map's numbers, as the rules have them. @type {Record<string, [number, number]>} */
export const BOUNDS = {
  players: [2, 8],
  overrides: [0, 9999],
  bombs: [0, 9999],
  radius: [0, 255],
  width: [1, 50],
  height: [1, 50],
};

export const HOLE = "-";
export const FREE = "0";

/** (dx, dy) of the eight directions, clockwise from up. @type {readonly (readonly [number, number])[]} */
export const DIRECTIONS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];

/** The characters of the tiles, each at the place of its number. */
const SYMBOLS = "012345678-cibx";

/** The number of a tile's character; a hole for what is none. @param {string} symbol */
export function tileNumber(symbol) {
  const number = SYMBOLS.indexOf(symbol);
  return number < 0 ? SYMBOLS.indexOf(HOLE) : number;
}

/** The character of a tile's number. @param {number} tile */
export function tileSymbol(tile) {
  return SYMBOLS[tile] ?? HOLE;
}

/** A small map to begin with: two players, a cross of stones in the middle. @returns {Chart} */
export function firstChart() {
  const empty = blank({ players: 2, overrides: 1, bombs: 1, radius: 1, width: 10, height: 8, tiles: "", transitions: [] }, FREE);
  return [[4, 3, "1"], [5, 3, "2"], [4, 4, "2"], [5, 4, "1"]].reduce(
    (chart, [x, y, symbol]) => withTile(chart, Number(x), Number(y), String(symbol)),
    empty,
  );
}

/**
 * The same map with the same tile everywhere and no transition.
 * @param {Chart} chart
 * @param {string} symbol
 * @returns {Chart}
 */
export function blank(chart, symbol) {
  return { ...chart, tiles: symbol.repeat(chart.width * chart.height), transitions: [] };
}

/**
 * The character in column x and row y; a hole outside the map.
 * @param {Chart} chart
 * @param {number} x
 * @param {number} y
 */
export function tileAt(chart, x, y) {
  const within = x >= 0 && x < chart.width && y >= 0 && y < chart.height;
  return within ? chart.tiles[y * chart.width + x] ?? HOLE : HOLE;
}

/**
 * @param {Chart} chart
 * @param {number} x
 * @param {number} y
 * @param {string} symbol
 * @returns {Chart}
 */
function withTile(chart, x, y, symbol) {
  const at = y * chart.width + x;
  return { ...chart, tiles: chart.tiles.slice(0, at) + symbol + chart.tiles.slice(at + 1) };
}

/**
 * Whether a transition can begin here: on a tile, where a hole or the edge of the map lies beyond.
 * @param {Chart} chart
 * @param {Side} side
 */
export function isFreeSide(chart, side) {
  const step = DIRECTIONS[side.direction];
  if (!step || tileAt(chart, side.x, side.y) === HOLE) return false;
  return tileAt(chart, side.x + step[0], side.y + step[1]) === HOLE;
}

/**
 * @param {Side} one
 * @param {Side} other
 */
export function sameSide(one, other) {
  return one.x === other.x && one.y === other.y && one.direction === other.direction;
}

/**
 * The number of the transition that uses a side, or -1.
 * @param {Chart} chart
 * @param {Side} side
 */
export function transitionAt(chart, side) {
  return chart.transitions.findIndex(({ from, to }) => sameSide(from, side) || sameSide(to, side));
}

/**
 * The chart with one more transition, or null where the two sides cannot be joined.
 * @param {Chart} chart
 * @param {Side} from
 * @param {Side} to
 * @returns {Chart | null}
 */
export function join(chart, from, to) {
  const free = [from, to].every((side) => isFreeSide(chart, side) && transitionAt(chart, side) < 0);
  return free && !sameSide(from, to) ? { ...chart, transitions: [...chart.transitions, { from, to }] } : null;
}

/**
 * @param {Chart} chart
 * @param {number} number
 * @returns {Chart}
 */
export function withoutTransition(chart, number) {
  return { ...chart, transitions: chart.transitions.filter((_, at) => at !== number) };
}

/**
 * The chart without the transitions that its tiles no longer allow and the stones of players it no longer has.
 * @param {Chart} chart
 * @returns {Chart}
 */
export function tidy(chart) {
  const tiles = chart.tiles.replace(/[1-8]/g, (seat) => (Number(seat) > chart.players ? FREE : seat));
  const next = { ...chart, tiles };
  /** @type {Set<string>} */
  const used = new Set();
  const kept = next.transitions.filter(({ from, to }) => {
    const keys = [from, to].map(({ x, y, direction }) => `${x} ${y} ${direction}`);
    const fits = [from, to].every((side) => isFreeSide(next, side)) && !keys.some((key) => used.has(key)) && keys[0] !== keys[1];
    if (fits) keys.forEach((key) => used.add(key));
    return fits;
  });
  // The same list where nothing was removed, so that transitions are not drawn again.
  return kept.length === next.transitions.length ? next : { ...next, transitions: kept };
}

/** The map in its canonical writing, one row of tiles and one transition a line. @param {Chart} chart */
export function chartText(chart) {
  const rows = Array.from({ length: chart.height }, (_, y) =>
    [...chart.tiles.slice(y * chart.width, (y + 1) * chart.width)].join(" "));
  const joints = chart.transitions.map(({ from, to }) => `${sideText(from)} <-> ${sideText(to)}`);
  const head = [chart.players, chart.overrides, `${chart.bombs} ${chart.radius}`, `${chart.height} ${chart.width}`];
  return [...head, ...rows, ...joints].join("\n") + "\n";
}

/** @param {Side} side */
function sideText({ x, y, direction }) {
  return `${x} ${y} ${direction}`;
}

/**
 * The chart that a text describes, or null where it cannot be drawn; what is wrong with it is for the server to say.
 * @param {string} text
 * @returns {Chart | null}
 */
export function readChart(text) {
  const tokens = text.split(/[ \t\n\r\v\f]+/).filter(Boolean);
  const numbers = ["players", "overrides", "bombs", "radius", "height", "width"].map((name, at) => {
    const [low, high] = BOUNDS[name] ?? [0, 0];
    return wholeNumber(tokens[at], low, high);
  });
  if (numbers.some((number) => number === null)) return null;
  const [players, overrides, bombs, radius, height, width] = /** @type {[number, number, number, number, number, number]} */ (numbers);
  const tiles = tokens.slice(6, 6 + width * height);
  if (tiles.length < width * height) return null;
  if (!tiles.every((tile) => tile.length === 1 && SYMBOLS.includes(tile) && !(Number(tile) > players))) return null;
  const transitions = readTransitions(tokens.slice(6 + width * height));
  if (!transitions) return null;
  const chart = { players, overrides, bombs, radius, width, height, tiles: tiles.join(""), transitions };
  return tidy(chart).transitions.length === transitions.length ? chart : null;
}

/**
 * @param {string[]} tokens
 * @returns {Transition[] | null}
 */
function readTransitions(tokens) {
  const found = [];
  for (let at = 0; at < tokens.length; at += 7) {
    const ends = [readSide(tokens.slice(at, at + 3)), readSide(tokens.slice(at + 4, at + 7))];
    const [from, to] = ends;
    if (!from || !to || tokens[at + 3] !== "<->") return null;
    found.push({ from, to });
  }
  return found;
}

/**
 * @param {string[]} tokens
 * @returns {Side | null}
 */
function readSide(tokens) {
  const [x, y, direction] = [wholeNumber(tokens[0], 0, 49), wholeNumber(tokens[1], 0, 49), wholeNumber(tokens[2], 0, 7)];
  return x === null || y === null || direction === null ? null : { x, y, direction };
}

/**
 * @param {string | undefined} token
 * @param {number} low
 * @param {number} high
 */
function wholeNumber(token, low, high) {
  if (token === undefined || !/^[0-9]{1,9}$/.test(token)) return null;
  const number = Number(token);
  return number >= low && number <= high ? number : null;
}

/** How a map is made symmetric: its left half to the right, its upper half down, or its upper half turned round. */
export const MIRRORS = /** @type {const} */ (["right", "down", "turn"]);
/** @typedef {typeof MIRRORS[number]} Mirror */

/**
 * The chart in another size: what lies beyond the new edges is cut off, new places are free.
 * @param {Chart} chart
 * @param {number} width
 * @param {number} height
 * @returns {Chart}
 */
export function resize(chart, width, height) {
  const tiles = places(width, height, (x, y) => (x < chart.width && y < chart.height ? tileAt(chart, x, y) : FREE));
  return tidy({ ...chart, width, height, tiles });
}

/**
 * The places one reaches from here without leaving the tiles of the same kind, as they lie in the chart.
 * @param {Chart} chart
 * @param {number} start
 * @returns {Set<number>}
 */
export function areaOf(chart, start) {
  const wanted = chart.tiles[start];
  const area = new Set([start]);
  for (const at of area) {
    const x = at % chart.width;
    const beside = [x > 0 ? at - 1 : -1, x < chart.width - 1 ? at + 1 : -1, at - chart.width, at + chart.width];
    for (const next of beside) {
      if (next >= 0 && next < chart.tiles.length && chart.tiles[next] === wanted) area.add(next);
    }
  }
  return area;
}

/**
 * The chart with one tile put on many places.
 * @param {Chart} chart
 * @param {Iterable<number>} cells
 * @param {string} symbol
 * @returns {Chart}
 */
export function paint(chart, cells, symbol) {
  const tiles = [...chart.tiles];
  for (const cell of cells) tiles[cell] = symbol;
  return tidy({ ...chart, tiles: tiles.join("") });
}

/**
 * The chart made symmetric; the transitions of the half that is kept are mirrored with it.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @param {boolean} pass whether a mirrored stone goes to the next player, so that both halves are alike but for the seats
 * @returns {Chart}
 */
export function mirrored(chart, mirror, pass) {
  const image = imageOf(chart, mirror);
  const tiles = places(chart.width, chart.height, (x, y) => {
    if (isKept(chart, mirror, x, y)) return tileAt(chart, x, y);
    const there = image({ x, y, direction: 0 });
    return passed(tileAt(chart, there.x, there.y), chart.players, pass);
  });
  // First those within the kept half, then those that cross to the other one: of two that want a side the first has it.
  const kept = (/** @type {number} */ ends) => chart.transitions.filter(({ from, to }) =>
    [from, to].filter(({ x, y }) => isKept(chart, mirror, x, y)).length === ends);
  const transitions = [kept(2), kept(1)].flatMap((own) => [...own, ...own.map(({ from, to }) => ({ from: image(from), to: image(to) }))]);
  return tidy({ ...chart, tiles, transitions });
}

/**
 * The place where a side comes to lie in the mirror.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @returns {(side: Side) => Side}
 */
function imageOf(chart, mirror) {
  const [right, down] = [chart.width - 1, chart.height - 1];
  switch (mirror) {
    case "right": return ({ x, y, direction }) => ({ x: right - x, y, direction: (8 - direction) % 8 });
    case "down": return ({ x, y, direction }) => ({ x, y: down - y, direction: (12 - direction) % 8 });
    case "turn": return ({ x, y, direction }) => ({ x: right - x, y: down - y, direction: (direction + 4) % 8 });
  }
}

/**
 * Whether a place belongs to the half that stays as it is; the middle line does.
 * @param {Chart} chart
 * @param {Mirror} mirror
 * @param {number} x
 * @param {number} y
 */
function isKept(chart, mirror, x, y) {
  if (mirror === "right") return 2 * x < chart.width;
  const middle = chart.height - 1;
  if (mirror === "turn" && 2 * y === middle) return 2 * x < chart.width;
  return 2 * y <= middle;
}

/**
 * @param {string} symbol
 * @param {number} players
 * @param {boolean} pass
 */
function passed(symbol, players, pass) {
  const seat = Number(symbol);
  return pass && symbol !== HOLE && seat > 0 ? String((seat % players) + 1) : symbol;
}

/**
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => string} tile
 */
function places(width, height, tile) {
  return Array.from({ length: width * height }, (_, at) => tile(at % width, Math.floor(at / width))).join("");
}
