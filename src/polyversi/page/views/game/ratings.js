/** How strong those are who play a rated game of a site, and what it did to them. */
import { account } from "../../app/account.js";
import { get } from "../../app/api.js";
import { html, useEffect, useSignal } from "../../app/html.js";
import { number, t } from "../../app/i18n.js";
import { common } from "../../app/words.js";

/** A rating, and what the game changed once it is over. @typedef {{rating: number, error: number, change: number|null}} SeatRating */

/** The ratings of the seats; none where the game is not rated. @type {(game: string, isOver: boolean) => SeatRating[]} */
export function useRatings(game, isOver) {
  const found = useSignal(/** @type {SeatRating[]} */ ([]));
  const isSignedIn = account.value !== null;
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const stop = new AbortController();
    get(`/api/site/games/${encodeURIComponent(game)}/ratings`, stop.signal).then(({ seats }) => { found.value = seats; }, () => {});
    return () => stop.abort();
  }, [game, isOver, isSignedIn]);
  return found.value;
}

/** @param {{rating: SeatRating|undefined}} props */
export function RatingTag({ rating: known }) {
  if (!known) return null;
  const { rating, error, change } = known;
  const sign = number(Math.round(change ?? 0), { signDisplay: "always" });
  return html`<span class="seat-rating soft small number" title=${t("Rating")}>${common.rating(rating, error)}
    ${change !== null && html` <span class=${change < 0 ? "lost" : "won"}>${sign}</span>`}</span>`;
}
