/** An XT map as data: its text, its transitions, and edits of many tiles at once. Maps are immutable. */
import { t } from "../../app/i18n.js";

/** A side of a place: column, row and direction. @typedef {{x: number, y: number, direction: number}} Side */
/** @typedef {{from: Side, to: Side}} Transition */

/**
 * @typedef {object} Fields
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
  width: [1, 300],
  height: [1, 300],
};
/** The most tiles, holes included, of a map that is played on a page. */
export const MAX_TILES = 10_000;

export const HOLE = "-";
export const FREE = "0";
/** The characters of the tiles, each at the place of its number. */
export const SYMBOLS = "012345678-cibx";

/** (dx, dy) of the eight directions, clockwise from up. @type {readonly (readonly [number, number])[]} */
export const DIRECTIONS = [[0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1]];
export const directionNames = () => [
  t("up"), t("up-right"), t("right"), t("down-right"), t("down"), t("down-left"), t("left"), t("up-left"),
];

/** A side as map files write it. @param {Side} side */
const sideText = ({ x, y, direction }) => `${x} ${y} ${direction}`;
/** A side for people. @param {Side} side */
export const sideName = ({ x, y, direction }) => `${x},${y} ${directionNames()[direction]}`;
/** @param {Side} one @param {Side} other */
export const isSameSide = (one, other) => sideText(one) === sideText(other);

/** A map; stones of players it does not have become free tiles, transitions that its tiles do not allow are dropped. */
export class XtMap {
  /** @param {Fields} fields */
  constructor(fields) {
    this.players = fields.players;
    this.overrides = fields.overrides;
    this.bombs = fields.bombs;
    this.radius = fields.radius;
    this.width = fields.width;
    this.height = fields.height;
    this.tiles = fields.tiles.replace(/[1-8]/g, (seat) => (Number(seat) > fields.players ? FREE : seat));
    /** @type {Set<string>} */
    const used = new Set();
    const allowed = fields.transitions.filter(({ from, to }) => {
      const isAllowed = [from, to].every((side) => this.isFree(side) && !used.has(sideText(side)));
      if (isAllowed) used.add(sideText(from)).add(sideText(to));
      return isAllowed;
    });
    // The same list where nothing was dropped, so that transitions are not drawn again.
    this.transitions = allowed.length === fields.transitions.length ? fields.transitions : allowed;
  }

  /**
   * The map that a text describes, or null where it cannot be drawn; what is wrong with it is for the server to say.
   * @param {string} text
   */
  static parse(text) {
    const tokens = text.split(/[ \t\n\r\v\f]+/).filter(Boolean);
    const [players, overrides, bombs, radius, height, width] =
      tokens.map((token) => (/^[+-]?\d{1,9}$/.test(token) ? Number(token) : NaN));
    const numbers = { players, overrides, bombs, radius, height, width };
    const isWithin = (/** @type {[string, number]} */ [name, number]) =>
      number >= BOUNDS[name][0] && number <= BOUNDS[name][1];
    if (!Object.entries(numbers).every(isWithin) || width * height > MAX_TILES) return null;
    const tiles = tokens.slice(6, 6 + width * height);
    if (tiles.length < width * height) return null;
    if (!tiles.every((tile) => tile.length === 1 && SYMBOLS.includes(tile) && !(Number(tile) > players))) return null;
    const rest = tokens.slice(6 + width * height).join(" ");
    if (!/^(\d+ \d+ [0-7] <-> \d+ \d+ [0-7]( |$))*$/.test(rest)) return null;
    const transitions = [...rest.matchAll(/(\d+) (\d+) (\d) <-> (\d+) (\d+) (\d)/g)].map(([, ...found]) => {
      const [x, y, direction, toX, toY, toDirection] = found.map(Number);
      return { from: { x, y, direction }, to: { x: toX, y: toY, direction: toDirection } };
    });
    const read = new XtMap({ ...numbers, tiles: tiles.join(""), transitions });
    return read.transitions === transitions ? read : null;
  }

  /** The map as canonical text, with one row of tiles or one transition on each line. */
  toString() {
    const rows = Array.from({ length: this.height }, (_, y) =>
      [...this.tiles.slice(y * this.width, (y + 1) * this.width)].join(" "));
    const joints = this.transitions.map(({ from, to }) => `${sideText(from)} <-> ${sideText(to)}`);
    const head = [this.players, this.overrides, `${this.bombs} ${this.radius}`, `${this.height} ${this.width}`];
    return [...head, ...rows, ...joints].join("\n") + "\n";
  }

  /** The same map except for these fields. @param {Partial<Fields>} changes */
  with(changes) {
    return new XtMap({ ...this, ...changes });
  }

  /** The character in column x and row y; a hole outside the map. @param {number} x @param {number} y */
  tileAt(x, y) {
    const isWithin = x >= 0 && x < this.width && y >= 0 && y < this.height;
    return isWithin ? this.tiles[y * this.width + x] : HOLE;
  }

  /** Whether a side belongs to a tile and has a hole or the edge of the map beyond it. @param {Side} side */
  isFree({ x, y, direction }) {
    const [dx, dy] = DIRECTIONS[direction];
    return this.tileAt(x, y) !== HOLE && this.tileAt(x + dx, y + dy) === HOLE;
  }

  /** The number of the transition that uses a side, from 1, or 0. @param {Side} side */
  transitionAt(side) {
    return this.transitions.findIndex(({ from, to }) => isSameSide(from, side) || isSameSide(to, side)) + 1;
  }

  /** The same tile everywhere and no transition. @param {string} symbol */
  blank(symbol) {
    return this.with({ tiles: symbol.repeat(this.width * this.height), transitions: [] });
  }

  /** What lies beyond the new edges is cut off, new places are free. @param {number} width @param {number} height */
  resized(width, height) {
    const tiles = places(width, height, (x, y) => (x < this.width && y < this.height ? this.tileAt(x, y) : FREE));
    return this.with({ width, height, tiles });
  }

  /** One tile put on many places. @param {Iterable<number>} cells @param {string} symbol */
  painted(cells, symbol) {
    const tiles = [...this.tiles];
    for (const cell of cells) tiles[cell] = symbol;
    return this.with({ tiles: tiles.join("") });
  }

  /** The connected places with the same tile, ignoring transitions. @param {number} start */
  areaOf(start) {
    const area = new Set([start]);
    for (const at of area) {
      const x = at % this.width;
      const beside = [x > 0 ? at - 1 : -1, x < this.width - 1 ? at + 1 : -1, at - this.width, at + this.width];
      for (const next of beside) if (this.tiles[next] === this.tiles[start]) area.add(next);
    }
    return area;
  }

  /**
   * The map made symmetric: its left half mirrored to the right, its upper half mirrored down or turned round, and
   * the transitions of that half with it.
   * @param {"right"|"down"|"turn"} mirror
   * @param {boolean} pass whether mirrored stones go to the next player, so that the halves differ only in their seats
   */
  mirrored(mirror, pass) {
    const { width, height, players } = this;
    const image = (/** @type {Side} */ { x, y, direction }) => ({
      x: mirror === "down" ? x : width - 1 - x,
      y: mirror === "right" ? y : height - 1 - y,
      direction: { right: 8 - direction, down: 12 - direction, turn: direction + 4 }[mirror] % 8,
    });
    // The middle line stays as it is; when the map is turned round, the first half of it.
    const stays = (/** @type {{x: number, y: number}} */ { x, y }) => {
      const isAcross = mirror === "right" || (mirror === "turn" && 2 * y === height - 1);
      return isAcross ? 2 * x < width : 2 * y < height;
    };
    const tiles = places(width, height, (x, y) => {
      if (stays({ x, y })) return this.tileAt(x, y);
      const there = image({ x, y, direction: 0 });
      const tile = this.tileAt(there.x, there.y);
      return pass && Number(tile) > 0 ? String((Number(tile) % players) + 1) : tile;
    });
    // First those within this half, then those that cross to the other one: where two want the same side, the first gets it.
    const transitions = [2, 1].flatMap((ends) => {
      const own = this.transitions.filter(({ from, to }) => [from, to].filter(stays).length === ends);
      return [...own, ...own.map(({ from, to }) => ({ from: image(from), to: image(to) }))];
    });
    return this.with({ tiles, transitions });
  }
}

/** A small map to begin with: two players, a cross of stones in the middle. */
export function defaultMap() {
  const fields = { players: 2, overrides: 1, bombs: 1, radius: 1, width: 10, height: 8, tiles: "", transitions: [] };
  return new XtMap(fields).blank(FREE).painted([34, 45], "1").painted([35, 44], "2");
}

/** @param {number} width @param {number} height @param {(x: number, y: number) => string} tile */
function places(width, height, tile) {
  return Array.from({ length: width * height }, (_, at) => tile(at % width, Math.floor(at / width))).join("");
}
