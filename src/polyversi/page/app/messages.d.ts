// The messages of version 1 and the events in them, as docs/network.md has them; those of the analysis board.
// Written by `python -m tests.testing.message_types` from the structs of the server.

export type StartEvent = { type: "event"; number: number; kind: "start"; data: { game: string; start: string; players: string[]; limits: string[] } };
export type MoveEvent = { type: "event"; number: number; kind: "move"; data: { seat: number; move: string; seconds: number; clocks: (number | null)[]; position: string } };
export type UndoEvent = { type: "event"; number: number; kind: "undo"; data: { seat: number; plies: number; clocks: (number | null)[]; position: string } };
export type VerdictEvent = { type: "event"; number: number; kind: "verdict"; data: { verdict: "aborted" | "adjudicated" | "crash" | "disconnect" | "disqualified" | "draw" | "illegal move" | "resigned" | "stall" | "timeout" | "win"; seat: number; detail: string; position: string } };
export type EndEvent = { type: "event"; number: number; kind: "end"; data: { reason: string; scores: number[]; ranks: number[]; points: number[]; verdict: { kind: "aborted" | "adjudicated" | "crash" | "disconnect" | "disqualified" | "draw" | "illegal move" | "resigned" | "stall" | "timeout" | "win"; seat: number | null; detail: string } } };
export type EventMessage = StartEvent | MoveEvent | UndoEvent | VerdictEvent | EndEvent;

export type MoveWorth = { move: string; value: number; points: number[] | null; depth: number; selectivity: number; exact: boolean; line: string[] };
export type ReviewedWorth = { ply: number; seat: number; move: string; value: number; points: number[] | null; best: string; best_value: number; loss: number; mark: string; exact: boolean; depth: number; selectivity: number; line: string[] };
export type SeatTotal = { seat: number; choices: number; loss: number; mean_loss: number; accuracy: number; counts: number[] };
export type MoveBounds = { move: string; low: number; high: number; same: string[] };
export type Hello = { type: "hello"; name: string; version?: 1; seat?: number | null; token?: string; game?: number; events?: number };
export type MoveMessage = { type: "move"; number: number; move: string };
export type Resign = { type: "resign" };
export type Bye = { type: "bye"; reason?: string };
export type Have = { type: "have"; events: number; request?: number };
export type Undo = { type: "undo" };
export type Reply = { type: "reply"; number: number; yes: boolean };
export type Rematch = { type: "rematch" };
export type Claim = { type: "claim" };
export type Welcome = { type: "welcome"; spec: string; number: number; games: number; seat: number; events: number; grace: number; token: string; map: string; version: 1; seats: number[]; thinking: number };
export type RequestMessage = { type: "request"; number: number; limit: { seconds?: number; bank?: number; increment?: number; depth?: number; nodes?: number }; seconds: number; seat?: number; events?: number; moves?: ([text: string, cell: number, special: number, turned: number[] | null])[] | null };
export type ErrorMessage = { type: "error"; sentence: string };
export type Presence = { type: "presence"; seats: boolean[]; watching: number; claim: number };
export type Offer = { type: "offer"; number: number; what: "rematch" | "undo"; seat: number };
export type Settled = { type: "settled"; number: number; yes: boolean };
export type Next = { type: "next"; game: string };
export type LookMessage = { type: "look"; id: number; spec?: string; position?: string; map?: string };
export type Rest = { type: "rest" };
export type ReviewMessage = { type: "review"; id: number; game?: string; record?: string; seconds?: number };
export type StopReview = { type: "stop_review"; id: number };
export type Prove = { type: "prove"; id: number; spec?: string; position?: string; map?: string };
export type StopProof = { type: "stop_proof" };
export type Values = { type: "values"; unit: "points" | "stones"; depth: number; selectivity: number; exact: boolean; nodes: number; seconds: number; moves: MoveWorth[]; id: number; done: boolean; wait: number | null };
export type Unable = { type: "unable"; id: number; problem: string };
export type ReviewProgress = { type: "review"; plies: number; done: number; unit: "points" | "stones"; moves: ReviewedWorth[]; totals: SeatTotal[]; turning_points: number[]; thresholds: number[]; id: number; stopped: boolean };
export type ProofProgress = { type: "proof"; moves: MoveBounds[]; low: number; high: number; nodes: number; seconds: number; solved: boolean; done: boolean; id: number };
export type FromGuest = Hello | MoveMessage | Resign | Bye | Have | Undo | Reply | Rematch | Claim;
export type FromHost = Welcome | EventMessage | RequestMessage | ErrorMessage | Bye | Presence | Offer | Settled | Next;
export type FromVisitor = LookMessage | Rest | ReviewMessage | StopReview | Prove | StopProof;
export type FromAnalysis = Values | Unable | ReviewProgress | ProofProgress | ErrorMessage;
