/**
 * The shapes of what the server sends, for the type checker; nothing here runs. They are generated from the server's
 * own (`messages.d.ts`); here are the names that the page has for those it needs most.
 *
 * @typedef {import("./messages.js").OfferedOption} Option
 * @typedef {import("./messages.js").OfferedVariant} OfferedVariant
 * @typedef {import("./messages.js").OfferedFamily} Family
 * @typedef {OfferedVariant & {family: Family}} Variant
 * @typedef {import("./messages.js").Tile} Tile what can lie on a cell besides stones
 * @typedef {import("./messages.js").FileKind} FileKind what a game or games can be had as
 * @typedef {import("./messages.js").Catalogue} Catalogue
 * @typedef {import("./messages.js").PlayerInfo} PlayerInfo
 * @typedef {import("./messages.js").PlayerLabel} PlayerLabel a player, and its level where none is given
 * @typedef {import("../board/config.js").Paint} Paint
 * @typedef {import("../board/config.js").Plan} Plan
 * @typedef {import("./messages.js").Description} Description
 * @typedef {import("./messages.js").RulesSentence} Sentence a text to translate, and what to fill in
 * @typedef {import("./messages.js").RulesEntry} RulesEntry
 * @typedef {import("./messages.js").RulesSection} RulesSection
 * @typedef {import("./messages.js").RulesExample} RulesExample
 * @typedef {import("./messages.js").Rulebook} Rulebook the rules of a game; stones on secure cells never turn
 * @typedef {import("./messages.js").GameSummary} Summary
 * @typedef {import("./messages.js").ListedGame} Listed a game in a list; of a series, its last one
 * @typedef {import("./messages.js").GameInfo} GameInfo
 * @typedef {import("./messages.js").PuzzleMove} PuzzleMove a move, what it turns and where it leads
 * @typedef {import("./messages.js").PuzzleAnswer} PuzzleAnswer a move that can be tried, with its exact value
 * @typedef {import("./messages.js").PuzzleSummary} PuzzleSummary
 * @typedef {import("./messages.js").ShownPuzzle} Puzzle
 * @typedef {import("./messages.js").PuzzleList} PuzzleList
 * @typedef {import("./messages.js").EventMessage} EventMessage
 * @typedef {import("./messages.js").MoveEvent} MoveEvent
 * @typedef {import("./messages.js").GameResult} Result
 * @typedef {import("./messages.js").RequestMessage} RequestMessage
 * @typedef {NonNullable<RequestMessage["moves"]>[number]} LegalMove
 * @typedef {import("./messages.js").Offer} Offer
 * @typedef {import("./messages.js").FromHost} FromHost
 * @typedef {import("./messages.js").FromGuest} FromGuest
 */
export {};
