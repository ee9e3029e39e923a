/** The types of what a board is given: the plan of its cells, once, and the config of what lies on them, at every change. */

/**
 * How the stones of one seat look.
 * @typedef {object} Paint
 * @property {string} name The seat in words.
 * @property {string} fill The colour of the stone, as `#rrggbb`.
 * @property {string} ink The colour of what is written on it.
 * @property {string} sign What is written on it, or an empty text.
 */

/**
 * A transition between two cells that do not touch.
 * @typedef {object} Link
 * @property {number} number What is written on its two ports.
 * @property {string} path Its curve, as the text of an SVG path.
 * @property {[cell: number, x: number, y: number][]} ends Its two cells with the middles of their ports.
 * @property {string} title The transition in words.
 * @property {number} colour One of 12 colours, from 0.
 * @property {number} dash One of 3 kinds of line, from 0.
 */

/**
 * A figure on a cell, such as what a move there is worth.
 * @typedef {object} Figure
 * @property {number} cell
 * @property {string} text A few letters.
 * @property {0|1|2|3|4} tone Its colour, from the best to the worst.
 * @property {boolean} exact Whether it is certain: such figures are underlined.
 */

/**
 * Where everything on a board lies. Lengths are in units of which a cell is 40 wide; x runs right and y down.
 * @typedef {object} Plan
 * @property {"square"|"hexagon"} layout Hexagons stand on a corner.
 * @property {number} width The width of the drawing with its frame.
 * @property {number} height The height of the drawing with its frame.
 * @property {string} theme The colours of the board: a class of `board.css`.
 * @property {number[][]} rows The cells of each row, left to right, from the top; every cell is in one row.
 * @property {number[]} x The middle of each cell.
 * @property {number[]} y The middle of each cell.
 * @property {string[]} names The name of each cell.
 * @property {[dx: number, dy: number][]} outline The corners of any cell, seen from its middle.
 * @property {[x: number, y: number, name: string][]} labels The names of columns and rows round the board.
 * @property {[x: number, y: number][]} dots The dots of a wooden board.
 * @property {[x1: number, y1: number, x2: number, y2: number][]} joined Lines along edges that are joined.
 * @property {Link[]} links The transitions.
 * @property {Paint[]} seats The looks of the seats' stones, from seat 1.
 */

/**
 * A move that was made before the last one.
 * @typedef {object} Trace
 * @property {number} seat Who made it.
 * @property {number} cell Where.
 * @property {number[]} turned What it changed besides.
 */

/**
 * A move that is shown but not made.
 * @typedef {object} Preview
 * @property {number} cell Where the stone would lie; it is drawn as a ghost.
 * @property {number} seat Whose stone it would be; with 0 no stone is drawn, only what would change.
 * @property {number[]} turned The cells that would change; each gets a small disc in the seat's colour.
 * @property {boolean} [bomb] The cells would be bombed: the cell and `turned` are hatched, without stones.
 */

/**
 * Everything that can be set. `board.set` takes any part of it and keeps the rest.
 * @typedef {object} Config
 * @property {ArrayLike<number>} tiles What lies on each cell: 0 nothing, 1 to 8 a stone of that seat, 9 a bombed
 *   hole, 10 choice, 11 inversion, 12 bonus, 13 an expansion stone. All empty at first.
 * @property {number[]} legal The cells to mark as possible: a dot, on cells that hold something a corner mark.
 * @property {number} turn The seat whose colour these marks have; 0 gives them a neutral one.
 * @property {number|null} last The cell of the last move, with a bold ring; flips start from it.
 * @property {number[]} turned The cells that the last move changed, with thin rings.
 * @property {Trace[]} trail Earlier moves, the oldest first, each with faint rings in its seat's colour.
 * @property {number|null} hint The cell of a suggested move.
 * @property {Preview|null} preview A move to preview.
 * @property {Figure[]} figures Figures on cells; they take the place of the marks of `legal`.
 * @property {boolean} selectable Whether cells can be chosen: without it the board can be read and moved about
 *   on, but never calls `onSelect` or `onEdge`.
 * @property {boolean} animate Whether stones flip, or fade in where many change; never against
 *   `prefers-reduced-motion`. The board itself is up to date at once.
 * @property {boolean} patterns Whether every seat's stones carry a pattern of their own, so that nobody needs
 *   to tell colours apart.
 * @property {"none"|"small"|"large"} coordinates How the names of columns and rows are shown.
 * @property {string} theme Another class with colours than the plan's.
 * @property {import("./looks.js").Make} stones How stones are made.
 * @property {boolean} showsLegal Whether the cells of `legal` are marked for the eye.
 * @property {boolean} edges Whether the sides of the cell under the pointer or the cursor can be chosen: its
 *   middle calls `onSelect`, the rest `onEdge`; the keys 1 to 8 and Shift with an arrow choose a side.
 * @property {{cell: number, direction: number}|null} edge A side to mark as chosen.
 * @property {boolean} paint Whether dragging across cells selects each of them instead of moving the view.
 * @property {Paint[]} [paints] Other looks for the seats' stones than the plan's.
 * @property {string} title The name of the board for screen readers.
 * @property {(cell: number, tile: number) => string} [label] The words for a cell, for screen readers. They are
 *   asked for again when what lies on the cell, its mark as legal or its mark as last changes, and for all
 *   cells when this is a new function. Without it, the cell's name and the seat's name.
 * @property {(cell: number) => void} [onSelect] A cell was clicked, tapped, painted over, or chosen by Enter or
 *   Space; any cell, legal or not.
 * @property {(cell: number|null) => void} [onHover] The pointer, the cursor or a long tap is on another cell, or on
 *   none: the moment to set `preview`.
 * @property {(cell: number, direction: number) => void} [onEdge] A side was chosen: directions count clockwise
 *   from 0, on squares from the top through the corners, on hexagons from the upper right.
 * @property {(scale: number, maxScale: number) => void} [onZoom] The board is shown at another scale, 1 being the
 *   whole of it, or can be enlarged further or less far than before; with `maxScale` 1 there is nothing to enlarge.
 *   It is also called once at the beginning.
 */

/** The defaults. @type {Omit<Config, "tiles">} */
export const DEFAULTS = {
  legal: [],
  turn: 0,
  last: null,
  turned: [],
  trail: [],
  hint: null,
  preview: null,
  figures: [],
  selectable: false,
  animate: true,
  patterns: false,
  coordinates: "small",
  theme: "",
  stones: "domed",
  showsLegal: true,
  edges: false,
  edge: null,
  paint: false,
  title: "Board",
};

export const EMPTY = 0;
/** The highest tile that is a seat's stone. */
export const SEATS = 8;
export const HOLE = 9;
export const CHOICE = 10;
export const INVERSION = 11;
export const BONUS = 12;
/** A stone that belongs to nobody. */
export const EXPANSION = 13;

/** Whether a tile is neither free nor the stone of a seat. @param {number} tile */
export const isSpecial = (tile) => tile > SEATS;

/** @param {number} tile */
export const isStone = (tile) => (tile > EMPTY && tile <= SEATS) || tile === EXPANSION;
