/** Challenges in lists: those for this person, one's own, and those that anybody can accept. */
import { useAction } from "../../app/api.js";
import { html } from "../../app/html.js";
import { ago, list, number, t } from "../../app/i18n.js";
import { answer, mayPlay } from "../../app/lobby.js";
import { common } from "../../app/words.js";
import { Alert } from "../../components/page.js";

/** @import { RunningGame, ShownChallenge } from "../../app/messages.js" */

/** A person, with the rating where there is one. @param {{challenge: ShownChallenge}} props */
function Who({ challenge: { name, rating, is_here: isHere } }) {
  return html`<span class="lobby-who"><span class=${`lobby-here ${isHere ? "yes" : ""}`} role="img"
      aria-label=${isHere ? t("is here") : t("is away")} title=${isHere ? t("is here") : t("is away")}></span>
    <span class="lobby-name"><a href=${`/people/${encodeURIComponent(name)}`}><bdi class="long-name">${name}</bdi></a>
      <span class="soft small number">${rating ? common.rating(rating.value, rating.error) : t("new")}</span></span></span>`;
}

/** What is to be played. @param {{challenge: ShownChallenge}} props */
function What({ challenge: { title, limit, is_rated: isRated, seats, joined } }) {
  return html`<span class="lobby-what"><span>${t(title)}</span>
    <span class="soft">${common.limitName(limit)}</span>
    ${!isRated && html`<span class="tag">${t("not rated")}</span>`}
    ${seats > 2 && html`<span class="tag number">${t("{count} of {seats} players", { count: number(joined.length + 1), seats: number(seats) })}</span>`}</span>`;
}

/** A button for something about a challenge. @param {{id: string, what: "accept"|"decline"|"withdraw", label: string, about: string, look?: string, run: ReturnType<typeof useAction>}} props */
function Act({ id, what, label, about, look = "", run: { isBusy, run } }) {
  return html`<button type="button" class=${`button ${look}`} disabled=${isBusy.value} aria-label=${`${label}: ${about}`}
    onClick=${() => run(() => answer(id, what))}>${label}</button>`;
}

/** What a challenge is called where it is not seen. @param {ShownChallenge} challenge */
const inWords = ({ name, title, limit }) => `${name}, ${t(title)}, ${common.limitName(limit)}`;

/** @param {{challenges: ShownChallenge[]}} props */
export function Incoming({ challenges }) {
  const action = useAction();
  if (!challenges.length) return null;
  return html`<section class="panel stack tight lobby-incoming" aria-labelledby="lobby-incoming"><h2 id="lobby-incoming">${t("You are challenged")}</h2>
    <${Alert} text=${action.problem.value} look="small" />
    <ul class="lobby-list">${challenges.map((one) => html`<li key=${one.id}><${Who} challenge=${one} /><${What} challenge=${one} />
      <span class="lobby-acts"><${Act} id=${one.id} what="accept" label=${t("Accept")} about=${inWords(one)} look="primary" run=${action} />
        <${Act} id=${one.id} what="decline" label=${t("Decline")} about=${inWords(one)} run=${action} /></span></li>`)}</ul></section>`;
}

/** Whom a challenge of one's own waits for. @param {ShownChallenge} challenge */
function waiting({ opponent, is_quick: isQuick, joined, phase }) {
  if (phase === "declined") return t("{name} has declined.", { name: opponent });
  if (opponent) return t("Waits for {name}.", { name: opponent });
  if (joined.length) return t("With {names}; waits for more.", { names: list(joined) });
  return isQuick ? t("Looking for somebody who wants the same… Keep this page open.") : t("Waits for anybody.");
}

/** @param {{challenges: ShownChallenge[]}} props */
export function Own({ challenges }) {
  const action = useAction();
  if (!challenges.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="lobby-own"><h2 id="lobby-own">${t("Your challenges")}</h2>
    <${Alert} text=${action.problem.value} look="small" />
    <ul class="lobby-list">${challenges.map((one) => html`<li key=${one.id}>
      <span class=${`lobby-waiting ${one.is_quick ? "quick" : ""}`} role="status">${waiting(one)}</span><${What} challenge=${one} />
      <span class="lobby-acts"><${Act} id=${one.id} what="withdraw" about=${inWords(one)} run=${action}
        label=${one.phase === "declined" ? t("Remove") : t("Take back")} /></span></li>`)}</ul></section>`;
}

/** @param {{games: RunningGame[]}} props */
export function OwnGames({ games }) {
  if (!games.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="lobby-games"><h2 id="lobby-games">${t("Your games")}</h2>
    <ul class="lobby-list">${games.map(({ id, title, players, is_rated: isRated, created }) => html`<li key=${id}>
      <span class="lobby-who"><bdi class="long-name">${players.map((name) => name || t("somebody who left")).join(" – ")}</bdi></span>
      <span class="lobby-what"><span>${t(title)}</span><span class="soft">${ago(1000 * created)}</span>
        ${!isRated && html`<span class="tag">${t("not rated")}</span>`}</span>
      <span class="lobby-acts"><a class="button primary" href=${`/game/${id}`}>${t("Continue")}</a></span></li>`)}</ul></section>`;
}

/** @param {{challenges: ShownChallenge[]}} props */
export function Open({ challenges }) {
  const action = useAction();
  return html`<section class="panel stack tight" aria-labelledby="lobby-open"><h2 id="lobby-open">${t("Open challenges")}
      ${challenges.length > 0 && html` <span class="tag number">${number(challenges.length)}</span>`}</h2>
    <${Alert} text=${action.problem.value} look="small" />
    ${challenges.length > 0
      ? html`<ul class="lobby-list">${challenges.map((one) => html`<li key=${one.id}><${Who} challenge=${one} /><${What} challenge=${one} />
        <span class="lobby-acts"><span class="soft small">${ago(1000 * one.created)}</span>
          ${mayPlay() && html`<${Act} id=${one.id} what="accept" label=${t("Play")} about=${inWords(one)} look="primary" run=${action} />`}</span></li>`)}</ul>`
      : html`<p class="soft">${t("Nobody waits for a game just now.")} ${mayPlay() && t("Open a challenge, and others see it here.")}</p>`}
  </section>`;
}
