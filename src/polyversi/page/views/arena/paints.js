/** The looks of the two seats in the arena: X is red and Y is blue, whatever the variant. */

import { html } from "../../app/html.js";
import { words } from "../../words/words.js";
import { Stone } from "../parts/stone.js";

/** @type {import("../../app/types.js").Paint[]} */
export const PAINTS = ["#c81d3a", "#1d58b8"].map((fill, at) =>
  ({ name: words.arena.colours[at] ?? "", fill, ink: "#ffffff", sign: words.arena.seats[at] ?? "" }));

/** The stone of a seat, beside a text that names it. @param {{seat: number, size?: number}} props the seat from 0 */
export function SeatStone({ seat, size = 26 }) {
  return html`<${Stone} paint=${PAINTS[seat]} size=${size} />`;
}
