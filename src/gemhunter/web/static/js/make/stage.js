// Where results appear: brought into view when they come, or announced if another tab is shown.
import { toast } from "../widgets.js";

/** The header covers this many pixels at most. */
const HEADER = 60;

/** Scroll so that results are seen, if they are not. @param {HTMLElement} stage */
export function bringIntoView(stage) {
  if (!stage.checkVisibility()) return;
  const { top } = stage.getBoundingClientRect();
  if (top < HEADER || top > window.innerHeight / 2) stage.scrollIntoView({ block: "start" });
}

/** Say that work has ended while another tab is shown. @param {HTMLElement} stage @param {string} text */
export function sayIfHidden(stage, text) {
  if (!stage.checkVisibility()) toast(text);
}
