/** The title of the window, which says what one is looking at. */
import { words } from "../words/words.js";
import { useEffect } from "./html.js";

/**
 * Names the window after a view for as long as it is shown.
 * @param {string} text
 */
export function useTitle(text) {
  useEffect(() => { document.title = words.shell.title(text); }, [text]);
}
