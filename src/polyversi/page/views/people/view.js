/** A person's profile: ratings, bots and games; one's own account; and the list of those who take part. */
import { account, isAccountKnown, isAtLeast } from "../../app/account.js";
import { get, sentenceOf, useAction } from "../../app/api.js";
import { site } from "../../app/features.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { ago, date, list, number, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";
import { Select } from "../../components/forms.js";
import { Alert, PageHeader } from "../../components/page.js";
import { RatingGraph } from "../../components/rating-graph.js";
import { OwnAccount } from "./own-account.js";

/** @import { Role } from "../../app/account.js" */
/** @import { Params } from "../../app/router.js" */
/** @import { Step } from "../../components/rating-graph.js" */
/** @typedef {{pool: string, title: string, rating: number, error: number, games: number, steps: Step[]}} Rating */
/**
 * @typedef {{id: string, title: string, is_rated: boolean, created: number, ended: number|null, ranks: number[],
 *   seat: number, players: {id: string, name: string}[]}} Game
 */
/** @typedef {{id: string, name: string, ladder: string, active: number, ratings: {rating: number, error: number, games: number}[]}} Bot */
/**
 * @typedef {{person: {id: string, name: string, role: Role, created: number}, ratings: Rating[],
 *   games: Game[], is_last: boolean, bots: Bot[]}} Profile
 */

/** A rating with its error. @param {{rating: number, error: number}} known */
const strengthOf = ({ rating, error }) => common.rating(rating, error);

/** How a rating came about, of the game that is chosen where there are several. @param {{ratings: Rating[]}} props */
function Graph({ ratings }) {
  const chosen = useSignal(ratings[0].pool);
  const shown = ratings.find(({ pool }) => pool === chosen.value) ?? ratings[0];
  return html`${ratings.length > 1 && html`<${Select} label=${t("Variant")} value=${shown.pool} class="people-pool"
      options=${Object.fromEntries(ratings.map(({ pool, title }) => [pool, t(title)]))}
      onChange=${(/** @type {string} */ pool) => { chosen.value = pool; }} />`}
    <${RatingGraph} key=${shown.pool} steps=${shown.steps} name=${t(shown.title)} />`;
}

/** @param {{ratings: Rating[]}} props */
function Ratings({ ratings }) {
  return html`<section class="panel stack"><h2 id="ratings-title">${t("Ratings")}</h2>
    ${ratings.length ? html`<div class="people-table" tabindex="0"><table aria-labelledby="ratings-title">
      <thead><tr><th scope="col">${t("Variant")}</th><th scope="col">${t("Rating")}</th><th scope="col">${t("Games")}</th></tr></thead>
      <tbody>${ratings.map((one) => html`<tr key=${one.pool}>
        <th scope="row">${t(one.title)}</th>
        <td class="number">${strengthOf(one)}</td>
        <td class="number">${number(one.games)}</td></tr>`)}</tbody></table></div><${Graph} ratings=${ratings} />`
    : html`<p class="soft">${t("No rated games yet.")}</p>`}
  </section>`;
}

/** How a game ended for the person whose profile it is. @param {{game: Game}} props */
function Result({ game: { ended, ranks, seat } }) {
  if (ended === null) return html`<span class="tag good">${t("now")}</span>`;
  if (!ranks.length) return t("aborted");
  const own = ranks[seat];
  if (ranks.every((rank) => rank === own)) return t("drawn");
  return own === 1 ? html`<span class="won">${t("won")}</span>` : html`<span class="lost">${t("lost")}</span>`;
}

/** @param {{bots: Bot[], isOwn: boolean}} props */
function OwnBots({ bots, isOwn }) {
  if (!bots.length && !isOwn) return null;
  return html`<section class="panel stack"><div class="row apart"><h2 id="bots-title">${t("Bots")}</h2>
      ${isOwn && isAtLeast("member") ? html`<a class="button" href="/bots">${t("Hand in a bot")}</a>` : null}</div>
    ${bots.length ? html`<div class="people-table" tabindex="0"><table aria-labelledby="bots-title">
      <thead><tr><th scope="col">${t("Name")}</th><th scope="col">${t("Ladder")}</th><th scope="col">${t("Rating")}</th>
        <th scope="col">${t("Games")}</th></tr></thead>
      <tbody>${bots.map(({ id, name, ladder, active, ratings: [known] }) => html`<tr key=${id}>
        <th scope="row"><a href=${`/bots/${id}`}><bdi class="long-name">${name}</bdi></a></th>
        <td><a href=${`/ladder/${ladder}`}>${ladder}</a>${active ? "" : html` <span class="tag">${t("rests")}</span>`}</td>
        <td class="number">${known ? strengthOf(known) : "–"}</td>
        <td class="number">${number(known?.games ?? 0)}</td></tr>`)}</tbody></table></div>`
    : html`<p class="soft">${t("No bots yet.")}</p>`}
  </section>`;
}

/** @param {{name: string, newest: Game[], isAll: boolean}} props */
function Games({ name, newest, isAll }) {
  const earlier = useSignal(/** @type {Game[]} */ ([]));
  const isLast = useSignal(isAll);
  const { isBusy, problem, run } = useAction();
  const games = [...newest, ...earlier.value];
  const more = () => run(async () => {
    const found = await get(`/api/site/people/${encodeURIComponent(name)}/games?before=${games[games.length - 1].created}`);
    earlier.value = [...earlier.value, ...found.games];
    isLast.value = found.is_last;
  });
  return html`<section class="panel stack"><h2 id="games-title">${t("Games")}</h2>
    ${games.length ? html`<div class="people-table" tabindex="0"><table aria-labelledby="games-title">
      <thead><tr><th scope="col">${t("Against")}</th><th scope="col">${t("Variant")}</th><th scope="col">${t("Result")}</th>
        <th scope="col">${t("When")}</th></tr></thead>
      <tbody>${games.map((game) => html`<tr key=${game.id}>
        <th scope="row"><a href=${`/game/${game.id}`}><bdi class="long-name">${list(game.players
          .filter((_, seat) => seat !== game.seat).map(({ name }) => name || t("somebody who left")))}</bdi></a></th>
        <td>${t(game.title)}${game.is_rated ? "" : html` <span class="tag">${t("not rated")}</span>`}</td>
        <td><${Result} game=${game} /></td>
        <td class="soft" title=${date(1000 * game.created)}>${ago(1000 * game.created)}</td></tr>`)}</tbody></table></div>`
    : html`<p class="soft">${t("No games yet.")}</p>`}
    <${Alert} text=${problem.value} />
    ${!isLast.value && html`<p><button class="button" disabled=${isBusy.value} onClick=${more}>${t("Earlier games")}</button></p>`}
  </section>`;
}

/** @param {{name: string}} props */
function OneProfile({ name }) {
  const profile = useSignal(/** @type {Profile|null} */ (null));
  const problem = useSignal("");
  useEffect(() => {
    get(`/api/site/people/${encodeURIComponent(name)}`).then((found) => { profile.value = found; },
      (error) => { problem.value = sentenceOf(error); });
  }, [name]);
  if (problem.value) return html`<${PageHeader} title=${t("People")} lead=${site} /><${Alert} text=${problem.value} />`;
  if (!profile.value) return html`<p class="soft loading">${common.loading}</p>`;
  const { person, ratings, games, is_last: isAll, bots } = profile.value;
  const isOwn = person.id === account.value?.id;
  return html`<${PageHeader} title=${person.name}
      lead=${t("{role} since {date}", { role: common.capital(t(person.role)), date: date(1000 * person.created, { dateStyle: "medium" }) })}>
      ${isOwn && isAtLeast("organiser") ? html`<a class="button" href="/organise">${t("Organise")}</a>` : null}
      ${!isOwn && isAtLeast("member") && person.role !== "guest" ? html`<a class="button"
        href=${`/lobby?opponent=${encodeURIComponent(person.name)}`}>${t("Challenge")}</a>` : null}<//>
    <${Ratings} ratings=${ratings} />
    <${OwnBots} bots=${bots} isOwn=${isOwn} />
    <${Games} name=${person.name} newest=${games} isAll=${isAll} />
    ${isOwn ? html`<${OwnAccount} />` : null}`;
}

/** Those who take part. */
function Everybody() {
  const people = useSignal(/** @type {{id: string, name: string}[]|null} */ (null));
  const problem = useSignal("");
  useEffect(() => {
    get("/api/site/people").then((found) => { people.value = found.people; }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  return html`<${PageHeader} title=${t("People")} lead=${site} /><${Alert} text=${problem.value} />
    <ul class="people-names">${(people.value ?? []).map(({ id, name }) => html`<li key=${id}>
      <a href=${`/people/${encodeURIComponent(name)}`}><bdi class="long-name">${name}</bdi></a></li>`)}</ul>`;
}

/** @param {{params: Params}} props */
export function View({ params }) {
  const isKnown = isAccountKnown.value;
  const mayLook = isAtLeast(params.id ? "guest" : "member");
  return html`<section class="page stack people">
    ${!isKnown ? html`<p class="soft loading">${common.loading}</p>`
      : !mayLook ? html`<${PageHeader} title=${t("People")} lead=${site} />
        ${account.value ? html`<p>${t("The list of people is for members of the site.")}</p>`
          : html`<p>${t("Profiles are for people of the site.")}</p>
        <p><a class="button primary" href=${`/sign-in?next=${encodeURIComponent(location.pathname)}`}>${t("Sign in")}</a></p>`}`
        : params.id ? html`<${OneProfile} key=${params.id} name=${params.id} />` : html`<${Everybody} />`}
  </section>`;
}
