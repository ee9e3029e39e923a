/** The check of a version, line by line as it is done. */
import { asSentence } from "../../app/api.js";
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { Icon } from "../../components/icons.js";
import { isUnderWay } from "./words.js";

/** @import { CheckedStep } from "../../app/messages.js" */
/** @import { Phase, Report } from "./words.js" */

/** What a bot wrote last, as text. @param {{title: string, text: string}} props */
function Written({ title, text }) {
  if (!text) return null;
  return html`<details class="bots-written"><summary>${title}</summary><pre tabindex="0" dir="ltr">${text}</pre></details>`;
}

/** @param {{step: CheckedStep}} props */
function Line({ step }) {
  const isGood = !step.fault;
  return html`<li class=${isGood ? "good" : "bad"}>
    <span class="bots-mark"><${Icon} name=${isGood ? "check" : "close"} />
      <span class="visually-hidden">${isGood ? t("passed") : t("failed")}</span></span>
    <div class="stack tight grow"><span>${t(step.text || step.name, step.values)}
      <span class="soft small number"> ${t("{seconds} s", { seconds: number(step.seconds, { maximumFractionDigits: 1 }) })}</span></span>
      ${step.fault && html`<p class="bots-fault" dir="ltr">${step.fault}</p>`}
      <${Written} title=${t("The end of what it wrote to standard error")} text=${step.errors} />
      <${Written} title=${t("The end of what it wrote to standard output")} text=${step.output} />
    </div></li>`;
}

/** How long it still is until a version is checked. @param {number|undefined} before versions that are checked before it */
function waitingText(before) {
  if (before === undefined) return t("waits for its check");
  return before ? plural(before, "waits for its check; {count} version is before it", "waits for its check; {count} versions are before it")
    : t("waits for its check; it is the next");
}

/** @param {{report: Report|undefined, phase: Phase, before?: number}} props */
export function CheckReport({ report = {}, phase, before }) {
  const steps = report.steps ?? [];
  const total = report.total ?? 0;
  return html`<div class="stack tight">
    ${report.problem && html`<p class="soft">${asSentence(report.problem)}</p>`}
    <ol class="bots-steps">${steps.map((step) => html`<${Line} key=${step.name} step=${step} />`)}
      ${isUnderWay(phase) && html`<li key="next" class="next"><span class="bots-mark"><span class="bots-waiting"></span></span>
        <span class="soft">${phase === "waiting" ? waitingText(before)
          : total ? t("step {number} of {total}", { number: number(steps.length + 1), total: number(total) }) : t("is being checked")}</span></li>`}
    </ol></div>`;
}
