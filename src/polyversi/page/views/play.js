/** Where a game is set up: one click for the usual one, pictures to choose from for all others. */
import { allVariants, get, sentenceOf } from "../app/api.js";
import { html, useEffect, useMemo, useSignal } from "../app/html.js";
import { keep, kept, name } from "../app/settings.js";
import { useTitle } from "../app/title.js";
import { words } from "../words/words.js";
import { begin, offeredValues, usualPlayer } from "./play/begin.js";
import { Continue } from "./play/continue.js";
import { takeEdited } from "./play/edited.js";
import { Gallery } from "./play/gallery.js";
import { Setup } from "./play/setup.js";
import { readSpec, specOf } from "./parts/options.js";
import { OpenRecord } from "./watch/open.js";

/** @typedef {import("../app/types.js").PlayerInfo} PlayerInfo */
/** @typedef {import("../app/types.js").Variant} Variant */

/** One click: Othello, black, against a computer that plays well and can be beaten. */
function Quick() {
  const problem = useSignal("");
  const busy = useSignal(false);
  const start = async () => {
    busy.value = true;
    try {
      const me = { kind: "me", name: name.value || words.play.namePlaceholder };
      const players = await get("/api/players?spec=othello");
      const { name: usual, options } = players.find((/** @type {PlayerInfo} */ one) => one.name === usualPlayer(players));
      const computer = { kind: "computer", player: specOf(usual, options, offeredValues(usual)) };
      await begin({ spec: "othello", seats: [me, computer], limit: "none" });
    } catch (error) {
      problem.value = sentenceOf(error);
      busy.value = false;
    }
  };
  return html`<div class="quick">
    <button class="button primary big" onClick=${start} disabled=${busy.value}>
      ${busy.value ? words.play.beginning : words.play.quick}</button>
    <p class="soft small">${words.play.quickHint}</p>
    ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
  </div>`;
}

/** @param {{params: import("../app/router.js").Params}} props */
export function PlayView({ params }) {
  useTitle(words.play.title);
  const variants = useSignal(/** @type {Variant[]} */ ([]));
  const problem = useSignal("");
  const chosen = useSignal({ name: "othello", values: /** @type {Record<string, string>} */ ({}) });
  useEffect(() => {
    allVariants().then((found) => {
      variants.value = found;
      const last = readSpec(kept("spec") ?? "", found.map((/** @type {Variant} */ variant) => variant.name));
      if (last.name) chosen.value = last;
    }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  const isEdited = params.query.get("from") === "editor";
  const edited = useMemo(() => (isEdited ? takeEdited() : null), [isEdited]);
  const variant = variants.value.find((one) => one.name === chosen.value.name);
  const spec = variant ? specOf(variant.name, variant.options, chosen.value.values) : "";
  useEffect(() => { if (spec) keep("spec", spec); }, [spec]);
  return html`<div class="page play stack">
    <div class="row apart">
      <div><h1>${words.play.title}</h1><p class="soft">${words.play.lead}</p></div><${OpenRecord} /></div>
    ${!edited && html`<${Quick} /><${Continue} />`}
    ${problem.value && html`<p class="problem" role="alert">${problem.value}</p>`}
    ${variant && html`<div class=${edited ? "play-edited" : "play-columns"}>
      ${!edited && html`<${Gallery} variants=${variants.value} chosen=${variant.name}
        onChoose=${(/** @type {string} */ one) => { chosen.value = { name: one, values: {} }; }} />`}
      <${Setup} key=${edited ? "edited" : variant.name} edited=${edited} variant=${variant} spec=${spec}
        values=${chosen.value.values} onValues=${(/** @type {Record<string, string>} */ values) => { chosen.value = { ...chosen.value, values }; }} />
    </div>`}
  </div>`;
}
