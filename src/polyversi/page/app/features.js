/** What this server offers, as the document says. */

/** Whether visitors can set games up; some servers only show games. */
export const canPlay = !document.documentElement.dataset.offers?.startsWith("watch");

/** The name of the site, with people, bots and events; empty where the server has none. */
export const site = document.documentElement.dataset.site ?? "";

/** Whether there are tournaments to watch: on every site, and where a tournament of the terminal is shown. */
export const hasEvents = Boolean(site) || document.documentElement.dataset.offers === "watch events";
