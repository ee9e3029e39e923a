/** The lobby of a site: challenges to accept, one's own, games that go on, and who is how strong. */
import { account, isAccountKnown } from "../../app/account.js";
import { site } from "../../app/features.js";
import { html } from "../../app/html.js";
import { t } from "../../app/i18n.js";
import { isLobbyLost, lobby, mayPlay } from "../../app/lobby.js";
import { common } from "../../app/words.js";
import { PageHeader } from "../../components/page.js";
import { Incoming, Open, Own, OwnGames } from "./challenges.js";
import { NewChallenge } from "./new-challenge.js";
import { Ranking } from "./ranking.js";

function Stranger() {
  return html`<section class="panel stack"><p>${t("Here people of the site find others to play with.")}</p>
    <p><a class="button primary" href="/sign-in?next=/lobby">${t("Sign in")}</a></p></section>`;
}

/** @param {{params: import("../../app/router.js").Params}} props */
export function View({ params }) {
  const found = lobby.value;
  const isStranger = isAccountKnown.value && !account.value;
  return html`<div class="page lobby stack">
    <${PageHeader} title=${t("Lobby")} lead=${t("Play with the people of {site}.", { site })} />
    ${isLobbyLost() && html`<p class="soft" role="status">${common.reconnecting}</p>`}
    ${isStranger ? html`<${Stranger} />` : !found ? html`<p class="soft loading">${common.loading}</p>` : html`
      <div class="lobby-columns">
        <div class="lobby-main stack">
          <${Incoming} challenges=${found.incoming} />
          <${Own} challenges=${found.own} />
          <${OwnGames} games=${found.games} />
          <${Open} challenges=${found.open} />
        </div>
        <div class="lobby-side stack">
          ${mayPlay()
            ? html`<${NewChallenge} opponent=${params.query.get("opponent") ?? ""} />`
            : html`<p class="panel soft">${t("Members of the site can play here; guests can watch.")}</p>`}
          <${Ranking} />
        </div>
      </div>`}
  </div>`;
}
