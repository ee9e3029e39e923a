/** Where menus and dialogs appear: beside what they belong to. */

/** Pixels between a box and the place it belongs to, or the edge of the window. */
const MARGIN = 8;

/**
 * Puts an open menu or dialog below a place on the screen, or above it where there is no room.
 * @param {HTMLElement} box
 * @param {DOMRect} place
 */
export function placeBeside(box, place) {
  const { width, height } = box.getBoundingClientRect();
  const left = place.left + (place.width - width) / 2;
  const below = place.bottom + MARGIN;
  const top = below + height < innerHeight ? below : place.top - height - MARGIN;
  box.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`;
  box.style.top = `${Math.max(MARGIN, top)}px`;
}
