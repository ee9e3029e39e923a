/** What a server offers that only shows games: served in place of features.js, with the same names. */

/** Whether visitors can set games up. */
export const canPlay = false;
