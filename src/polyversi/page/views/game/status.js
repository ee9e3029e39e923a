/** Where the game stands: invitations before it, turn and offers during it, the result after it. */
import { selectAll } from "../../app/dom.js";
import { canPlay } from "../../app/features.js";
import { html } from "../../app/html.js";
import { savedGame, saveGame } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { CopyButton, Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { offenceText, playerName, resultText, seatName } from "./text.js";
import { words } from "./words.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, Result } from "../../app/types.js" */

/** The link of a seat with what one can do with it. @param {{address: string, name: string}} props */
function SeatLink({ address, name }) {
  const share = () => {
    const what = { title: common.name, text: words.invitationText, url: address };
    navigator.share(what).catch(() => {});    // cancelled
  };
  return html`
    <div class="row">
      <input class="grow digits" readonly aria-label=${name} value=${address} onFocus=${selectAll} />
      <${CopyButton} text=${address} label=${common.copy} />
      ${"share" in navigator && html`
        <button class="button" onClick=${share}><${Icon} name="share" />${words.shareIt}</button>`}
    </div>`;
}

/** @param {{model: GameModel, seat: number, path: string}} props */
function Invitation({ model, seat, path }) {
  const description = model.description.value;
  if (!description) return null;
  const name = words.linkFor(seatName(description, seat));
  const isTaken = Boolean(model.players.value[seat - 1]);
  return html`
    <div class="stack tight invitation">
      <span class="row"><${Stone} paint=${description.plan.seats[seat - 1]} />${name}
        ${isTaken && html`<span class="tag good">${words.taken}</span>`}</span>
      ${!isTaken && html`<${SeatLink} address=${`${location.origin}${path}`} name=${name} />`}
    </div>`;
}

/** @param {{model: GameModel}} props */
export function Waiting({ model }) {
  const links = Object.entries(savedGame(model.id)?.links ?? {});
  return html`
    <section class="panel stack"><h2>${words.status.waiting}</h2>
      ${links.length > 0 && html`<p class="soft">${words.invitation}</p>`}
      ${links.map(([seat, path]) => html`<${Invitation} key=${seat} model=${model} seat=${Number(seat)} path=${path} />`)}
    </section>`;
}

/**
 * Everybody by rank, where more than two play.
 * @param {{model: GameModel, description: Description, result: Result}} props
 */
function Ranks({ model, description, result }) {
  const places = result.ranks.map((rank, index) => ({ rank, seat: index + 1 }));
  places.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return html`
    <ol class="ranks" aria-label=${words.result}>${places.map(({ rank, seat }) => html`
      <li key=${seat}><span class="number">${words.speech.ordinal(rank)}</span>
        <${Stone} paint=${description.plan.seats[seat - 1]} size=${20} />
        <span class="grow">${model.players.value[seat - 1]}
          <span class="visually-hidden">, ${seatName(description, seat)}</span></span>
        ${description.scoring === "ranks" && html`
          <span class="soft small number">${words.points(result.points?.[seat - 1] ?? 0)}</span>`}
        <span class="number">${result.scores[seat - 1]}</span></li>`)}
    </ol>`;
}

/** @param {{model: GameModel}} props */
function Again({ model }) {
  const isMine = model.seats.value.length > 0;
  const next = model.next.value;
  if (next) {
    if (isMine && !savedGame(next)) saveGame(next, { token: model.token });
    const isOfRow = model.info.value?.kinds.includes("remote");
    return html`<a class="button primary" href=${`/game/${next}`}>${isOfRow ? words.toNext : words.toRematch}</a>`;
  }
  if (!isMine) return null;
  return html`
    <button class="button primary" disabled=${model.offer.value?.what === "rematch"} onClick=${() => model.rematch()}>
      <${Icon} name="again" />${words.rematch}</button>`;
}

/** @param {{model: GameModel}} props */
export function Outcome({ model }) {
  const [description, result] = [model.description.value, model.result.value];
  if (!description || !result) return null;
  const { title, why } = resultText(description, result);
  const isPair = description.seats === 2;
  return html`
    <section class="outcome panel stack tight">
      <div class="row apart"><h2>${title}</h2>
        ${isPair && html`<span class="outcome-score number">${result.scores.join(" – ")}</span>`}</div>
      <p class="soft">${why}</p>
      ${description.bad_move === "disqualify" && model.offences.value.map((offence) => html`
        <p key=${offence.seat} class="offence small">${offenceText(description, model.players.value, offence)}</p>`)}
      ${!isPair && html`<${Ranks} model=${model} description=${description} result=${result} />`}
      <div class="row"><${Again} model=${model} />${canPlay && html`<a class="button" href="/play">${words.newGame}</a>`}</div>
    </section>`;
}

/**
 * Who is to move, in words.
 * @param {GameModel} model
 * @param {Description} description
 */
function standing(model, description) {
  const { status } = words;
  if (model.pending.value) return status.sent;
  const asked = model.ownTurn.value;
  const isBombing = model.shown.value?.position.phase === "bomb";
  if (asked) {
    const seat = model.seats.value.length > 1 ? seatName(description, asked) : "";
    if (isBombing) return seat ? status.bombAs(seat) : status.bomb;
    return seat ? status.yoursAs(seat) : status.yours;
  }
  const turn = model.start.value ? model.turn.value : 0;
  if (!turn) return status.between;
  const who = playerName(description, model.players.value, turn);
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
  const forced = words.forcedPass(seatName(description, passed));
  const pass = model.moves.value.find(([, cell]) => cell < 0);
  return html`<div class=${`status ${model.ownTurn.value ? "asked" : ""}`}>
    ${offence && html`<p class="banner">${offenceText(description, model.players.value, offence)}</p>`}
    ${passed > 0 && html`<p class="banner">${isMine ? words.yourPass : common.capital(forced)}</p>`}
    <div class="row"><p class="standing">${standing(model, description)}</p>
      ${pass && html`
        <button class="button" onClick=${() => model.play(pass)}><${Icon} name="skip" />${words.pass}</button>`}</div>
  </div>`;
}

/** @param {{model: GameModel, description: Description}} props */
function OfferBar({ model, description }) {
  const [offer, declined] = [model.offer.value, model.declined.value];
  if (!offer) return declined && html`<p class="notice">${words.declined[declined]}</p>`;
  if (model.seats.value.includes(offer.seat)) return html`<p class="notice">${words.waitingFor[offer.what]}</p>`;
  const who = playerName(description, model.players.value, offer.seat);
  return html`<div class="notice"><p>${words.offers[offer.what](who)}</p>
    ${model.seats.value.length > 0 && html`<div class="row">
      <button class="button primary" onClick=${() => model.reply(true)}>${words.accept}</button>
      <button class="button" onClick=${() => model.reply(false)}>${words.decline}</button></div>`}</div>`;
}

/** What wants attention: looking back, offers, somebody who left, trouble. @param {{model: GameModel}} props */
export function Notices({ model }) {
  const description = model.description.value;
  if (!description) return null;
  const at = model.viewedPly.value;
  const { claim } = model.presence.value;
  const isOver = model.phase.value === "over";
  const mayClaim = claim > 0 && !isOver && model.seats.value.length > 0 && !model.seats.value.includes(claim);
  return html`<div class="notices">
    ${model.connection.state.value === "lost" && html`
      <p class="notice quiet" role="status">${common.reconnecting}</p>`}
    <${Alert} text=${model.problem.value} />
    ${at !== null && !isOver && html`
      <div class="notice"><p>${words.lookingAt(at, model.plies.value.length)}</p>
        <button class="button" onClick=${() => model.goTo(Infinity)}><${Icon} name="end" />${words.backToGame}</button>
      </div>`}
    <${OfferBar} model=${model} description=${description} />
    ${mayClaim && html`
      <div class="notice"><p>${words.claimable(playerName(description, model.players.value, claim))}</p>
        <button class="button primary" onClick=${() => model.claim()}>${words.claim}</button></div>`}
  </div>`;
}
