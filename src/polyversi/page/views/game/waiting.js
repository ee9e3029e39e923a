/** Waits for friends: the links that one has to send. */
import { selectAll } from "../../app/fields.js";
import { html, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { mine } from "../../app/mine.js";
import { seatWord } from "../../app/tell.js";
import { words } from "../../words/words.js";
import { Stone } from "../parts/stone.js";
import { copy } from "./share.js";

/** @typedef {import("../../app/game.js").GameModel} GameModel */

/** The link of a seat with what one can do with it. @param {{address: string, name: string}} props */
function SeatLink({ address, name }) {
  const copied = useSignal(false);
  const share = () => {
    const what = { title: words.shell.name, text: words.game.invitationText, url: address };
    navigator.share(what).catch(() => {});    // whoever changes their mind
  };
  return html`
    <div class="row">
      <input class="grow digits" readonly aria-label=${name} value=${address} onFocus=${selectAll} />
      <button class="button" onClick=${async () => { copied.value = !(await copy(address)); }}>
        <${Icon} name=${copied.value ? "check" : "copy"} />${copied.value ? words.game.copied : words.game.copy}</button>
      ${"share" in navigator && html`
        <button class="button" onClick=${share}><${Icon} name="share" />${words.game.shareIt}</button>`}
    </div>`;
}

/** @param {{model: GameModel, seat: number, path: string}} props */
function Invitation({ model, seat, path }) {
  const description = model.description.value;
  if (!description) return null;
  const name = words.game.linkFor(seatWord(description, seat));
  const isTaken = Boolean(model.players.value[seat - 1]);
  return html`
    <div class="stack tight invitation">
      <span class="row"><${Stone} paint=${description.plan.seats[seat - 1]} />${name}
        ${isTaken && html`<span class="tag good">${words.game.taken}</span>`}</span>
      ${!isTaken && html`<${SeatLink} address=${`${location.origin}${path}`} name=${name} />`}
    </div>`;
}

/** @param {{model: GameModel}} props */
export function Waiting({ model }) {
  const links = Object.entries(mine(model.id)?.links ?? {});
  return html`
    <section class="panel stack"><h2>${words.game.status.waiting}</h2>
      ${links.length > 0 && html`<p class="soft">${words.game.invitation}</p>`}
      ${links.map(([seat, path]) => html`<${Invitation} key=${seat} model=${model} seat=${Number(seat)} path=${path} />`)}
    </section>`;
}
