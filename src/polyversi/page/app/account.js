/** Who is signed in at a site. */
import { get, post } from "./api.js";
import { site } from "./features.js";
import { computed, signal } from "./html.js";

/** @typedef {"guest"|"member"|"organiser"} Role */
/** @typedef {{id: string, name: string, role: Role, roles: Role[], has_password: boolean}} Account `roles` are all that one has by one's role */

/** Who is signed in; null for nobody, and where the server has no site. */
export const account = signal(/** @type {Account|null} */ (null));

/** Whether it is known by now who is signed in. */
export const isAccountKnown = signal(!site);

/** Whether people who are not signed in may play computers and friends. */
const guestsMayPlay = signal(true);

/** Whether whoever looks may play computers and friends. */
export const mayPlayHere = computed(() => guestsMayPlay.value || account.value !== null);

/** Asks the server who is signed in; nobody is while it cannot be asked. */
export async function loadAccount() {
  if (!site) return;
  await get("/api/site/me").then((me) => {
    account.value = me.account;
    guestsMayPlay.value = me.guests_may_play;
  }, () => {});
  isAccountKnown.value = true;
}

/** Whether whoever looks has at least this role. @param {Role} role */
export const isAtLeast = (role) => account.value?.roles.includes(role) ?? false;

/** Ends the session. */
export async function signOut() {
  await post("/api/site/sign-out", {});
  account.value = null;
}
