/** Says on every view that the server cannot store anything, until it can again. */
import { get, isStoreWaiting } from "../app/api.js";
import { html, useEffect } from "../app/html.js";
import { t } from "../app/i18n.js";
import { Alert } from "./page.js";

/** Milliseconds after which the server is asked whether it can store games again. */
const AGAIN = 5_000;

export function StoreNotice() {
  const isWaiting = isStoreWaiting.value;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => get("/api/games").catch(() => {}), AGAIN);    // every answer says how it is
    return () => clearInterval(timer);
  }, [isWaiting]);
  return isWaiting && html`<${Alert} look="shell-notice"
    text=${t("The server cannot store anything just now, so no new game can begin. Running games wait; no move is lost.")} />`;
}
