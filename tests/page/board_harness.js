/** A board alone on a page, with whatever it calls written down. */
import { Board } from "/page/board/board.js";

/** @type {unknown[][]} */
const calls = [];

Object.assign(window, {
  calls,
  show(/** @type {any} */ plan, /** @type {any} */ config) {
    const board = new Board(/** @type {Element} */ (document.querySelector("#board")), plan);
    const heard = Object.fromEntries(
      ["onSelect", "onHover", "onEdge", "onZoom"].map((name) => [name, (/** @type {any[]} */ ...all) => calls.push([name, ...all])]),
    );
    board.set({ ...heard, ...config });
    Object.assign(window, { board });
    return frames();
  },
  frames,
});

/** Until what was set is on the screen. */
async function frames() {
  for (let count = 0; count < 2; count++) await new Promise((done) => requestAnimationFrame(done));
}
