/** Values of moves as figures. */
import { number } from "./i18n.js";

/** A value as it is written: stones with a sign, points with a decimal. @type {(value: number, unit: "stones"|"points") => string} */
export const figure = (value, unit) => (unit === "points"
  ? number(value, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  : number(Math.round(value), { signDisplay: "exceptZero" }).replace("-", "−"));
