/** What is said of bots in several places: the phases of a version. */
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";

/** @import { CheckedStep } from "../../app/messages.js" */

/** @typedef {"waiting"|"checking"|"passed"|"failed"|"withdrawn"|"deleted"} Phase */
/** @typedef {{steps?: CheckedStep[], total?: number, has_passed?: boolean, problem?: string}} Report */
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
