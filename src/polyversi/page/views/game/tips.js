/** What a first game has to teach: short tips, each with the moment at which it is true. */
import { plural, t } from "../../app/i18n.js";
import { isSpecial, SEATS } from "../../board/config.js";
import { playerName } from "./text.js";

/** @import { GameModel } from "../../app/game.js" */
/** @import { Description, LegalMove, Rulebook } from "../../app/types.js" */

/** So few free cells are left when the end is near. */
const NEAR_END = 10;

/**
 * The game as it stands for the visitor, who has one seat.
 * @typedef {object} Moment
 * @property {GameModel} model
 * @property {Description} description
 * @property {Rulebook} rules
 * @property {number} seat the visitor's
 * @property {LegalMove[]} moves what the visitor can play now; empty when it is somebody else's turn
 * @property {number[]} tiles
 * @property {number} turns how often the visitor has moved
 */

/** A tip: what it is called, and its text where it is true, otherwise nothing. @typedef {[name: string, text: (now: Moment) => string]} Tip */

/** The cells of legal moves. @param {Moment} now */
const cells = ({ moves }) => moves.map(([, cell]) => cell).filter((cell) => cell >= 0);

/** @param {Moment} now @param {number} cell */
const nameOf = ({ description }, cell) => description.plan.names[cell];

/** The last move that placed a stone, with what it turned. @param {Moment} now */
function lastMove({ model }) {
  const plies = model.plies.value;
  const last = plies.at(-1);
  return last && last.cell >= 0 ? { ...last, turned: model.turned(plies.length) } : null;
}

/** Where the visitor may play. @param {Moment} now */
function whereToPlay(now) {
  if (now.turns || !now.moves.length) return "";
  const turned = now.moves.filter(([, cell]) => cell >= 0).map((move) => move[3]);
  if (turned.some((found) => !found)) return t("The dots show where you can play.");
  if (turned.every((found) => found?.length)) {
    return t("The dots show where you can play. Each of these moves encloses stones in a line and turns them to your colour.");
  }
  return turned.some((found) => found?.length) ? t("The dots show where you can play.")
    : t("The dots show where you can play. At this point no move turns a stone.");
}

/** @param {Moment} now */
function whatTurned(now) {
  const plies = now.model.plies.value;
  const at = plies.findLastIndex(({ seat, cell }) => seat === now.seat && cell >= 0);
  const turned = at < 0 || now.description.has_stocks ? [] : now.model.turned(at + 1);
  if (!turned.length) return "";
  return plural(turned.length, "Your stone on {cell} enclosed {count} stone and turned it to your colour.",
    "Your stone on {cell} enclosed {count} stones and turned them to your colour.", { cell: nameOf(now, plies[at].cell) });
}

/** @param {Moment} now */
function whatWasLost(now) {
  const last = lastMove(now);
  const before = now.model.position(now.model.plies.value.length - 1)?.tiles ?? [];
  const lost = last && last.seat !== now.seat ? last.turned.filter((cell) => before[cell] === now.seat).length : 0;
  if (!lost) return "";
  return plural(lost, "{player} turned {count} stone of yours. Stones change hands often: how many you have now says little.",
    "{player} turned {count} stones of yours. Stones change hands often: how many you have now says little.",
    { player: playerName(now.model, last?.seat ?? 0) });
}

/** A corner that can be taken. @param {Moment} now */
function corner(now) {
  const found = now.rules.secure.find(({ cell }) => cells(now).includes(cell));
  if (!found) return "";
  const cell = nameOf(now, found.cell);
  return now.description.fewest_wins
    ? t("{cell} is a corner: no line runs across it, so a stone there stays yours to the end. Here the fewest stones win, so leave it alone if you can.", { cell })
    : t("{cell} is a corner: no line runs across it, so a stone there can never be turned. It is usually worth taking.", { cell });
}

/** A move that may give a corner away. @param {Moment} now */
function besideCorner(now) {
  if (now.description.fewest_wins) return "";
  const legal = cells(now);
  const free = now.rules.secure.filter(({ cell }) => now.tiles[cell] === 0 && !legal.includes(cell));
  for (const { cell: corner, beside } of free) {
    const found = beside.find((cell) => legal.includes(cell));
    if (found !== undefined) {
      return t("Take care with {cell}: it lies next to the free corner {corner}, and a stone there may open the corner to others.",
        { cell: nameOf(now, found), corner: nameOf(now, corner) });
    }
  }
  return "";
}

/** A corner that somebody else has taken. @param {Moment} now */
function cornerLost(now) {
  const last = lastMove(now);
  const isCorner = last && last.seat !== now.seat && now.rules.secure.some(({ cell }) => cell === last.cell);
  if (!isCorner || now.description.fewest_wins) return "";
  return t("{player} has taken the corner {cell}. That stone can never be turned back.",
    { player: playerName(now.model, last.seat), cell: nameOf(now, last.cell) });
}

/** A pass that nobody chose. @param {Moment} now */
function forcedPass({ model, description, seat }) {
  const found = description.passing === "forced" && model.plies.value.slice(-2).find(({ forced }) => forced);
  if (!found) return "";
  return found.seat === seat
    ? t("You had no legal move, so your turn was passed by itself. That is the only time when somebody passes.")
    : t("{player} had no legal move and passed. That is the only time when somebody passes.", { player: playerName(model, found.seat) });
}

/** A pass that may be chosen. @param {Moment} now */
function freePass({ description, moves }) {
  if (description.passing !== "free" || !moves.some(([, cell]) => cell < 0)) return "";
  return moves.length > 1
    ? t("You may pass instead of moving. When everybody passes in a row, the game is over.")
    : t("You have no move on the board. Press Pass to go on.");
}

/** @param {Moment} now */
function nearEnd({ description, moves, tiles }) {
  const free = tiles.filter((tile) => tile === 0).length;
  if (description.has_stocks || !moves.length || free > NEAR_END) return "";
  return plural(free, "{count} cell is free. When nobody can move any more, the stones are counted. {goal}",
    "{count} cells are free. When nobody can move any more, the stones are counted. {goal}", { goal: t(description.goal) });
}

/** @param {Moment} now */
function specialTile(now) {
  const found = now.model.shown.value?.position.phase === "build" && cells(now).find((cell) => isSpecial(now.tiles[cell]));
  return found ? t("{cell} is a special tile. Open the legend to see what it does.", { cell: nameOf(now, found) }) : "";
}

/** @param {Moment} now */
function override(now) {
  const { position } = now.model.shown.value ?? {};
  if (position?.phase !== "build" || !cells(now).some((cell) => now.tiles[cell] > 0 && now.tiles[cell] <= SEATS)) return "";
  return plural(position.overrides[now.seat - 1], "Marks on stones show where your override stone can go. You have {count}.",
    "Marks on stones show where your override stones can go. You have {count}.");
}

/** @param {Moment} now */
function bombing({ model, description, moves }) {
  if (!moves.length || model.shown.value?.position.phase !== "bomb") return "";
  return plural(description.radius, "Nobody can place a stone any more, so bombs fall now. Choose a tile: it is destroyed with everything up to {count} step away.",
    "Nobody can place a stone any more, so bombs fall now. Choose a tile: it is destroyed with everything up to {count} steps away.");
}

/** In the order in which they are given, if several are true. @type {Tip[]} */
export const TIPS = [
  ["moves", whereToPlay],
  ["preview", ({ turns, moves }) => (turns || !moves.length ? ""
    : t("Point at a dot to see which stones would turn. On a touch screen, press it a little longer."))],
  ["turned", whatTurned],
  ["corner-lost", cornerLost],
  ["pass", forcedPass],
  ["bombing", bombing],
  ["corner", corner],
  ["goal", ({ turns, moves, description }) => (turns > 0 && moves.length ? t("What you play for: {goal}", { goal: t(description.goal) }) : "")],
  ["lost", whatWasLost],
  ["free-pass", freePass],
  ["special", specialTile],
  ["override", override],
  ["beside", besideCorner],
  ["end", nearEnd],
];
