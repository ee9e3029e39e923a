/** What this server offers besides watching; one that only shows games sends gallery.js in place of this file. */

/** Whether visitors can set games up. */
export const isForPlaying = true;
