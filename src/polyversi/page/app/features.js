/** What this server offers, as the document says. */

/** Whether visitors can set games up; some servers only show games. */
export const canPlay = document.documentElement.dataset.offers !== "watch";
