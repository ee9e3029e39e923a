/** The three doors: a game against the computer or with a friend in one click, and all variants. */
import { useAction } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { plural, t } from "../../app/i18n.js";
import { firstOpponent, levelOf, playersFor, startGame } from "../../app/new-game.js";
import { specOf } from "../../app/specs.js";
import { Icon } from "../../components/icons.js";
import { LearnButton } from "../../components/learn.js";
import { LevelSlider } from "../../components/level.js";
import { Alert } from "../../components/page.js";

/** @import { Seat } from "../../app/new-game.js" */
/** @import { PlayerInfo, Variant } from "../../app/types.js" */

/** @param {{variant: Variant, count: number}} props */
export function Doors({ variant, count }) {
  const { isBusy, problem, run } = useAction();
  const players = useSignal(/** @type {PlayerInfo[]} */ ([]));
  const level = useSignal("");
  useEffect(() => {
    const stop = new AbortController();
    playersFor(variant.spec, stop.signal).then((found) => { players.value = found; }, () => {});
    return () => stop.abort();
  }, []);
  const [best] = players.value;
  const shown = level.value || firstOpponent(players.value).values.level || "";

  /** Whoever sits down first, and computers on the other seats. @type {(first: Seat["kind"][], seats: number, known: PlayerInfo[]) => Seat[]} */
  const table = (first, seats, known) => {
    const opponent = firstOpponent(known);
    const values = levelOf(known[0]) && shown ? { ...opponent.values, level: shown } : opponent.values;
    return Array.from({ length: seats }, (_, at) => ({ kind: first[at] ?? "computer", player: opponent.player, values }));
  };
  const start = (/** @type {Seat["kind"][]} */ first, /** @type {string} */ spec, /** @type {number} */ seats) => run(async () => {
    const known = players.value.length ? players.value : await playersFor(spec);
    await startGame({ spec }, table(first, seats, known), known);
  });
  const playComputer = () => start(["me"], variant.spec, variant.seats);
  const playFriend = () => {
    const forTwo = variant.for_two;
    if (forTwo) start(["me", "friend"], specOf(variant.name, variant.options, forTwo), 2);
    else start(["me", "friend"], variant.spec, variant.seats);
  };
  return html`
    <div class="doors">
      <div class="door-computer">
        <button class="button primary big" onClick=${playComputer} disabled=${isBusy.value}><${Icon} name="play" />
          ${isBusy.value ? t("Starting…") : t("Play the computer")}</button>
        ${best && !levelOf(best) && html`<p class="small"><strong>${t(best.label)}</strong> <span class="soft">${t(best.sentence)}</span></p>`}
        ${best && html`<${LevelSlider} player=${best} value=${shown}
          onChange=${(/** @type {string} */ value) => { level.value = value; }} />`}
      </div>
      <button class="button door" onClick=${playFriend} disabled=${isBusy.value}><${Icon} name="friends" />
        <span><strong>${t("Play a friend")}</strong><span class="small soft">${t("You get a link to send")}</span></span></button>
      <a class="button door" href="/play"><${Icon} name="boards" />
        <span><strong>${t("Explore the variants")}</strong>
          <span class="small soft">${plural(count, "One board", "{count} boards, two to eight players")}</span></span></a>
      <p class="door-learn small">${t("New here?")} <${LearnButton} spec=${variant.spec} seats=${variant.seats} look="quiet" isBrief=${true} />
        <a class="button quiet" href="/rules">${t("Rules")}</a>
        <a class="button quiet" href="/puzzles">${t("Puzzle of the day")}</a></p>
      <${Alert} text=${problem.value} />
    </div>`;
}
