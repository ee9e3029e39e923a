/** What is said of bots in several places: phases of a version, steps of a check. */
import { html } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";

/** @typedef {"waiting"|"checking"|"passed"|"failed"|"withdrawn"|"deleted"} Phase */
/** @typedef {{name: string, fault: string, output: string, errors: string, seconds: number}} Step */
/** @typedef {{steps?: Step[], total?: number, has_passed?: boolean, problem?: string}} Report */
/**
 * @typedef {{number: number, phase: Phase, created: number, language?: string, size?: number, digest?: string,
 *   file?: string, has_passed?: boolean, report?: Report, before?: number}} Version
 */
/**
 * @typedef {{id: string, name: string, ladder: string, created: number, active: number, owner: string,
 *   is_own: boolean, may_change: boolean}} Bot
 */
/** @typedef {{id: string, title: string, variant: string, limit: string, memory: number, takes_clients: boolean}} Ladder */
/**
 * @typedef {{ladders: Ladder[], languages: string[], pasted: Record<string, string>, arguments: string,
 *   quotas: {bots: number, versions_per_day: number, megabytes: number},
 *   usage: {bots: number, versions_today: number, bytes: number}|null}} Offer
 */

/** Whether something of a version is still to come. @param {Phase|undefined} phase */
export const isUnderWay = (phase) => phase === "waiting" || phase === "checking";

/** @param {Phase} phase */
function phaseName(phase) {
  switch (phase) {
    case "waiting": return t("waits for its check");
    case "checking": return t("is being checked");
    case "passed": return t("passed");
    case "failed": return t("failed");
    case "withdrawn": return t("withdrawn");
    default: return t("deleted");
  }
}

/** How it stands with a version. @param {{phase: Phase}} props */
export function PhaseTag({ phase }) {
  const look = phase === "passed" ? "good" : phase === "failed" ? "bad" : "";
  return html`<span class=${`tag ${look}`}>${phaseName(phase)}</span>`;
}

/** What a step of a check is about, in the visitor's language where it is known. @param {string} name */
export function stepName(name) {
  switch (name) {
    case "starts and waits for a request": return t("starts and waits for a request");
    case "answers its first request": return t("answers its first request");
    case "passes when it must": return t("passes when it must");
    case "lists exactly the legal moves": return t("lists exactly the legal moves");
    case "writes nothing unasked": return t("writes nothing unasked");
    case "plays a whole game in the first seat": return t("plays a whole game in the first seat");
    case "plays a whole game in the last seat": return t("plays a whole game in the last seat");
    case "ends when its input ends": return t("ends when its input ends");
    case "connects and sends its group number": return t("connects and sends its group number");
    case "ends when the game does": return t("ends when the game does");
    case "can be run here": return t("can be run here");
    default: break;
  }
  const positions = /^plays legal moves in (\d+) positions$/.exec(name);
  if (positions) return plural(Number(positions[1]), "plays legal moves in {count} position", "plays legal moves in {count} positions");
  return name;
}
