/** What concerns somebody wherever they are: a challenge to them, and a game of theirs that has begun. */
import { useAction } from "../app/api.js";
import { html, render, signal } from "../app/html.js";
import { t } from "../app/i18n.js";
import { answer, begun, lobby, watchLobby } from "../app/lobby.js";
import { route } from "../app/router.js";
import { common } from "../app/words.js";
import { IconButton } from "./icons.js";

/** Challenges that somebody did not want to see now; the lobby has them. */
const later = signal(/** @type {string[]} */ ([]));

function News() {
  const { isBusy, problem, run } = useAction();
  const [game, view] = [begun.value, route.value.view];
  // Whoever is at a game has to see the board, and in the lobby it is there anyway.
  const [one] = view === "lobby" || view === "game" ? [] : (lobby.value?.incoming ?? []).filter(({ id }) => !later.value.includes(id));
  if (game) {
    return html`<div class="lobby-news" role="status">
      <span>${t("Your game of {game} has begun.", { game: t(game.title) })}</span>
      <a class="button primary" href=${`/game/${game.id}`}>${t("Go there")}</a>
      <${IconButton} icon="close" look="quiet" label=${t("Close")} onClick=${() => { begun.value = null; }} /></div>`;
  }
  if (!one) return null;
  const about = [t(one.title), common.limitName(one.limit), ...(one.is_rated ? [] : [t("not rated")])].join(" · ");
  return html`<div class="lobby-news" role="status">
    <span><strong>${t("{name} challenges you", { name: one.name })}</strong> <span class="soft">${about}</span></span>
    ${problem.value && html`<span class="bad">${problem.value}</span>`}
    <button class="button primary" disabled=${isBusy.value} onClick=${() => run(() => answer(one.id, "accept"))}>${t("Accept")}</button>
    <button class="button" disabled=${isBusy.value} onClick=${() => run(() => answer(one.id, "decline"))}>${t("Decline")}</button>
    <${IconButton} icon="close" look="quiet" label=${t("Later")} onClick=${() => { later.value = [...later.value, one.id]; }} /></div>`;
}

/** Shows the news over the page from now on. */
export function showLobbyNews() {
  watchLobby();
  const place = document.createElement("div");
  document.body.append(place);
  render(html`<${News} />`, place);
}
