/** Making SVG elements, and the few shapes that several layers draw. */

/** @import { Plan } from "./config.js" */

/**
 * An element with attributes and children.
 * @type {<Name extends keyof SVGElementTagNameMap>(name: Name, attributes?: Record<string, string|number>,
 *   ...children: (Node|string)[]) => SVGElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Sets an attribute, unless it has that value already. @type {(node: Element, name: string, value: string) => void} */
export function attribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Shows a drawing round 0,0 on a cell, or hides it. @type {(node: Element, plan: Plan, cell: number|null) => void} */
export function put(node, plan, cell) {
  attribute(node, "visibility", cell === null ? "hidden" : "visible");
  if (cell !== null) attribute(node, "transform", onto(plan, cell));
}

/**
 * A sheet as large as the board. A board is a stack of them: what changes often lies apart from what never does,
 * and browsers keep the pictures of sheets that did not change.
 * @type {(plan: Plan, name: string, ...children: Node[]) => SVGSVGElement}
 */
export function sheet(plan, name, ...children) {
  const size = { class: `board-sheet ${name}`, viewBox: `0 0 ${plan.width} ${plan.height}` };
  return make("svg", { ...size, "aria-hidden": "true" }, ...children);
}

/** A number with at most one decimal. @param {number} value */
export const short = (value) => String(Math.round(value * 10) / 10);

/** The outline of any cell round 0,0, drawn in a little by `inset`. @type {(plan: Plan, inset?: number) => string} */
export function outline(plan, inset = 0) {
  const corners = plan.outline.map(([dx, dy]) => {
    const factor = 1 - inset / Math.hypot(dx, dy);
    return `${short(dx * factor)} ${short(dy * factor)}`;
  });
  return `M${corners.join("L")}Z`;
}

/** The outlines of some cells as one path. @type {(plan: Plan, cells: Iterable<number>) => string} */
export function outlines({ x, y, outline: corners }, cells) {
  const [left, top] = corners[0];
  const sides = corners.slice(1).map(([dx, dy], at) => `l${short(dx - corners[at][0])} ${short(dy - corners[at][1])}`);
  const shape = `${sides.join("")}z`;
  return Array.from(cells, (cell) => `M${short(x[cell] + left)} ${short(y[cell] + top)}${shape}`).join("");
}

/** The transform that moves what is drawn round 0,0 onto a cell. @type {(plan: Plan, cell: number) => string} */
export const onto = (plan, cell) => `translate(${plan.x[cell]} ${plan.y[cell]})`;
