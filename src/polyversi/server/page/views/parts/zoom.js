/** A board with buttons that enlarge it where it is too large to be seen whole. */

import { html, useRef, useSignal } from "../../app/html.js";
import { Icon } from "../../app/icons.js";
import { words } from "../../words/words.js";
import { BoardHost } from "./boardhost.js";

/** @typedef {import("../../board/board.js").Board} Board */

/**
 * @param {{plan: import("../../app/types.js").Plan, config: import("./boardhost.js").Config, name?: string}} props
 */
export function ZoomableBoard({ plan, config, name = "" }) {
  const board = useRef(/** @type {Board | null} */ (null));
  const zoom = useSignal({ scale: 1, most: 1 });
  const onZoom = (/** @type {number} */ scale, /** @type {number} */ most) => {
    if (scale !== zoom.value.scale || most !== zoom.value.most) zoom.value = { scale, most };
  };
  const { scale, most } = zoom.value;
  return html`<div class="zoomable">
    <${BoardHost} name=${name} plan=${plan} config=${{ ...config, onZoom }} onReady=${(/** @type {Board} */ made) => { board.current = made; }} />
    ${most > 1 && html`<div class="zoom" role="group" aria-label=${words.game.zoom}>
      <${Button} icon="minus" label=${words.game.zoomOut} disabled=${scale <= 1} onClick=${() => board.current?.zoomBy(0.7)} />
      <${Button} icon="fit" label=${words.game.zoomFit} disabled=${scale <= 1} onClick=${() => board.current?.zoomTo("fit")} />
      <${Button} icon="plus" label=${words.game.zoomIn} disabled=${scale >= most} onClick=${() => board.current?.zoomBy(1.5)} />
    </div>`}
  </div>`;
}

/** @param {{icon: string, label: string, disabled: boolean, onClick: () => void}} props */
function Button({ icon, label, disabled, onClick }) {
  return html`<button type="button" class="button icon" aria-label=${label} title=${label} disabled=${disabled} onClick=${onClick}>
    <${Icon} name=${icon} /></button>`;
}
