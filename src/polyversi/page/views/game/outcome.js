/** How a game ended, and what one may do next. */
import { html } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { isForPlaying } from "../../app/offers.js";
import { keepGame, mine } from "../../app/mine.js";
import { offenceWords, resultWords, seatWord } from "../../app/tell.js";
import { words } from "../../words/words.js";
import { Stone } from "../parts/stone.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */
/** @typedef {import("../../app/types.js").Description} Description */
/** @typedef {import("../../app/types.js").Result} Result */

/**
 * Everybody by rank, where more than two play.
 * @param {{model: GameModel, description: Description, result: Result}} props
 */
function Ranks({ model, description, result }) {
  const places = result.ranks.map((rank, index) => ({ rank, seat: index + 1 }));
  places.sort((one, other) => one.rank - other.rank || one.seat - other.seat);
  return html`
    <ol class="ranks" aria-label=${words.game.result}>${places.map(({ rank, seat }) => html`
      <li key=${seat}><span class="number">${words.speech.ordinal(rank)}</span>
        <${Stone} paint=${description.plan.seats[seat - 1]} size=${20} />
        <span class="grow">${model.players.value[seat - 1]}
          <span class="visually-hidden">, ${seatWord(description, seat)}</span></span>
        ${description.is_xt && html`
          <span class="soft small number">${words.game.points(result.points?.[seat - 1] ?? 0)}</span>`}
        <span class="number">${result.scores[seat - 1]}</span></li>`)}
    </ol>`;
}

/** @param {{model: GameModel}} props */
function Again({ model }) {
  const isMine = model.seats.value.length > 0;
  const next = model.next.value;
  if (next) {
    if (isMine && !mine(next)) keepGame(next, { token: model.token });
    const isOfRow = model.info.value?.kinds.includes("remote");
    return html`<a class="button primary" href=${`/game/${next}`}>${isOfRow ? words.game.toNext : words.game.toRematch}</a>`;
  }
  if (!isMine) return null;
  return html`
    <button class="button primary" disabled=${model.offer.value?.what === "rematch"} onClick=${() => model.rematch()}>
      <${Icon} name="again" />${words.game.rematch}</button>`;
}

/** @param {{model: GameModel}} props */
export function Outcome({ model }) {
  const [description, result] = [model.description.value, model.result.value];
  if (!description || !result) return null;
  const { title, why } = resultWords(description, result);
  const isPair = description.seats === 2;
  return html`
    <section class="outcome panel stack tight">
      <div class="row apart"><h2>${title}</h2>
        ${isPair && html`<span class="outcome-score number">${result.scores.join(" – ")}</span>`}</div>
      <p class="soft">${why}</p>
      ${description.is_xt && model.offences.value.map((offence) => html`
        <p key=${offence.seat} class="offence small">${offenceWords(description, model.players.value, offence)}</p>`)}
      ${!isPair && html`<${Ranks} model=${model} description=${description} result=${result} />`}
      <div class="row"><${Again} model=${model} />${isForPlaying && html`<a class="button" href="/play">${words.game.newGame}</a>`}</div>
    </section>`;
}
