/** The events view: the list of tournaments, one of them as it is played, and the form of a new one. */
import { isAtLeast } from "../../app/account.js";
import { html } from "../../app/html.js";
import { Event } from "./event.js";
import { EventForm } from "./form.js";
import { EventList } from "./list.js";

/** @import { Params } from "../../app/router.js" */

/** @param {{params: Params}} props */
export function View({ params }) {
  const { id, query } = params;
  if (!id) return html`<${EventList} />`;
  if (isAtLeast("organiser") && (id === "new" || query.get("show") === "settings")) {
    return html`<${EventForm} key=${id} id=${id === "new" ? "" : id} />`;
  }
  return html`<${Event} key=${id} id=${id} show=${query.get("show") ?? ""} />`;
}
