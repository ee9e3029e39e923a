/** The state of the game: invitations before it starts, turn and offers while it runs, the result when it is over. */
import { selectAll } from "../../app/dom.js";
import { canPlay } from "../../app/features.js";
import { html } from "../../app/html.js";
import { playerName as nameOf } from "../../app/players.js";
import { savedGame, saveGame } from "../../app/storage.js";
import { common } from "../../app/words.js";
import { CopyButton, Icon, Stone } from "../../components/icons.js";
import { Alert } from "../../components/page.js";
import { declinedText, offenceText, offerText, ordinal, playerName, resultText, seatName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, Result } from "../../app/types.js" */
/** @typedef {{model: GameModel, description: Description}} Props */

/** The link for a seat, with buttons to copy and share it. @param {{address: string, name: string}} props */
function SeatLink({ address, name }) {
  const share = () => {
    const what = { title: common.name, text: "Play a game of Reversi with me", url: address };
    navigator.share(what).catch(() => {});    // cancelled
  };
  return html`
    <div class="row">
      <input class="grow digits" readonly aria-label=${name} value=${address} onFocus=${selectAll} />
      <${CopyButton} text=${address} label=${common.copy} />
      ${"share" in navigator && html`<button class="button" onClick=${share}><${Icon} name="share" />Share</button>`}
    </div>`;
}

/** @param {Props} props */
export function Waiting({ model, description }) {
  const links = Object.entries(savedGame(model.id)?.links ?? {});
  return html`
    <section class="panel stack"><h2>Waiting for the others</h2>
      ${links.length > 0 && html`
        <p class="soft">Send each friend the link for a seat. The game starts when everybody is here.</p>`}
      ${links.map(([seat, path]) => {
        const name = `Link for ${seatName(model, Number(seat))}`;
        const isTaken = Boolean(model.players.value[Number(seat) - 1]);
        return html`
          <div key=${seat} class="stack tight invitation">
            <span class="row"><${Stone} paint=${description.plan.seats[Number(seat) - 1]} />${name}
              ${isTaken && html`<span class="tag good">taken</span>`}</span>
            ${!isTaken && html`<${SeatLink} address=${`${location.origin}${path}`} name=${name} />`}
          </div>`;
      })}
    </section>`;
}

/** Everybody by rank, where more than two play. @param {Props & {result: Result}} props */
function Ranks({ model, description, result }) {
  const places = result.ranks.map((rank, index) => ({ rank, seat: index + 1 }));
  places.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return html`
    <ol class="ranks" aria-label="Result">${places.map(({ rank, seat }) => html`
      <li key=${seat}><span class="number">${ordinal(rank)}</span>
        <${Stone} paint=${description.plan.seats[seat - 1]} size=${20} />
        <span class="grow">${nameOf(model.players.value[seat - 1])}
          <span class="visually-hidden">, ${seatName(model, seat)}</span></span>
        ${description.scoring === "ranks" && html`
          <span class="soft small number">${common.counted(result.points[seat - 1], "point")}</span>`}
        <span class="number">${result.scores[seat - 1]}</span></li>`)}
    </ol>`;
}

/** The way to the next game. @param {{model: GameModel}} props */
function Again({ model }) {
  const isMine = model.seats.value.length > 0;
  const next = model.next.value;
  if (next) {
    if (isMine && !savedGame(next)) saveGame(next, { token: model.token });
    const what = model.info.value?.kinds.includes("remote") ? "next game" : "rematch";
    return html`<a class="button primary" href=${`/game/${next}`}>Go to the ${what}</a>`;
  }
  return isMine && html`
    <button class="button primary" disabled=${model.offer.value?.what === "rematch"} onClick=${() => model.rematch()}>
      <${Icon} name="again" />Rematch</button>`;
}

/** @param {Props} props */
export function Outcome({ model, description }) {
  const result = model.result.value;
  if (!result) return null;
  const { title, why } = resultText(model, result);
  const isPair = description.seats === 2;
  return html`
    <section class="outcome panel stack tight">
      <div class="row apart"><h2>${title}</h2>
        ${isPair && html`<span class="outcome-score number">${result.scores.join(" – ")}</span>`}</div>
      <p class="soft">${why}</p>
      ${description.bad_move === "disqualify" && model.offences.value.map((offence) => html`
        <p key=${offence.seat} class="offence small">${offenceText(model, offence)}</p>`)}
      ${!isPair && html`<${Ranks} model=${model} description=${description} result=${result} />`}
      <div class="row"><${Again} model=${model} />
        ${canPlay && html`<a class="button" href="/play">New game</a>`}</div>
    </section>`;
}

/** Who is to move, in words. @param {GameModel} model */
function standing(model) {
  if (model.pending.value) return "Sending your move…";
  const asked = model.ownTurn.value;
  if (asked) {
    const what = model.shown.value?.position.phase === "bomb" ? "Throw a bomb" : "Your move";
    return model.seats.value.length > 1 ? `${what}, ${seatName(model, asked)}` : what;
  }
  const turn = model.start.value ? model.turn.value : 0;
  if (!turn) return "Waiting for the server…";
  return `${playerName(model, turn)} ${model.info.value?.kinds[turn - 1] === "computer" ? "is thinking" : "to move"}`;
}

/** The seat whose turn was passed just now because it had no move, or 0. @param {GameModel} model */
function passedNow(model) {
  const [before, last] = [model.plies.value.at(-2), model.plies.value.at(-1)];
  if (last?.forced) return last.seat;
  // A computer may move again at once and would hide the notice: it stays for one move of another player.
  return before?.forced && last && !model.seats.value.includes(last.seat) ? before.seat : 0;
}

/** @param {Props} props */
export function Status({ model, description }) {
  const passed = passedNow(model);
  const offence = model.offences.value.at(-1);
  const isRecent = offence && model.plies.value.length - offence.ply < description.seats;
  const isMine = model.seats.value.includes(passed) && model.seats.value.length === 1;
  const pass = model.moves.value.find(([, cell]) => cell < 0);
  return html`<div class=${`status ${model.ownTurn.value ? "asked" : ""}`}>
    ${isRecent && html`<p class="banner">${offenceText(model, offence)}</p>`}
    ${passed > 0 && html`<p class="banner">${isMine
      ? "You have no legal move: your turn is passed."
      : `${common.capital(seatName(model, passed))} has no legal move and passes.`}</p>`}
    <div class="row"><p class="standing">${standing(model)}</p>
      ${pass && html`
        <button class="button" onClick=${() => model.play(pass)}><${Icon} name="skip" />Pass</button>`}</div>
  </div>`;
}

/** @param {{model: GameModel}} props */
function OfferBar({ model }) {
  const [offer, declined] = [model.offer.value, model.declined.value];
  if (!offer) return declined && html`<p class="notice">${declinedText(declined)}</p>`;
  const own = model.seats.value;
  return html`<div class="notice"><p>${offerText(model, offer)}</p>
    ${own.length > 0 && !own.includes(offer.seat) && html`<div class="row">
      <button class="button primary" onClick=${() => model.reply(true)}>Accept</button>
      <button class="button" onClick=${() => model.reply(false)}>Decline</button></div>`}</div>`;
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
    ${at !== null && !isOver && html`
      <div class="notice">
        <p>You are looking at ${at ? `move ${at} of ${model.plies.value.length}` : "the start"}</p>
        <button class="button" onClick=${() => model.goTo(Infinity)}><${Icon} name="end" />Back to the game</button>
      </div>`}
    <${OfferBar} model=${model} />
    ${claim > 0 && !isOver && own.length > 0 && !own.includes(claim) && html`
      <div class="notice"><p>${playerName(model, claim)} left and has not come back.</p>
        <button class="button primary" onClick=${() => model.claim()}>Claim the game</button></div>`}
  </div>`;
}
