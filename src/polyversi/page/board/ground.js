/** What never changes on a board: its frame, its cells, the names round it, its dots and its joined edges. */
import { make, outlines, sheet } from "./svg.js";

/** @import { Plan } from "./config.js" */

/**
 * The ground of a board. All cells of a row are one path: a map of 50 by 50 is 50 elements.
 *
 * @param {Plan} plan
 */
export function ground(plan) {
  const cells = plan.rows.map((row) => make("path", { d: outlines(plan, row) }));
  const labels = plan.labels.map(([x, y, name]) => {
    const label = make("text", { x, y, dy: "0.35em" });
    label.textContent = name;
    return label;
  });
  const dots = plan.dots.map(([cx, cy]) => make("circle", { cx, cy, r: 4 }));
  const joined = plan.joined.map(([x1, y1, x2, y2]) => make("line", { x1, y1, x2, y2 }));
  return sheet(
    plan,
    "board-ground",
    make("rect", { class: "board-frame", width: plan.width, height: plan.height, rx: 10 }),
    make("g", { class: "board-cells" }, ...cells),
    make("g", { class: "board-dots" }, ...dots),
    make("g", { class: "board-joined" }, ...joined),
    make("g", { class: "board-labels" }, ...labels),
  );
}
