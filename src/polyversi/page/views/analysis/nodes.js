/** The tree of an analysis: positions and the moves between them; and the line of JSON it is kept as. */

/** @import { ReviewedWorth } from "../../app/messages.js" */
/** @import { LegalMove } from "../../app/types.js" */

/**
 * What the server says of a position after a move.
 * @typedef {object} Ply
 * @property {string} position
 * @property {string|null} move
 * @property {number[]} turned
 * @property {LegalMove[]} legal
 * @property {number[]} scores
 * @property {number[]} mobility how many moves each seat has
 * @property {string} phase
 * @property {number} turn
 * @property {boolean} over
 * @property {string|null} opening
 *
 * What a record says about a move.
 * @typedef {{comment?: string, seconds?: number, value?: number}} Note
 *
 * A record as JSON Lines have it (docs/notation.md).
 * @typedef {object} RecordData
 * @property {number} polyversi
 * @property {string} game
 * @property {string} [map]
 * @property {string} [start]
 * @property {string[]} [moves]
 * @property {string[]} [players]
 * @property {Record<string, string>} [tags]
 * @property {Note[]} [notes]
 * @property {object|null} [outcome]
 * @property {[ply: number, seat: number][]} [disqualified]
 * @property {{ply: number, moves: string[], line?: number, notes?: Note[]}[]} [variations]
 */

let count = 0;

/** A position of the tree, and the move that led to it. What the server says of it is filled in when it is known. */
export class Node {
  /** @param {Node|null} parent @param {string} move */
  constructor(parent, move) {
    this.id = ++count;
    this.parent = parent;
    /** Empty at the root. */
    this.move = move;
    /** @type {Note} */
    this.note = {};
    /** The continuation of the line first, then the variations. @type {Node[]} */
    this.children = [];
    /** The line of the position; empty until it is known. */
    this.position = "";
    /** @type {LegalMove[]} */
    this.legal = [];
    /** What the move changed besides its own cell. @type {number[]} */
    this.turned = [];
    /** @type {number[]} */
    this.scores = [];
    /** @type {number[]} */
    this.mobility = [];
    this.phase = "build";
    /** The seat to move. */
    this.turn = 0;
    this.over = false;
    /** The name of the opening that is reached here. @type {string|null} */
    this.opening = null;
    /** What a review says of the move. @type {ReviewedWorth|null} */
    this.reviewed = null;
  }

  /** Takes over what the server says. @param {Ply} ply */
  learn({ position, turned, legal, scores, mobility, phase, turn, over, opening }) {
    Object.assign(this, { position, turned, legal, scores, mobility, phase, turn, over, opening });
  }

  get comment() {
    return this.note.comment ?? "";
  }

  /** The seat whose move led here, or 0. */
  get seat() {
    return this.parent?.turn ?? 0;
  }

  /** Moves from the start to here. */
  get ply() {
    return this.path().length - 1;
  }

  /** The continuation of this line. @returns {Node|undefined} */
  get next() {
    return this.children[0];
  }

  /** Whether it lies on the main line. */
  get isMain() {
    return this.path().every(({ parent }, at, path) => at === 0 || parent?.next === path[at]);
  }

  /** The nodes from the root to this one. @returns {Node[]} */
  path() {
    const found = [];
    for (let node = /** @type {Node|null} */ (this); node; node = node.parent) found.unshift(node);
    return found;
  }

  /** This node and the continuation of its line. @returns {Node[]} */
  line() {
    const found = [];
    for (let node = /** @type {Node|undefined} */ (this); node; node = node.next) found.push(node);
    return found;
  }

  /** The child with a move. @param {string} move */
  child(move) {
    return this.children.find((one) => one.move === move);
  }

  /** A new child: the continuation where the line ends here, a variation otherwise. @param {string} move */
  add(move) {
    const made = new Node(this, move);
    this.children.push(made);
    return made;
  }

  /** Makes this node the continuation of its line; the one before becomes the first variation. */
  promote() {
    const siblings = this.parent?.children ?? [];
    siblings.splice(siblings.indexOf(this), 1);
    siblings.unshift(this);
  }

  /** Promotes this node and those before it, until the main line leads here. */
  makeMain() {
    for (const node of this.path().slice(1)) node.promote();
  }

  /** Takes this node and all that follows it out of the tree. */
  remove() {
    const siblings = this.parent?.children ?? [];
    siblings.splice(siblings.indexOf(this), 1);
  }

  /** The first node of the variation in which this one lies, or null on the main line. @returns {Node|null} */
  get branch() {
    return this.path().findLast(({ parent }, at, path) => at > 0 && parent?.next !== path[at]) ?? null;
  }
}

/** Adds moves with their notes below a node; the nodes, without that one. @type {(from: Node, moves: string[], notes?: Note[]) => Node[]} */
function grow(from, moves, notes = []) {
  /** @type {Node[]} */
  const made = [];
  for (const [at, move] of moves.entries()) {
    const node = (made.at(-1) ?? from).add(move);
    node.note = notes[at] ?? {};
    made.push(node);
  }
  return made;
}

/** The tree of a record; positions are not known yet. @param {RecordData} record */
export function treeOf({ moves = [], notes, variations = [], tags = {} }) {
  const root = new Node(null, "");
  if (tags.comment) root.note = { comment: tags.comment };
  /** Of every line: the ply at which it begins, and its nodes. @type {[first: number, nodes: Node[]][]} */
  const lines = [[0, [root, ...grow(root, moves, notes)]]];
  for (const { ply, moves: side, line = 0, notes: said } of variations) {
    const [first, nodes] = lines[line] ?? lines[0];
    const from = nodes[ply - first];
    if (from) lines.push([ply, [from, ...grow(from, side, said)]]);
  }
  return root;
}

/** @param {Node[]} nodes */
const told = (nodes) => ({
  moves: nodes.map(({ move }) => move),
  ...(nodes.some(({ note }) => Object.keys(note).length) ? { notes: nodes.map(({ note }) => note) } : {}),
});

/** A record with everything in a tree; the header has all but moves, notes and variations. @type {(header: RecordData, root: Node) => RecordData} */
export function recordOf(header, root) {
  const { tags: { comment: _, ...tags } = {}, ...rest } = header;
  const said = root.comment ? { ...tags, comment: root.comment } : tags;
  /** @type {NonNullable<RecordData["variations"]>} */
  const variations = [];
  const lines = [{ first: 0, nodes: root.line() }];
  for (const [line, { first, nodes }] of lines.entries()) {    // which grows meanwhile
    for (const [at, node] of nodes.entries()) {
      for (const start of node.children.slice(1)) {
        variations.push({ line, ply: first + at, ...told(start.line()) });
        lines.push({ first: first + at + 1, nodes: start.line() });
      }
    }
  }
  return { ...rest, ...told(root.line().slice(1)), ...(Object.keys(said).length ? { tags: said } : {}), variations };
}

/** The record in a text if it is a single line of JSON of ours, or null. @type {(text: string) => RecordData|null} */
export function readRecord(text) {
  const lines = text.trim().split("\n");
  if (lines.length > 1 && lines.some((line) => line.startsWith("{\"polyversi\"") && line !== lines[0])) return null;
  try {
    const found = JSON.parse(text);
    return typeof found?.polyversi === "number" && typeof found.game === "string" && !found.answers ? found : null;
  } catch {
    return null;
  }
}
