/**
 * The shapes of what the server sends, for the type checker; nothing here runs.
 *
 * @typedef {{name: string, kind: "number"|"choice"|"flag"|"text", low?: number|null, high?: number|null,
 *   choices?: string[]|null, hint?: string, label: string, default?: string|number|boolean|null}} Option
 * @typedef {{name: string, label: string, sentence: string, seats: number, on_map: boolean,
 *   for_two: Record<string, string>|null,
 *   options: Option[], spec: string}} OfferedVariant
 * @typedef {{name: string, label: string, sentence: string, number: string, variants: OfferedVariant[]}} Family
 * @typedef {OfferedVariant & {family: Family}} Variant
 * @typedef {{tile: number, name: string, key: string}} Tile what can lie on a cell besides stones
 * @typedef {{families: Family[], tiles: (Tile & {symbol: string})[]}} Catalogue
 * @typedef {{name: string, sentence: string, options: Option[], offered: Record<string, string>,
 *   unsuited: string|null}} PlayerInfo
 * @typedef {{name: string, fill: string, ink: string, sign: string}} Paint
 * @typedef {{number: number, path: string, ends: [number, number, number][], title: string, colour: number,
 *   dash: number}} PlanLink
 * @typedef {{layout: "square"|"hexagon", width: number, height: number, theme: "felt"|"sand"|"slate",
 *   rows: number[][], x: number[], y: number[], names: string[], outline: [number, number][],
 *   labels: [number, number, string][], dots: [number, number][], joined: [number, number, number, number][],
 *   links: PlanLink[], seats: Paint[]}} Plan
 * @typedef {{spec: string, title: string, sentence: string, seats: number, goal: "most"|"fewest",
 *   passing: "forced"|"free"|"skip", phases: string[], has_stocks: boolean, scoring: "win"|"ranks",
 *   bad_move: "lose"|"pass"|"disqualify", radius: number, overrides: number, bombs: number,
 *   tiles: Tile[], symbols: Record<string, number>, files: string[],
 *   seat_symbols: string[], start: string, map: string, plan: Plan}} Description
 * @typedef {{kind: string, seat: number|null, detail: string}} Verdict
 * @typedef {{ranks: number[], scores: number[], points?: number[], verdict: Verdict, reason: string}} Result
 * @typedef {{id: string, spec: string, title: string, variant: string, has_map: boolean, players: string[], kinds: ("human"|"computer"|"remote")[],
 *   phase: "waiting"|"running"|"over", plies: number, scores: number[], position: string, result: Result|null,
 *   created: string|number, series: string|null}} Summary
 * @typedef {Summary & {description: Description, limit: string[], next: string}} GameInfo
 * @typedef {[text: string, cell: number, special: number|null, turned: number[]|null]} LegalMove
 *
 * Messages of the host, by their type; docs/network.md has them all.
 * @typedef {{type: "welcome", spec: string, map: string, number: number, games: number, seat: number,
 *   seats?: number[], token: string, events: number, grace: number, thinking?: number}} Welcome
 * @typedef {{type: "event", number: number, kind: "start"|"move"|"undo"|"verdict"|"end", data: any}} GameEvent
 * @typedef {{bank?: number, increment?: number, seconds?: number}} Limit
 * @typedef {{type: "request", number: number, seat: number, limit: Limit, seconds: number|null,
 *   moves: LegalMove[]|null}} MoveRequest
 * @typedef {{type: "presence", seats: boolean[], watching: number, claim: number}} Presence
 * @typedef {{type: "offer", number: number, what: "undo"|"rematch", seat: number}} Offer
 * @typedef {{type: "settled", number: number, yes: boolean}} Settled
 * @typedef {{type: "next", game: string}} Next
 * @typedef {{type: "error", sentence: string}} ErrorMessage
 * @typedef {{type: "bye", reason: string}} Bye
 * @typedef {Welcome|GameEvent|MoveRequest|Presence|Offer|Settled|Next|ErrorMessage|Bye} HostMessage
 */
export {};
