/** The games of a ladder that are over: who played, how it ended and why, to replay and to take away. */
import { account, isAtLeast } from "../../app/account.js";
import { asSentence, get, sentenceOf } from "../../app/api.js";
import { html, useEffect, useLayoutEffect, useRef, useSignal } from "../../app/html.js";
import { ago, date, t } from "../../app/i18n.js";
import { resultText } from "../../app/results.js";
import { Icon, IconButton } from "../../components/icons.js";
import { Alert } from "../../components/page.js";

/** @import { Game, Ladder } from "./view.js" */

/** The newest games of all bots or of one, and older ones when they are asked for. @type {(ladder: Ladder, bot: string) => any} */
function useGames(ladder, bot) {
  const known = useSignal(/** @type {Map<string, Game>} */ (new Map()));
  const isAll = useSignal(ladder.is_last);
  const problem = useSignal("");
  const fits = (/** @type {Game} */ game) => !bot || game.bots.some(({ id }) => id === bot);
  const add = (/** @type {Game[]} */ games) => { known.value = new Map([...known.value, ...games.map((game) => /** @type {const} */ ([game.id, game]))]); };
  useEffect(() => { add(ladder.games.filter(fits)); }, [ladder]);
  const games = [...known.value.values()].sort((one, other) => other.ended - one.ended);
  const load = async (/** @type {string} */ before) => {
    const query = new URLSearchParams({ ...bot ? { bot } : {}, ...before ? { before } : {} });
    try {
      const found = await get(`/api/site/ladders/${ladder.id}/games?${query}`);
      add(found.games);
      isAll.value = found.is_last;
    } catch (error) {
      problem.value = sentenceOf(error);
    }
  };
  useEffect(() => { if (bot) load(""); }, [bot]);
  return { games, isAll: isAll.value, problem: problem.value, loadOlder: () => load(String(games.at(-1)?.ended ?? "")) };
}

/** @param {{ladder: Ladder, bot: string}} props */
export function Games({ ladder, bot }) {
  const { games, isAll, problem, loadOlder } = useGames(ladder, bot);
  const looked = useSignal(/** @type {Game|null} */ (null));
  const name = ladder.ranking.find((one) => one.bot.id === bot)?.bot.name
    ?? games.flatMap((/** @type {Game} */ game) => game.bots).find((/** @type {any} */ one) => one.id === bot)?.name ?? "";
  return html`
    <section class="panel stack tight" aria-labelledby="ladder-games">
      <div class="row apart"><h2 id="ladder-games">${bot ? t("Games of {name}", { name }) : t("Games")}</h2>
        ${bot && html`<a href=${`/ladder/${ladder.id}`}>${t("All games")}</a>`}</div>
      <${Alert} text=${problem} />
      ${games.length === 0 ? html`<p class="soft">${t("No games yet.")}</p>` : html`
        <table class="ladder-played" aria-labelledby="ladder-games">
          <thead><tr><th scope="col">${t("Players")}</th><th scope="col">${t("Result")}</th><th scope="col" class="ladder-right">${t("When")}</th>
            <th scope="col"><span class="visually-hidden">${t("Actions")}</span></th></tr></thead>
          <tbody>${games.map((/** @type {Game} */ game) => html`<${Row} key=${game.id} game=${game} onLook=${() => { looked.value = game; }} />`)}</tbody>
        </table>`}
      ${games.length > 0 && !isAll && html`<button type="button" class="button ladder-more" onClick=${loadOlder}>${t("Show older games")}</button>`}
      ${looked.value && html`<${Details} key=${looked.value.id} game=${looked.value} onClose=${() => { looked.value = null; }} />`}
    </section>`;
}

/** Who played, in seat order. @param {Game} game */
const namesOf = ({ bots }) => bots.map(({ name }) => name);

/** @param {{game: Game, onLook: () => void}} props */
function Row({ game, onLook }) {
  const { verdict } = game.result;
  const label = namesOf(game).join(" – ");
  return html`<tr>
    <th scope="row" class="ladder-pair">${game.bots.map(({ name, version }, at) => html`${at > 0 && html` <span class="soft">–</span> `}
      <bdi key=${at}>${name}</bdi> <span class="soft small number">${t("v{number}", { number: version })}</span>`)}
      ${!game.is_automatic && html` <span class="tag">${t("challenge")}</span>`}</th>
    <td class="ladder-result">${resultText(namesOf(game), game.result)}
      ${verdict.detail && html`<span class="soft small ladder-why">${verdict.detail}</span>`}</td>
    <td class="ladder-right soft ladder-when" title=${date(1000 * game.ended)}>${ago(1000 * game.ended)}</td>
    <td class="ladder-act">
      ${game.has_record ? html`<a class="button quiet icon" href=${`/game/${game.id}`} title=${t("Replay")} aria-label=${t("Replay {names}", { names: label })}><${Icon} name="play" /></a>
        <a class="button quiet icon" href=${`/games/${game.id}.jsonl`} download title=${t("Download")} aria-label=${t("Download {names}", { names: label })}><${Icon} name="download" /></a>`
      : html`<span class="soft small">${t("only the result is kept")}</span>`}
      <${IconButton} icon="list" look="quiet" label=${t("Details of {names}", { names: label })} title=${t("Details")} onClick=${onLook} />
    </td></tr>`;
}

/** Shows the end of a long text, which is what matters of an output. @param {HTMLElement|null} element */
const toEnd = (element) => { element?.scrollTo(0, element.scrollHeight); };

/** All that whoever looks may know of a game; of one's own bots also what they wrote. @param {{game: Game, onClose: () => void}} props */
function Details({ game, onClose }) {
  const dialog = useRef(/** @type {HTMLDialogElement|null} */ (null));
  const found = useSignal(/** @type {(Game & {outputs: (string|null)[]})|null} */ (null));
  const problem = useSignal("");
  useLayoutEffect(() => { dialog.current?.showModal(); }, []);
  useEffect(() => {
    get(`/api/site/ladder-games/${game.id}`).then((data) => { found.value = data; }, (error) => { problem.value = sentenceOf(error); });
  }, []);
  const isOwn = game.bots.some(({ owner }) => account.value && owner === account.value.id) || isAtLeast("organiser");
  const { verdict } = game.result;
  return html`<dialog ref=${dialog} class="ladder-details" aria-labelledby="ladder-details" onCancel=${onClose} onClose=${onClose}>
    <div class="stack"><h2 id="ladder-details"><bdi>${namesOf(game).join(" – ")}</bdi></h2>
      <p>${resultText(namesOf(game), game.result)}</p>
      ${verdict.detail && html`<p class="soft">${asSentence(verdict.detail)}</p>`}
      <p class="soft small">${date(1000 * game.ended)}</p>
      <${Alert} text=${problem.value} />
      ${isOwn && found.value?.outputs.map((output, at) => output !== null && html`<div key=${at} class="stack tight">
        <h3>${t("What {name} wrote", { name: game.bots[at].name })}</h3>
        ${output ? html`<pre class="ladder-output" tabindex="0" ref=${toEnd}>${output}</pre>` : html`<p class="soft">${t("Nothing.")}</p>`}</div>`)}
      <div class="row"><button type="button" class="button" onClick=${onClose}>${t("Close")}</button></div></div>
  </dialog>`;
}
