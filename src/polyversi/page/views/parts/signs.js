/** What is drawn on special tiles in small pictures, from the middle of the cell. */
import { TILES } from "../../app/position.js";

/** @type {Record<number, string>} */
export const SIGNS = {
  [TILES.choice]: "m-9-4h18l-5-5m5 13h-18l5 5",
  [TILES.inversion]: "m9 0a9 9 0 1 1-4-7.5l-1.7-5.8m1.7 5.8l-6 .6",
  [TILES.bonus]: "m0-8v16m-8-8h16",
};
