/** While a game runs: whose turn it is, who passed, offers, and whatever needs attention. */
import { canPlay } from "../../app/features.js";
import { playFrom } from "../../app/handover.js";
import { html } from "../../app/html.js";
import { number, plural, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Icon } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { setupOf } from "./controls.js";
import { declinedText, offenceText, offerText, ownSeat, playerName, seatName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description } from "../../app/types.js" */
/** @typedef {{model: GameModel, description: Description}} Props */

/** Who is to move, in words. @param {GameModel} model */
function standing(model) {
  if (model.pending.value) return t("Sending your move…");
  const asked = model.ownTurn.value;
  if (asked) {
    const isBomb = model.shown.value?.position.phase === "bomb";
    if (model.seats.value.length === 1) return isBomb ? t("Throw a bomb") : t("Your move");
    const name = seatName(model, asked);
    return isBomb ? t("Throw a bomb, {name}", { name }) : t("Your move, {name}", { name });
  }
  const turn = model.start.value ? model.turn.value : 0;
  if (!turn) return t("Waiting for the server…");
  const name = playerName(model, turn);
  return model.info.value?.kinds[turn - 1] === "computer" ? t("{name} is thinking", { name }) : t("{name} to move", { name });
}

/** The seat whose turn was passed just now because it had no move, or 0. @param {GameModel} model */
function passedNow(model) {
  const [before, last] = [model.plies.value.at(-2), model.plies.value.at(-1)];
  if (last?.forced) return last.seat;
  // A computer may move again at once and would hide the notice: it stays for one move of another player.
  return before?.forced && last && !model.seats.value.includes(last.seat) ? before.seat : 0;
}

/** The way to what several others have played since the visitor's last move. @param {Props} props */
function SinceYours({ model, description }) {
  const own = model.plies.value.findLastIndex(({ seat }) => model.seats.value.includes(seat)) + 1;
  const count = model.plies.value.length - own;
  if (description.seats < 3 || !own || count < 2 || !model.ownTurn.value) return null;
  return html`<button class="button quiet since" onClick=${() => model.goTo(own)}><${Icon} name="again" />
    ${plural(count, "Step through {count} move since yours", "Step through {count} moves since yours")}</button>`;
}

/** @param {Props} props */
export function Status({ model, description }) {
  const passed = passedNow(model);
  const offence = model.offences.value.at(-1);
  const isRecent = offence && model.plies.value.length - offence.ply < description.seats;
  const pass = model.moves.value.find(([, cell]) => cell < 0);
  return html`<div class=${`status ${model.ownTurn.value ? "asked" : ""}`}>
    ${isRecent && html`<p class="banner">${offenceText(model, offence)}</p>`}
    ${passed > 0 && html`<p class="banner">${ownSeat(model) === passed
      ? t("You have no legal move, so you pass.")
      : t("{name} has no legal move and passes.", { name: common.capital(seatName(model, passed)) })}</p>`}
    <div class="row"><p class="standing">${standing(model)}</p>
      ${pass && html`
        <button class="button" onClick=${() => model.play(pass)}><${Icon} name="skip" />${t("Pass")}</button>`}
      ${model.behind.value > 3 && html`<button class="button quiet small" onClick=${() => model.catchUp()}>
        <${Icon} name="end" />${t("Skip to now")}</button>`}
    </div>
    <${SinceYours} model=${model} description=${description} />
  </div>`;
}

/** @param {{model: GameModel}} props */
function OfferBar({ model }) {
  const [offer, declined] = [model.offer.value, model.declined.value];
  if (!offer) return declined && html`<p class="notice">${declinedText(declined)}</p>`;
  const own = model.seats.value;
  return html`<div class="notice"><p>${offerText(model, offer)}</p>
    ${own.length > 0 && !own.includes(offer.seat) && html`<div class="row">
      <button class="button primary" onClick=${() => model.reply(true)}>${t("Accept")}</button>
      <button class="button" onClick=${() => model.reply(false)}>${t("Decline")}</button></div>`}</div>`;
}

/** An earlier position of a game that goes on. @param {{model: GameModel, ply: number}} props */
function LookingBack({ model, ply }) {
  const total = number(model.plies.value.length);
  return html`
    <div class="notice">
      <p>${ply
        ? t("You are looking at move {number} of {total}.", { number: number(ply), total })
        : t("You are looking at the start.")}</p>
      <div class="row">
        <button class="button" onClick=${() => model.goTo(Infinity)}><${Icon} name="end" />${t("Back to the game")}</button>
        ${canPlay && html`<button class="button" onClick=${() => playFrom(setupOf(model))}>
          <${Icon} name="branch" />${t("Play from here")}</button>`}
      </div>
    </div>`;
}

/** What needs attention: looking back, offers, somebody who left, problems. @param {{model: GameModel}} props */
export function Notices({ model }) {
  const [at, own] = [model.viewedPly.value, model.seats.value];
  const { claim } = model.presence.value;
  const isOver = model.phase.value === "over";
  return html`<div class="notices">
    ${model.connection.state.value === "lost" && html`
      <p class="notice quiet" role="status">${common.reconnecting}</p>`}
    <${Alert} text=${model.problem.value} />
    ${at !== null && !isOver && html`<${LookingBack} model=${model} ply=${at} />`}
    <${OfferBar} model=${model} />
    ${claim > 0 && !isOver && own.length > 0 && !own.includes(claim) && html`
      <div class="notice"><p>${t("{name} left and has not come back.", { name: playerName(model, claim) })}</p>
        <button class="button primary" onClick=${() => model.claim()}>${t("Claim the game")}</button></div>`}
  </div>`;
}
