/**
 * The shapes of what the server sends, for the type checker; nothing here runs.
 *
 * @typedef {{name: string, kind: "number"|"choice"|"flag"|"text", low?: number|null, high?: number|null,
 *   choices?: string[]|null, words?: string[], usual?: string, is_pictured?: boolean, hint?: string, label: string,
 *   meaning?: string, default?: string|number|boolean|null}} Option
 * @typedef {{name: string, label: string, sentence: string, goal: string, fewest_wins: boolean, seats: number,
 *   on_map: boolean,
 *   for_two: Record<string, string>|null, seat_choices: Record<string, Record<string, string>>,
 *   options: Option[], spec: string}} OfferedVariant
 * @typedef {{name: string, label: string, sentence: string, number: string, variants: OfferedVariant[]}} Family
 * @typedef {OfferedVariant & {family: Family}} Variant
 * @typedef {{tile: number, name: string, key: string}} Tile what can lie on a cell besides stones
 * @typedef {{kind: string, label: string, record?: string}} FileKind what a game or games can be had as; `record` names its format
 * @typedef {{name: string, label: string, level: number|null}} PlayerLabel a player, and its level where none is given
 * @typedef {{families: Family[], featured: {name: string, label: string}[], tiles: (Tile & {symbol: string})[],
 *   players: PlayerLabel[], quiet_options: string[], arena: {variant: string, players: string[]},
 *   texts: {suffixes: string[], pasted: string[]}}} Catalogue what people may open is in `texts`
 * @typedef {{name: string, label: string, sentence: string, levels: string[], options: Option[],
 *   offered: Record<string, string>, unsuited: string|null}} PlayerInfo
 * @typedef {import("../board/config.js").Paint} Paint
 * @typedef {import("../board/config.js").Plan} Plan
 * @typedef {{spec: string, title: string, sentence: string, seats: number, goal: string, fewest_wins: boolean,
 *   passing: "forced"|"free"|"skip", phases: string[], has_stocks: boolean, scoring: "win"|"ranks", drawn: boolean,
 *   bad_move: "lose"|"pass"|"disqualify", radius: number, overrides: number, bombs: number,
 *   tiles: Tile[], symbols: Record<string, number>, files: FileKind[],
 *   seat_symbols: string[], start: string, map: string, plan: Plan}} Description
 * @typedef {{text: string, values: Record<string, string|number>}} Sentence a text to translate, and what to fill in
 * @typedef {{term: string, sentences: Sentence[], tile: number|null, example: string}} RulesEntry
 * @typedef {{name: string, label: string, sentences: Sentence[], entries: RulesEntry[], is_legend: boolean}} RulesSection
 * @typedef {{tiles: number[], turn: number, legal: number[], last: number|null, turned: number[]}} ExampleFrame
 * @typedef {{name: string, section: string, sentences: Sentence[], moves: string[], plan: Plan,
 *   frames: ExampleFrame[]}} RulesExample
 * @typedef {{spec: string, title: string, seats: number, goal: string, sections: RulesSection[], examples: RulesExample[],
 *   secure: {cell: number, beside: number[]}[]}} Rulebook the rules of a game; stones on secure cells never turn
 * @typedef {{id: string, spec: string, title: string, variant: string, has_map: boolean, players: string[], kinds: ("human"|"computer"|"remote")[],
 *   phase: "waiting"|"running"|"over", plies: number, scores: number[], position: string, result: Result|null,
 *   created: string|number, ended: number|null, series: string|null, colours: string}} Summary
 * @typedef {{id: string, players: string[], phase: string, round: number, rounds?: number, wins?: number[], draws?: number,
 *   winner?: number|"draw"|null}} SeriesStanding how a series stands, as far as that is known
 * @typedef {Summary & {changed: number, rounds: SeriesStanding|null}} Listed a game in a list; of a series, its last one
 * @typedef {Summary & {description: Description, limit: string[], next: string}} GameInfo
 * @typedef {{move: string, cell: number, turned: number[], position: string}} PuzzleMove a move, what it turns and where it leads
 * @typedef {PuzzleMove & {value: number, reply: PuzzleMove|null}} PuzzleAnswer a move that can be tried, with its exact value
 * @typedef {{name: "win"|"best"|"wipeout", label: string}} PuzzleKind
 * @typedef {{id: string, kind: PuzzleKind["name"], grade: number, moves: number}} PuzzleSummary
 * @typedef {PuzzleSummary & {kind_label: string, game: string, title: string, goal: "most"|"fewest", cells: number, seat: number, value: number,
 *   date?: string, steps: {ply: number, position: string, answers: PuzzleAnswer[]}[], line: PuzzleMove[]}} Puzzle
 * @typedef {{games: {spec: string, title: string, count: number}[], kinds: PuzzleKind[], grades: number[], total: number, puzzles: PuzzleSummary[],
 *   next: string|null}} PuzzleList
 *
 * Messages and events are generated from the server's own; messages.d.ts has them all.
 * @typedef {import("./messages.js").EventMessage} EventMessage
 * @typedef {import("./messages.js").MoveEvent} MoveEvent
 * @typedef {import("./messages.js").EndEvent["data"]} Result
 * @typedef {import("./messages.js").RequestMessage} RequestMessage
 * @typedef {NonNullable<RequestMessage["moves"]>[number]} LegalMove
 * @typedef {import("./messages.js").Offer} Offer
 * @typedef {import("./messages.js").FromHost} FromHost
 * @typedef {import("./messages.js").FromGuest} FromGuest
 */
export {};
