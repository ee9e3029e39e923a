/** What an analysis begins with: a game, a study, a position, moves, or the start of a variant. */
import { get, loadCatalogue, post, Problem } from "../../app/api.js";
import { analysed } from "../../app/handover.js";
import { t } from "../../app/i18n.js";
import { load, save } from "../../app/storage.js";
import { readRecord } from "./nodes.js";

/** @import { Params } from "../../app/router.js" */
/** @import { GameInfo } from "../../app/types.js" */
/** @import { Source } from "./model.js" */
/** @import { RecordData } from "./nodes.js" */

/** Moves one after the other: f5d6c3, f5 d6:20 pass. */
const MOVE = /[a-z]+\d+(?::\d+)?|pass/gi;

/** A record of a game without players. @type {(spec: string, start?: string, map?: string, moves?: string[]) => RecordData} */
const plainRecord = (spec, start = "", map = "", moves = []) =>
  ({ polyversi: 1, game: spec, ...(map ? { map } : {}), ...(start ? { start } : {}), moves });

/**
 * The record of a stored game. A game in which somebody plays is nobody's to analyse before it is over.
 * @param {string} id
 */
async function recordOfGame(id) {
  /** @type {[GameInfo, RecordData]} */
  const [info, record] = await Promise.all([get(`/api/games/${encodeURIComponent(id)}`), get(`/games/${encodeURIComponent(id)}.jsonl`)]);
  if (info.phase !== "over" && info.kinds.some((kind) => kind !== "computer")) {
    throw new Problem(t("This game is still being played. It can be analysed when it is over."));
  }
  return record;
}

/** A record with the positions of its main line. @type {(record: RecordData, more?: Partial<Source>) => Promise<Source>} */
async function withPositions(record, more = {}) {
  const { game: spec, map = "", start = "", moves = [], disqualified = [] } = record;
  const asked = { ...(map ? { map } : { spec }), start, moves, ...(disqualified.length ? { disqualified } : {}) };
  const { game: description, plies } = await post("/api/analysis/positions", asked);
  return { record: { ...record, game: spec || description.spec, moves }, description, plies, game: "", study: "", ply: 0, ...more };
}

/** What the address names. @param {Params} params @returns {Promise<Source>} */
export async function sourceOf({ id, query }) {
  const wanted = query.get("ply") ?? "";
  const at = /^\d+$/.test(wanted) ? { ply: Number(wanted) } : {};
  if (id) {
    const { record } = await get(`/api/studies/${encodeURIComponent(id)}`);
    const found = readRecord(record);
    if (!found) throw new Problem(t("This study cannot be read."));
    return withPositions(found, { study: id, ...at });
  }
  const game = query.get("game") ?? "";
  if (game) return withPositions(await recordOfGame(game), { game, ...at });
  const handed = query.get("from") === "here" ? analysed() : null;
  const record = handed?.record ? readRecord(handed.record) : null;
  if (record) return withPositions(record, at);
  if (handed) return withPositions(plainRecord(handed.spec ?? "", handed.position, handed.map), at);
  const spec = query.get("spec") ?? load("analysis.spec") ?? (await loadCatalogue()).variant;
  const moves = (query.get("moves") ?? "").match(MOVE) ?? [];
  const found = await withPositions(plainRecord(spec, query.get("position") ?? "", "", moves), { ply: Infinity, ...at });
  save("analysis.spec", spec);
  return found;
}
