/** What this server offers; one that only shows games serves features-watch-only.js in place of this file. */

/** Whether visitors can set games up. */
export const canPlay = true;
