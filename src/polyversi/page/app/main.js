/** Starts the page. */
import { html, render } from "./html.js";
import { startRouter } from "./router.js";
import { Shell } from "./shell.js";

startRouter();
const root = document.getElementById("page");
if (root) render(html`<${Shell} />`, root);
