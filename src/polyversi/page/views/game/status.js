/** Where the game stands in a line, and notices that want an answer. */
import { html } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { offenceWords, playerWord, seatWord } from "../../app/tell.js";
import { words } from "../../words/words.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */
/** @typedef {import("../../app/types.js").Description} Description */

/**
 * Who is to move, in words.
 * @param {GameModel} model
 * @param {Description} description
 */
function standing(model, description) {
  const { status } = words.game;
  if (model.pending.value) return status.sent;
  const asked = model.asked.value;
  const isBombing = model.shown.value?.position.phase === "bomb";
  if (asked) {
    const seat = model.seats.value.length > 1 ? seatWord(description, asked) : "";
    if (isBombing) return seat ? status.bombAs(seat) : status.bomb;
    return seat ? status.yoursAs(seat) : status.yours;
  }
  const turn = model.start.value ? model.turn.value : 0;
  if (!turn) return status.between;
  const who = playerWord(description, model.players.value, turn);
  return model.info.value?.kinds[turn - 1] === "computer" ? status.thinks(who) : status.theirs(who);
}

/** The turn that was passed just now because there was no move. @param {GameModel} model */
function passedNow(model) {
  const plies = model.plies.value;
  const last = plies.at(-1);
  if (last?.forced) return last.seat;
  // A computer that may move again at once would hide the notice: it stays for one move of another.
  const before = plies.at(-2);
  return before?.forced && last && !model.seats.value.includes(last.seat) ? before.seat : 0;
}

/**
 * What a seat did wrong within the last round.
 * @param {GameModel} model
 * @param {Description} description
 */
function offenceNow(model, description) {
  const offence = model.offences.value.at(-1);
  return offence && model.plies.value.length - offence.ply < description.seats ? offence : null;
}

/** @param {{model: GameModel}} props */
export function Status({ model }) {
  const description = model.description.value;
  const shown = model.shown.value;
  if (!description || !shown) return null;
  const passed = passedNow(model);
  const offence = offenceNow(model, description);
  const isMine = model.seats.value.includes(passed) && model.seats.value.length === 1;
  const forced = words.game.forcedPass(seatWord(description, passed));
  const pass = model.moves.value.find(([, cell]) => cell < 0);
  return html`<div class=${`status ${model.asked.value ? "asked" : ""}`}>
    ${offence && html`<p class="banner">${offenceWords(description, model.players.value, offence)}</p>`}
    ${passed > 0 && html`<p class="banner">${isMine ? words.game.yourPass : words.speech.capital(forced)}</p>`}
    <div class="row"><p class="standing">${standing(model, description)}</p>
      ${pass && html`
        <button class="button" onClick=${() => model.play(pass)}><${Icon} name="skip" />${words.game.pass}</button>`}</div>
  </div>`;
}

/** @param {{model: GameModel, description: Description}} props */
function OfferBar({ model, description }) {
  const [offer, declined] = [model.offer.value, model.declined.value];
  if (!offer) return declined && html`<p class="notice">${words.game.declined[declined]}</p>`;
  if (model.seats.value.includes(offer.seat)) return html`<p class="notice">${words.game.waitingFor[offer.what]}</p>`;
  const who = playerWord(description, model.players.value, offer.seat);
  return html`<div class="notice"><p>${words.game.offers[offer.what](who)}</p>
    ${model.seats.value.length > 0 && html`<div class="row">
      <button class="button primary" onClick=${() => model.reply(true)}>${words.game.accept}</button>
      <button class="button" onClick=${() => model.reply(false)}>${words.game.decline}</button></div>`}</div>`;
}

/** What wants attention: looking back, offers, somebody who left, trouble. @param {{model: GameModel}} props */
export function Notices({ model }) {
  const description = model.description.value;
  if (!description) return null;
  const at = model.at.value;
  const { claim } = model.presence.value;
  const isOver = model.phase.value === "over";
  const mayClaim = claim > 0 && !isOver && model.seats.value.length > 0 && !model.seats.value.includes(claim);
  return html`<div class="notices">
    ${model.connection.state.value === "lost" && html`
      <p class="notice quiet" role="status">${words.game.reconnecting}</p>`}
    ${model.problem.value && html`<p class="problem" role="alert">${model.problem.value}</p>`}
    ${at !== null && !isOver && html`
      <div class="notice"><p>${words.game.lookingAt(at, model.plies.value.length)}</p>
        <button class="button" onClick=${() => model.look(Infinity)}><${Icon} name="end" />${words.game.backToGame}</button>
      </div>`}
    <${OfferBar} model=${model} description=${description} />
    ${mayClaim && html`
      <div class="notice"><p>${words.game.claimable(playerWord(description, model.players.value, claim))}</p>
        <button class="button primary" onClick=${() => model.claim()}>${words.game.claim}</button></div>`}
  </div>`;
}
