/** The events view: the list of tournaments, one of them as it is played, and the form of a new one. */
import { isAccountKnown, isAtLeast } from "../../app/account.js";
import { html } from "../../app/html.js";
import { common } from "../../app/words.js";
import { Event } from "./event.js";
import { EventForm } from "./form.js";
import { EventList } from "./list.js";

/** @import { Params } from "../../app/router.js" */

/** @param {{params: Params}} props */
export function View({ params }) {
  const { id, query } = params;
  if (!id) return html`<${EventList} />`;
  const isForm = id === "new" || query.get("show") === "settings";
  if (isForm && !isAccountKnown.value) return html`<p class="soft loading">${common.loading}</p>`;
  if (isForm && isAtLeast("organiser")) {
    return html`<${EventForm} key=${id} id=${id === "new" ? "" : id} />`;
  }
  return html`<${Event} key=${id} id=${id} show=${query.get("show") ?? ""} />`;
}
