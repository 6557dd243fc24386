// The help dialog: what the page does, and its keys.
import { h } from "./dom.js";
import { ACTIONS, BOARD_ACTIONS, keyRows } from "./keys.js";
import { openDialog } from "./widgets.js";

const INTRODUCTION =
  "A clue says how many of the up to eight cells around it are traps. All other hidden cells are gems. " +
  "The tabs analyse a board, explain it step by step, let you play, compare engines, and make new puzzles.";
const CELLS = "Keys that act on a cell act on the one under the pointer, or at the cursor if the keyboard was used last.";
/** Keys that work in every tab. */
const GENERAL = ["leave", "tab", "help"];

let opened = null;

/** Open the help, with the actions that the tab offers now. @param {string} title @param {string[]} offered names of actions */
export function openHelp(title, offered) {
  if (opened) return;
  const keys = keyRows(ACTIONS, offered.filter((name) => !GENERAL.includes(name)));
  opened = openDialog({ title: "Help", wide: true, onClose: () => (opened = null) },
    h("p", {}, INTRODUCTION), h("p", { class: "quiet" }, CELLS),
    h("div", { class: "help-columns" }, keys.length > 0 && keyList(title, keys), keyList("On a board", keyRows(BOARD_ACTIONS)), keyList("Everywhere", keyRows(ACTIONS, GENERAL))));
}

function keyList(title, keys) {
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, keys.map(([key, text]) => h("div", {}, h("dt", {}, keysOf(key)), h("dd", {}, text)))));
}

function keysOf(text) {
  return text.split(/(, | … )/).map((part, at) => (at % 2 ? part : h("kbd", {}, part)));
}
