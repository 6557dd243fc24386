// The help dialog: what the page does, and its keys.
import { h } from "./dom.js";
import { openDialog } from "./widgets.js";

const INTRODUCTION =
  "A clue says how many of the up to eight cells around it are traps. All other hidden cells are gems. " +
  "The tabs analyse a board, explain it step by step, let you play, compare engines, and make new puzzles.";
const GENERAL = [
  ["Shift+1 … Shift+5", "go to a tab"],
  ["?", "open this help"],
  ["Escape", "close a dialog or a menu"],
];
const BOARD = [
  ["arrows", "move the cursor"],
  ["Home, End", "first, last cell of the row; with Ctrl, of the board"],
  ["PageUp, PageDown", "move by a screen"],
  ["Enter, Space", "same as a click"],
  ["Shift+Enter", "same as right-click or long press"],
  ["+, −", "zoom; with the mouse, Ctrl and the wheel; with two fingers, pinch"],
  ["0", "fit the board into its frame (unless digits put clues)"],
];

let opened = null;

/** Open the help, with the keys of the current tab. @param {string} title @param {[string, string][]} keys */
export function openHelp(title, keys) {
  if (opened) return;
  opened = openDialog({ title: "Help", wide: true, onClose: () => (opened = null) },
    h("p", {}, INTRODUCTION),
    h("div", { class: "help-columns" }, keys.length > 0 && keyList(title, keys), keyList("On a board", BOARD), keyList("Everywhere", GENERAL)));
}

function keyList(title, keys) {
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, keys.map(([key, text]) => h("div", {}, h("dt", {}, keysOf(key)), h("dd", {}, text)))));
}

function keysOf(text) {
  return text.split(/(, | … )/).map((part, at) => (at % 2 ? part : h("kbd", {}, part)));
}
