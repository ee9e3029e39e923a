/** How positions, moves and results are said in words, on the screen and to screen readers. */

/** @param {number} count @param {string} noun */
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @param {string[]} names */
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** @param {number} number */
const ordinal = (number) => {
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${teen ? "th" : { 1: "st", 2: "nd", 3: "rd" }[number % 10] ?? "th"}`;
};

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @type {Record<string, string>} */
const REASONS = {
  "no moves": "nobody can move",
  "board full": "the board is full",
  "passes": "everybody passed",
  "bombs used": "no bomb is left",
  "no tiles left": "no tile is left",
  "one seat left": "one seat is left",
};

/** @type {Record<string, (who: string) => string>} */
const ENDINGS = {
  "resigned": (who) => `${who} resigned`,
  "illegal move": (who) => `${who} made an illegal move`,
  "timeout": (who) => `${who} ran out of time`,
  "crash": (who) => `${who} crashed`,
  "stall": (who) => `${who} did not answer`,
  "disconnect": (who) => `${who} left`,
  "disqualified": (who) => `${who} was disqualified`,
};

export const speech = {
  counted,
  listed,
  ordinal,
  capital,
  toMove: (/** @type {string} */ who, /** @type {boolean} */ bombs) => `${who} to ${bombs ? "bomb" : "move"}`,
  moved: (/** @type {string} */ who, /** @type {string} */ cell, /** @type {number} */ turned) =>
    `${who} ${cell}${turned ? `, turns ${turned}` : ""}`,
  bombed: (/** @type {string} */ who, /** @type {string} */ cell, /** @type {number} */ count) =>
    `${who} bombs ${cell}, ${counted(count, "cell")} gone`,
  passed: (/** @type {string} */ who) => `${who} passes`,
  mustPass: (/** @type {string} */ who) => `${who} cannot move and passes`,
  special: (/** @type {number} */ value, /** @type {string[]} */ seats) =>
    value === 20 ? "takes a bomb" : value === 21 ? "takes an override stone" : `swaps with ${seats[value - 1]}`,
  takenBack: (/** @type {string} */ who, /** @type {number} */ plies) => `${who} takes back ${counted(plies, "move")}`,
  offence: (/** @type {string} */ kind, /** @type {string} */ who) => ENDINGS[kind]?.(who) ?? `${who}: ${kind}`,
  punished: (/** @type {string} */ what, /** @type {boolean} */ isOut, /** @type {string} */ detail) =>
    `${what}${isOut ? " and is out of the game" : ""}${detail ? `: ${detail}` : ""}`,
  wins: (/** @type {string} */ who) => `${who} wins`,
  draw: "A draw",
  drawBetween: (/** @type {string[]} */ names) => `A draw between ${listed(names)}`,
  aborted: "Not finished",
  because: (/** @type {string} */ reason) => REASONS[reason] ?? reason,
};
