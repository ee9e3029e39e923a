/** The coach of a first game: one tip at a time beside the board, never in the way of a move. */
import { announce } from "../../app/announcer.js";
import { useFetched } from "../../app/api.js";
import { endCoaching, rememberTips, tipsGiven } from "../../app/coaching.js";
import { html, useEffect, useMemo, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { Icon } from "../../components/icons.js";
import { rulesPath } from "../../components/rules.js";
import { TIPS } from "./tips.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, Rulebook } from "../../app/types.js" */
/** @import { Moment } from "./tips.js" */

/** Whether the visitor plays one seat, and computers the others. @param {GameModel} model */
function isForCoach(model) {
  const [kinds, own] = [model.info.value?.kinds ?? [], model.seats.value];
  return own.length === 1 && kinds.every((kind, index) => kind === "computer" || own.includes(index + 1));
}

/** @param {{model: GameModel, description: Description}} props */
export function Coach({ model, description }) {
  const isMeant = isForCoach(model) && model.phase.value !== "waiting";
  const given = useMemo(() => (isMeant ? tipsGiven(model.id) : null), [model.id, isMeant]);
  return given && html`<${Coached} key=${model.id} model=${model} description=${description} before=${given} />`;
}

/**
 * The game as it stands for the visitor.
 * @type {(model: GameModel, description: Description, rules: Rulebook) => Moment|null}
 */
function momentOf(model, description, rules) {
  const shown = model.shown.value;
  const [seat] = model.seats.value;
  if (!shown?.live || model.pending.value) return null;
  const turns = model.plies.value.filter((ply) => ply.seat === seat && !ply.forced).length;
  return { model, description, rules, seat, moves: model.moves.value, tiles: shown.tiles, turns };
}

/** @param {{model: GameModel, description: Description, before: string[]}} props */
function Coached({ model, description, before }) {
  /** The names of the tips that were given in this game; null when there are to be no more. */
  const given = useSignal(/** @type {string[]|null} */ (before));
  /** The tip that is shown, and how often the visitor had moved when it came. */
  const shown = useSignal(/** @type {{name: string, text: string, turns: number}|null} */ (null));
  const isOver = model.phase.value === "over";
  /** @type {Rulebook|null} */
  const rules = useFetched(rulesPath({ game: model.id }));
  const now = rules && given.value && !isOver ? momentOf(model, description, rules) : null;
  useEffect(() => {
    if (!now) return;
    // Whoever has moved on has read it, or does not want to.
    if (shown.value && now.turns > shown.value.turns) shown.value = null;
    if (shown.value) return;
    for (const [name, textOf] of TIPS) {
      const text = given.value?.includes(name) ? "" : textOf(now);
      if (!text) continue;
      given.value = [...(given.value ?? []), name];
      rememberTips(model.id, given.value);
      shown.value = { name, text, turns: now.turns };
      announce(t("Tip: {text}", { text }));
      return;
    }
  });
  if (!given.value) return null;
  const end = () => {
    given.value = null;
    endCoaching();
  };
  if (isOver) return html`<${Farewell} onClose=${end} />`;
  const tip = shown.value;
  return tip && html`<section class="coach" aria-label=${t("Tip")} data-tip=${tip.name}>
    <p><${Icon} name="bulb" /><span>${tip.text}</span></p>
    <div class="row">
      <button type="button" class="button" onClick=${() => { shown.value = null; }}>${t("Got it")}</button>
      <button type="button" class="button quiet" onClick=${end}>${t("Skip all tips")}</button></div>
  </section>`;
}

/** After the first game: where to go from here. @param {{onClose: () => void}} props */
function Farewell({ onClose }) {
  return html`<section class="coach" aria-label=${t("Tip")} data-tip="over">
    <p><${Icon} name="bulb" /><span>${t("The game is over. Every other variant is the same game with a twist.")}</span></p>
    <div class="row"><a class="button" href="/rules" onClick=${onClose}>${t("All rules")}</a>
      <button type="button" class="button quiet" onClick=${onClose}>${t("No more tips")}</button></div>
  </section>`;
}
