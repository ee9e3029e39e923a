/** The seat of whoever is signed in at a site, on whatever device. */
import { account, isAccountKnown } from "../../app/account.js";
import { get } from "../../app/api.js";
import { useEffect, useSignal } from "../../app/html.js";

/**
 * The token of one's own seat in a game of the site; empty where there is none, null until that is known.
 * @param {string} id
 * @returns {string|null}
 */
export function useOwnSeat(id) {
  const found = useSignal(/** @type {{game: string, person: string, token: string}|null} */ (null));
  const person = account.value?.id ?? "";
  useEffect(() => {
    if (!person) return undefined;
    const stop = new AbortController();
    const tell = (/** @type {string} */ token) => { if (!stop.signal.aborted) found.value = { game: id, person, token }; };
    get(`/api/site/games/${encodeURIComponent(id)}/seat`, stop.signal).then((seat) => tell(seat.token), () => tell(""));
    return () => stop.abort();
  }, [id, person]);
  if (!isAccountKnown.value) return null;
  if (!person) return "";
  return found.value?.game === id && found.value.person === person ? found.value.token : null;
}
