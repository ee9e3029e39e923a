/** A small board that plays an example of the rules over and over, unless the visitor wants no motion. */
import { html, useEffect, useRef, useSignal } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { animation } from "../../app/settings.js";
import { BoardHost } from "../../components/board.js";
import { IconButton } from "../../components/icons.js";
import { said } from "../../components/rules.js";
import { HOLE } from "../../board/config.js";

/** @import { RulesExample } from "../../app/types.js" */

/** Milliseconds that a position is shown, that the coming move is shown in it, and that the last position stays. */
const [POSITION, PREVIEW, LAST] = [1100, 1100, 2600];

/** Each position, and between them the move that comes: an even step is position step / 2. @param {RulesExample} example */
const stepsOf = ({ frames }) => frames.length * 2 - 1;

/** Whether an element is on the screen. @param {{current: Element|null}} element */
function useOnScreen(element) {
  const isSeen = useSignal(false);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new IntersectionObserver(([{ isIntersecting }]) => { isSeen.value = isIntersecting; });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return isSeen.value;
}

/** What the board shows at a step. @param {RulesExample} example @param {number} step */
function configOf({ frames, plan, moves }, step) {
  const at = Math.floor(step / 2);
  const [frame, next] = [frames[at], frames[at + 1]];
  const isBomb = next ? next.turned.some((cell) => next.tiles[cell] === HOLE) : false;
  const isComing = step % 2 === 1 && next.last !== null;
  return {
    tiles: frame.tiles, turn: frame.turn, last: frame.last, turned: frame.turned,
    legal: isComing ? [] : frame.legal,
    preview: isComing ? { cell: next.last ?? 0, seat: frame.turn, turned: next.turned, bomb: isBomb } : null,
    title: moves.join(" "),
    coordinates: plan.labels.length > 0,
    selectable: false,
  };
}

/** The move that led to a step or comes at it, in words. @param {RulesExample} example @param {number} step */
function caption({ frames, moves, plan }, step) {
  const at = step % 2 ? (step - 1) / 2 : step / 2 - 1;
  if (at < 0) return "";
  const player = t(plan.seats[frames[at].turn - 1]?.name ?? "");
  const [cell] = moves[at].split(":", 1);
  return moves[at] === "pass" ? t("{player} passes", { player }) : t("{player}: {cell}", { player, cell });
}

/** @param {{example: RulesExample}} props */
export function ExampleBoard({ example }) {
  const place = useRef(/** @type {HTMLElement|null} */ (null));
  const isStill = !animation.value || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const count = stepsOf(example);
  const playing = useSignal(!isStill && count > 1);
  // Who wants no motion sees how it ends, with its marks, and steps through it by hand.
  const step = useSignal(isStill ? count - 1 : 0);
  const isSeen = useOnScreen(place);
  useEffect(() => {
    if (!playing.value || !isSeen) return undefined;
    const wait = step.value === count - 1 ? LAST : step.value % 2 ? PREVIEW : POSITION;
    const timer = setTimeout(() => { step.value = (step.value + 1) % count; }, wait);
    return () => clearTimeout(timer);
  }, [playing.value, isSeen, step.value]);
  const go = () => {
    playing.value = false;
    step.value = (step.value + 1) % count;
  };
  const words = example.sentences.map(said).join(" ");
  // Nothing flips back when it begins again.
  const config = { ...configOf(example, step.value), ...(step.value === 0 ? { animate: false } : {}) };
  const size = example.plan.x.length <= 30 ? "few" : "";
  return html`<figure ref=${place} class=${`rules-example ${size}`} data-example=${example.name} data-step=${step.value}>
    <div class="rules-board" role="img" aria-label=${words}>
      <div inert><${BoardHost} plan=${example.plan} config=${config} /></div></div>
    <figcaption>
      ${count > 1 && html`<div class="row apart"><span class="small soft" aria-hidden="true">${caption(example, step.value)}</span>
        <span class="row rules-steps">
          <${IconButton} icon=${playing.value ? "pause" : "play"} look="quiet" label=${playing.value ? t("Pause") : t("Play the moves")}
            onClick=${() => { playing.value = !playing.value; }} />
          <${IconButton} icon="on" look="quiet" label=${t("Next step")} onClick=${go} /></span></div>`}
      <p class="small">${words}</p>
    </figcaption>
  </figure>`;
}
