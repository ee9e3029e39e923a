/** The rules view: all variants with their goals, the rules of one of them, and the content of the rules dialog. */
import { get, sentenceOf, useVariants } from "../../app/api.js";
import { useTitle } from "../../app/dom.js";
import { canPlay } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { LearnButton } from "../../components/learn.js";
import { Alert } from "../../components/page.js";
import { rulesPath } from "../../components/rules.js";
import { RulesText } from "./sections.js";

/** @import { Params } from "../../app/router.js" */
/** @import { Rulebook, Variant } from "../../app/types.js" */
/** @import { Asked } from "../../components/rules.js" */

/** The rules of a game from the server. @param {Asked} asked */
function useRules(asked) {
  const found = useSignal(/** @type {Rulebook|null} */ (null));
  const problem = useSignal("");
  const path = rulesPath(asked);
  useEffect(() => {
    const stop = new AbortController();
    get(path, stop.signal).then((rules) => { found.value = rules; },
      (error) => { if (!stop.signal.aborted) problem.value = sentenceOf(error); });
    return () => stop.abort();
  }, [path]);
  return { rules: found.value, problem: problem.value };
}

/** The content of the dialog. @param {{asked: Asked}} props */
function Panel({ asked }) {
  const { rules, problem } = useRules(asked);
  if (!rules) return html`<${Waiting} problem=${problem} />`;
  const link = `/rules/${encodeURIComponent(rules.spec)}`;
  return html`<header class="rules-head"><h1>${asked.isLegend ? t("Legend") : t("Rules of {game}", { game: t(rules.title) })}</h1>
      ${asked.spec && html`<a class="small" href=${link} target="_blank">${t("Open as a page")}</a>`}</header>
    <${RulesText} rules=${rules} isLegend=${asked.isLegend} tile=${asked.tile} />`;
}

/** @param {{problem: string}} props */
const Waiting = ({ problem }) =>
  (problem ? html`<${Alert} text=${problem} />` : html`<p class="soft loading">${common.loading}</p>`);

/** The page of one game. @param {{spec: string}} props */
function RulesPage({ spec }) {
  const { rules, problem } = useRules({ spec });
  const title = rules ? t("Rules of {game}", { game: t(rules.title) }) : t("Rules");
  useTitle(title);
  return html`<div class="page rules-page">
    <nav class="small"><a href="/rules">${t("All rules")}</a></nav>
    <div class="row apart"><h1>${title}</h1>
      ${rules && canPlay && html`<div class="learn"><${LearnButton} spec=${spec} seats=${rules.seats} /></div>`}</div>
    ${rules ? html`<${RulesText} rules=${rules} />` : html`<${Waiting} problem=${problem} />`}
  </div>`;
}

/** All variants, each with its goal. */
function AllRules() {
  const problem = useSignal("");
  const variants = useVariants((sentence) => { problem.value = sentence; });
  useTitle(t("Rules"));
  const families = [...new Set(variants.map(({ family }) => family))];
  const card = (/** @type {Variant} */ { name, label, sentence, goal, spec }) => html`
    <li key=${name}><a class="panel rules-card" href=${`/rules/${encodeURIComponent(spec)}`}>
      <img src=${`/api/picture.svg?spec=${encodeURIComponent(spec)}`} alt="" width="72" height="72" loading="lazy" />
      <span><strong>${t(label)}</strong><span class="soft small">${t(sentence)}</span>
        <span class="small">${t(goal)}</span></span></a></li>`;
  return html`<div class="page rules-page">
    <div class="row apart"><h1>${t("Rules")}</h1>
      ${variants.length > 0 && canPlay && html`
        <div class="learn"><${LearnButton} spec=${variants[0].spec} seats=${variants[0].seats} /></div>`}</div>
    <p>${t("All variants are the same game on different boards: a stone that encloses others in a line turns them.")}</p>
    <${Alert} text=${problem.value} />
    ${families.map((family) => html`<section key=${family.name}><h2>${t(family.label)}</h2>
      <ul class="rules-cards">${variants.filter((variant) => variant.family === family).map(card)}</ul></section>`)}
  </div>`;
}

/** @param {{params?: Params, asked?: Asked}} props */
export function View({ params, asked }) {
  if (asked) return html`<${Panel} asked=${asked} />`;
  return params?.id ? html`<${RulesPage} spec=${params.id} />` : html`<${AllRules} />`;
}
