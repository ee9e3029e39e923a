/** A button that begins a coached game: the visitor moves first, against the weakest level of a computer. */
import { get, post, useAction } from "../app/api.js";
import { askForCoaching } from "../app/coaching.js";
import { html } from "../app/html.js";
import { t } from "../app/i18n.js";
import { go } from "../app/router.js";
import { name } from "../app/settings.js";
import { saveGame } from "../app/storage.js";
import { loadView } from "../app/views.js";
import { Icon } from "./icons.js";
import { Alert } from "./page.js";

/** @import { PlayerInfo } from "../app/types.js" */

/** A player at its weakest, as the server reads it: one that has levels, or whoever is offered last. @param {PlayerInfo[]} players */
function weakest(players) {
  const able = players.filter(({ unsuited }) => !unsuited);
  for (const { name: player, options } of able) {
    const level = options.find((option) => option.name === "level");
    if (level) return `${player}:level=${level.low ?? 1}`;
  }
  return able.at(-1)?.name ?? "";
}

/** Sets the game up and goes there. @type {(spec: string, seats: number) => Promise<void>} */
async function learn(spec, seats) {
  loadView("game").catch(() => {});
  const player = weakest(await get(`/api/players?spec=${encodeURIComponent(spec)}`));
  const computers = Array.from({ length: seats - 1 }, () => ({ kind: "computer", player }));
  const me = { kind: "me", name: name.value || t("Guest") };
  const { game, token } = await post("/api/games", { spec, seats: [me, ...computers], limit: "none" });
  saveGame(game, { token });
  askForCoaching();
  go(`/game/${game}`);
}

/** @param {{spec: string, seats: number, look?: string}} props */
export function LearnButton({ spec, seats, look = "" }) {
  const { isBusy, problem, run } = useAction();
  return html`<button type="button" class=${`button ${look}`} disabled=${isBusy.value} onClick=${() => run(() => learn(spec, seats))}>
      <${Icon} name="bulb" /><span><strong>${t("Learn by playing")}</strong>
        <span class="small soft">${t("A first game with tips")}</span></span></button>
    <${Alert} text=${problem.value} look="small" />`;
}
