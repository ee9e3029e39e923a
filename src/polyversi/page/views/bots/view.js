/** The bots view: all bots of the site, or one of them with its versions. */
import { html } from "../../app/html.js";
import { OneBot } from "./bot.js";
import { AllBots } from "./list.js";

/** @import { Params } from "../../app/router.js" */

/** @param {{params: Params}} props */
export function View({ params }) {
  return html`<section class="page stack bots">
    ${params.id ? html`<${OneBot} key=${params.id} id=${params.id} />` : html`<${AllBots} />`}</section>`;
}
