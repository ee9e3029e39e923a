/** An XT map as data: its text, sides and transitions, and edits of many tiles at once. Maps are replaced, never changed. */

/**
 * One end of a transition: column, row and the direction through which it leaves.
 * @typedef {{x: number, y: number, direction: number}} Side
 */

/** @typedef {{from: Side, to: Side}} Transition */

/**
 * @typedef {object} XtMap
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

/** A small map to begin with: two players, a cross of stones in the middle. @returns {XtMap} */
export function defaultMap() {
  const empty = blank({ players: 2, overrides: 1, bombs: 1, radius: 1, width: 10, height: 8, tiles: "", transitions: [] }, FREE);
  return paint(paint(empty, [34, 45], "1"), [35, 44], "2");
}

/**
 * The same map with the same tile everywhere and no transition.
 * @param {XtMap} xtMap
 * @param {string} symbol
 * @returns {XtMap}
 */
export function blank(xtMap, symbol) {
  return { ...xtMap, tiles: symbol.repeat(xtMap.width * xtMap.height), transitions: [] };
}

/**
 * The character in column x and row y; a hole outside the map.
 * @param {XtMap} xtMap
 * @param {number} x
 * @param {number} y
 */
export function tileAt(xtMap, x, y) {
  const within = x >= 0 && x < xtMap.width && y >= 0 && y < xtMap.height;
  return within ? xtMap.tiles[y * xtMap.width + x] ?? HOLE : HOLE;
}

/**
 * Whether a transition can begin here: on a tile, where a hole or the edge of the map lies beyond.
 * @param {XtMap} xtMap
 * @param {Side} side
 */
export function isFreeSide(xtMap, side) {
  const step = DIRECTIONS[side.direction];
  if (!step || tileAt(xtMap, side.x, side.y) === HOLE) return false;
  return tileAt(xtMap, side.x + step[0], side.y + step[1]) === HOLE;
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
 * @param {XtMap} xtMap
 * @param {Side} side
 */
export function transitionAt(xtMap, side) {
  return xtMap.transitions.findIndex(({ from, to }) => sameSide(from, side) || sameSide(to, side));
}

/**
 * The map with one more transition, or null where the two sides cannot be joined.
 * @param {XtMap} xtMap
 * @param {Side} from
 * @param {Side} to
 * @returns {XtMap | null}
 */
export function join(xtMap, from, to) {
  const free = [from, to].every((side) => isFreeSide(xtMap, side) && transitionAt(xtMap, side) < 0);
  return free && !sameSide(from, to) ? { ...xtMap, transitions: [...xtMap.transitions, { from, to }] } : null;
}

/**
 * @param {XtMap} xtMap
 * @param {number} number
 * @returns {XtMap}
 */
export function withoutTransition(xtMap, number) {
  return { ...xtMap, transitions: xtMap.transitions.filter((_, at) => at !== number) };
}

/**
 * The map without the transitions that its tiles no longer allow and the stones of players it no longer has.
 * @param {XtMap} xtMap
 * @returns {XtMap}
 */
export function tidy(xtMap) {
  const tiles = xtMap.tiles.replace(/[1-8]/g, (seat) => (Number(seat) > xtMap.players ? FREE : seat));
  const next = { ...xtMap, tiles };
  /** @type {Set<string>} */
  const used = new Set();
  const kept = next.transitions.filter(({ from, to }) => {
    const keys = [from, to].map(sideText);
    const fits = [from, to].every((side) => isFreeSide(next, side)) && !keys.some((key) => used.has(key)) && keys[0] !== keys[1];
    if (fits) keys.forEach((key) => used.add(key));
    return fits;
  });
  // The same list where nothing was removed, so that transitions are not drawn again.
  return kept.length === next.transitions.length ? next : { ...next, transitions: kept };
}

/** The map in its canonical writing, one row of tiles and one transition a line. @param {XtMap} xtMap */
export function mapText(xtMap) {
  const rows = Array.from({ length: xtMap.height }, (_, y) =>
    [...xtMap.tiles.slice(y * xtMap.width, (y + 1) * xtMap.width)].join(" "));
  const joints = xtMap.transitions.map(({ from, to }) => `${sideText(from)} <-> ${sideText(to)}`);
  const head = [xtMap.players, xtMap.overrides, `${xtMap.bombs} ${xtMap.radius}`, `${xtMap.height} ${xtMap.width}`];
  return [...head, ...rows, ...joints].join("\n") + "\n";
}

/** @param {Side} side */
function sideText({ x, y, direction }) {
  return `${x} ${y} ${direction}`;
}

/**
 * The map that a text describes, or null where it cannot be drawn; what is wrong with it is for the server to say.
 * @param {string} text
 * @returns {XtMap | null}
 */
export function parseMap(text) {
  const tokens = text.split(/[ \t\n\r\v\f]+/).filter(Boolean);
  const [players, overrides, bombs, radius, height, width] = tokens.map((token) => (/^\d{1,9}$/.test(token) ? Number(token) : NaN));
  const numbers = { players, overrides, bombs, radius, height, width };
  if (!Object.entries(numbers).every(([name, number]) => number >= BOUNDS[name][0] && number <= BOUNDS[name][1])) return null;
  const tiles = tokens.slice(6, 6 + width * height);
  if (tiles.length < width * height) return null;
  if (!tiles.every((tile) => tile.length === 1 && SYMBOLS.includes(tile) && !(Number(tile) > players))) return null;
  const rest = tokens.slice(6 + width * height).join(" ");
  if (!/^(\d+ \d+ [0-7] <-> \d+ \d+ [0-7]( |$))*$/.test(rest)) return null;
  const transitions = [...rest.matchAll(/(\d+) (\d+) (\d) <-> (\d+) (\d+) (\d)/g)].map(([, ...found]) => {
    const [x, y, direction, toX, toY, toDirection] = found.map(Number);
    return { from: { x, y, direction }, to: { x: toX, y: toY, direction: toDirection } };
  });
  const xtMap = { ...numbers, tiles: tiles.join(""), transitions };
  return tidy(xtMap).transitions.length === transitions.length ? xtMap : null;
}

/** How a map is made symmetric: its left half to the right, its upper half down, or its upper half turned round. */
export const MIRRORS = /** @type {const} */ (["right", "down", "turn"]);
/** @typedef {typeof MIRRORS[number]} Mirror */

/**
 * The map in another size: what lies beyond the new edges is cut off, new places are free.
 * @param {XtMap} xtMap
 * @param {number} width
 * @param {number} height
 * @returns {XtMap}
 */
export function resize(xtMap, width, height) {
  const tiles = places(width, height, (x, y) => (x < xtMap.width && y < xtMap.height ? tileAt(xtMap, x, y) : FREE));
  return tidy({ ...xtMap, width, height, tiles });
}

/**
 * The places one reaches from here without leaving the tiles of the same kind, as they lie in the map.
 * @param {XtMap} xtMap
 * @param {number} start
 * @returns {Set<number>}
 */
export function areaOf(xtMap, start) {
  const wanted = xtMap.tiles[start];
  const area = new Set([start]);
  for (const at of area) {
    const x = at % xtMap.width;
    const beside = [x > 0 ? at - 1 : -1, x < xtMap.width - 1 ? at + 1 : -1, at - xtMap.width, at + xtMap.width];
    for (const next of beside) {
      if (next >= 0 && next < xtMap.tiles.length && xtMap.tiles[next] === wanted) area.add(next);
    }
  }
  return area;
}

/**
 * The map with one tile put on many places.
 * @param {XtMap} xtMap
 * @param {Iterable<number>} cells
 * @param {string} symbol
 * @returns {XtMap}
 */
export function paint(xtMap, cells, symbol) {
  const tiles = [...xtMap.tiles];
  for (const cell of cells) tiles[cell] = symbol;
  return tidy({ ...xtMap, tiles: tiles.join("") });
}

/**
 * The map made symmetric; the transitions of the half that is kept are mirrored with it.
 * @param {XtMap} xtMap
 * @param {Mirror} mirror
 * @param {boolean} pass whether a mirrored stone goes to the next player, so that both halves are alike but for the seats
 * @returns {XtMap}
 */
export function mirrored(xtMap, mirror, pass) {
  const image = imageOf(xtMap, mirror);
  const tiles = places(xtMap.width, xtMap.height, (x, y) => {
    if (isKept(xtMap, mirror, x, y)) return tileAt(xtMap, x, y);
    const there = image({ x, y, direction: 0 });
    return passed(tileAt(xtMap, there.x, there.y), xtMap.players, pass);
  });
  // First those within the kept half, then those that cross to the other one: of two that want a side the first has it.
  const kept = (/** @type {number} */ ends) => xtMap.transitions.filter(({ from, to }) =>
    [from, to].filter(({ x, y }) => isKept(xtMap, mirror, x, y)).length === ends);
  const transitions = [kept(2), kept(1)].flatMap((own) => [...own, ...own.map(({ from, to }) => ({ from: image(from), to: image(to) }))]);
  return tidy({ ...xtMap, tiles, transitions });
}

/**
 * The place where a side comes to lie in the mirror.
 * @param {XtMap} xtMap
 * @param {Mirror} mirror
 * @returns {(side: Side) => Side}
 */
function imageOf(xtMap, mirror) {
  const [right, down] = [xtMap.width - 1, xtMap.height - 1];
  switch (mirror) {
    case "right": return ({ x, y, direction }) => ({ x: right - x, y, direction: (8 - direction) % 8 });
    case "down": return ({ x, y, direction }) => ({ x, y: down - y, direction: (12 - direction) % 8 });
    case "turn": return ({ x, y, direction }) => ({ x: right - x, y: down - y, direction: (direction + 4) % 8 });
  }
}

/**
 * Whether a place belongs to the half that stays as it is; the middle line does.
 * @param {XtMap} xtMap
 * @param {Mirror} mirror
 * @param {number} x
 * @param {number} y
 */
function isKept(xtMap, mirror, x, y) {
  if (mirror === "right") return 2 * x < xtMap.width;
  const middle = xtMap.height - 1;
  if (mirror === "turn" && 2 * y === middle) return 2 * x < xtMap.width;
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
