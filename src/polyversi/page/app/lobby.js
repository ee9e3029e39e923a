/** The lobby of a site as the server tells it: challenges, own games, and what somebody does about them. */
import { account, isAtLeast } from "./account.js";
import { post } from "./api.js";
import { Connection } from "./connection.js";
import { effect, signal } from "./html.js";
import { go, route } from "./router.js";

/** @import { Signal } from "./html.js" */
/** @import { FromLobby, LobbyMessage, NewChallenge, RunningGame } from "./messages.js" */

/** What the server told last; null before. @type {Signal<LobbyMessage|null>} */
export const lobby = signal(null);

/** A game of this person that began while another view was shown. @type {Signal<RunningGame|null>} */
export const begun = signal(null);

/** What tells of the lobby; null while nobody is signed in. @type {Signal<Connection<any>|null>} */
const connection = signal(null);

/** The games that were told last; null before. @type {Set<string>|null} */
let known = null;

/** Whether the lobby cannot be heard of just now. */
export const isLobbyLost = () => connection.value?.state.value === "lost";

/** Goes to a game that has just begun, or tells of it where that would take somebody away from something. */
function notice(/** @type {RunningGame[]} */ games) {
  const fresh = known && games.find(({ id }) => !known?.has(id));
  known = new Set(games.map(({ id }) => id));
  if (begun.value && !known.has(begun.value.id)) begun.value = null;
  if (!fresh || location.pathname === `/game/${fresh.id}`) return;
  if (route.value.view === "lobby") go(`/game/${fresh.id}`);
  else begun.value = fresh;
}

/** Connects somebody with the lobby. @returns {Connection<any>} */
function connect() {
  const made = new Connection("/api/site/lobby/socket", {
    opened: () => {},
    received: (/** @type {FromLobby} */ message) => {
      if (message.type !== "lobby") return;
      lobby.value = message;
      notice(message.games);
    },
  });
  made.open();
  return made;
}

/** Stays connected with the lobby for as long as somebody is signed in. */
export function watchLobby() {
  let signedIn = "";
  effect(() => {
    const id = account.value?.id ?? "";
    if (id === signedIn) return;
    signedIn = id;
    connection.peek()?.close();
    [lobby.value, begun.value, known] = [null, null, null];
    connection.value = id ? connect() : null;
  });
  effect(() => { if (route.value.view === "game" && location.pathname === `/game/${begun.value?.id}`) begun.value = null; });
}

/** Whether whoever is signed in may play. */
export const mayPlay = () => isAtLeast("member");

/** Does something about a challenge and goes to the game that may come of it. @type {(id: string, what: "accept"|"decline"|"withdraw") => Promise<void>} */
export const answer = (id, what) => follow(`/api/site/challenges/${encodeURIComponent(id)}/${what}`, {});

/** Makes a challenge, or accepts what fits. @param {NewChallenge} wanted */
export const challenge = (wanted) => follow("/api/site/challenges", wanted);

/** @type {(path: string, data: object) => Promise<void>} */
async function follow(path, data) {
  const { game } = await post(path, data);
  if (!game) return;
  known?.add(game);
  if (location.pathname !== `/game/${game}`) go(`/game/${game}`);
}
