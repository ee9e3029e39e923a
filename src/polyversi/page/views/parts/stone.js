/** A stone beside a name. */
import { html } from "../../app/html.js";

/** @param {{paint: import("../../app/types.js").Paint|undefined, size?: number}} props */
export function Stone({ paint, size = 22 }) {
  if (!paint) return null;
  return html`<svg class="stone" viewBox="-12 -12 24 24" width=${size} height=${size} aria-hidden="true">
    <circle r="10.5" fill=${paint.fill} stroke="currentColor" stroke-opacity="0.45" />
    ${paint.sign && html`
      <text y="0.36em" text-anchor="middle" font-size="12" font-weight="700" fill=${paint.ink}>${paint.sign}</text>`}
  </svg>`;
}
