/** What a server offers that only shows games: sent in place of offers.js, with the same names. */

/** Whether visitors can set games up. */
export const isForPlaying = false;
