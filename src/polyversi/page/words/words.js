/** All texts of the page in the visitor's language; today there is English, and a translation is a folder beside it. */
import { arena } from "./en/arena.js";
import { editor } from "./en/editor.js";
import { game } from "./en/game.js";
import { play } from "./en/play.js";
import { settings } from "./en/settings.js";
import { problems, shell } from "./en/shell.js";
import { speech } from "./en/speech.js";
import { watch } from "./en/watch.js";

export const words = { arena, editor, game, play, problems, settings, shell, speech, watch };
