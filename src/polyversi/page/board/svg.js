/** Making SVG elements, and the few shapes that several layers draw. */

/** @import { Plan } from "./config.js" */

const NAMESPACE = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string|number>} [attributes]
 * @param {...Node} children
 * @returns {SVGElementTagNameMap[Name]}
 */
export function make(name, attributes = {}, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/**
 * Sets an attribute, unless it has that value already.
 * @param {Element} node
 * @param {string} name
 * @param {string} value
 */
export function attribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/**
 * Shows what is drawn round 0,0 with a transform, or hides it.
 * @param {SVGElement} node
 * @param {string|null} transform
 */
export function put(node, transform) {
  attribute(node, "visibility", transform === null ? "hidden" : "visible");
  if (transform !== null) attribute(node, "transform", transform);
}

/**
 * A sheet as large as the board. A board is a stack of them: what changes often lies apart from what never does,
 * and browsers keep the pictures of sheets that did not change.
 * @param {Plan} plan
 * @param {string} name Its class.
 * @param {...Node} children
 */
export function sheet(plan, name, ...children) {
  const size = { class: `board-sheet ${name}`, viewBox: `0 0 ${plan.width} ${plan.height}` };
  return make("svg", { ...size, "aria-hidden": "true" }, ...children);
}

/** A number with at most one decimal. @param {number} value */
export const short = (value) => String(Math.round(value * 10) / 10);

/**
 * The outline of any cell round 0,0, drawn in a little by `inset`.
 * @param {Plan} plan
 * @param {number} [inset]
 */
export function outline(plan, inset = 0) {
  const corners = plan.outline.map(([dx, dy]) => {
    const factor = 1 - inset / Math.hypot(dx, dy);
    return `${short(dx * factor)} ${short(dy * factor)}`;
  });
  return `M${corners.join("L")}Z`;
}

/**
 * The outlines of some cells as one path.
 * @param {Plan} plan
 * @param {Iterable<number>} cells
 */
export function outlines(plan, cells) {
  const [first, ...others] = plan.outline;
  let [x, y] = first;
  let shape = "";
  for (const [dx, dy] of others) {
    shape += `l${short(dx - x)} ${short(dy - y)}`;
    [x, y] = [dx, dy];
  }
  let path = "";
  for (const cell of cells) path += `M${short(plan.x[cell] + first[0])} ${short(plan.y[cell] + first[1])}${shape}z`;
  return path;
}

/**
 * The attribute that moves what is drawn round 0,0 onto a cell.
 * @param {Plan} plan
 * @param {number} cell
 */
export const onto = (plan, cell) => `translate(${plan.x[cell]} ${plan.y[cell]})`;
