// Boards from outside: pasted text, dropped and opened files, samples.
import { ask, readFile } from "../api.js";
import { h, on } from "../dom.js";
import { Grid } from "../grid.js";
import { packMoves, readMove } from "../play/games.js";
import { load, save } from "../store.js";

/** How 0 is read: `value` is "clue" or "unknown", remembered by the browser. */
export const zero = {
  get value() {
    return load("analyse.zero", 1, "clue");
  },
  set value(choice) {
    save("analyse.zero", 1, choice);
  },
};

/** @typedef {{grid: Grid, game: {id: string, moves: string[]}|null, from: string}} Reading */

/** Read a board from text. @param {string} text @param {AbortSignal} [signal] @returns {Promise<Reading>} */
export async function readText(text, signal) {
  return readingOf(await ask("read", { text, zero: zero.value }, { signal }), "pasted text");
}

/** Read a board from a file. @param {File} file @returns {Promise<Reading>} */
export async function readBoardFile(file) {
  return readingOf(await readFile(file, zero.value), file.name);
}

function readingOf({ grid, traps, game }, from) {
  return { grid: Grid.fromRows(grid, traps), game: game ?? null, from };
}

/** The parameters with which the tab Play opens a game. @param {{id: string, moves: string[]}} game @param {number} cols */
export function playParams({ id, moves }, cols) {
  return { id, m: packMoves(moves.map((text) => readMove(text, cols))) };
}

/** Let the user choose a file. @param {(file: File) => void} onFile */
export function chooseFile(onFile) {
  const input = h("input", { type: "file", hidden: true, onchange: () => input.files[0] && onFile(input.files[0]) });
  input.click();
}

/**
 * Take pasted and dropped texts and files while `isActive()`.
 * @param {HTMLElement} zone marked while a file hovers over it
 * @param {{isActive: () => boolean, onText: (text: string) => void, onFile: (file: File) => void}} options
 */
export function takeBoards(zone, { isActive, onText, onFile }) {
  on(document, "paste", (event) => {
    if (!isActive()) return;
    const file = event.clipboardData.files[0];
    const text = event.clipboardData.getData("text/plain");
    if (text.trim()) onText(text);
    else if (file) onFile(file);
    else return;
    event.preventDefault();
  });
  const mark = (isOver) => zone.classList.toggle("is-over", isOver);
  on(window, "dragover", (event) => {
    if (!isActive() || !event.dataTransfer) return;
    event.preventDefault();
    mark(true);
  });
  on(window, "dragleave", (event) => event.relatedTarget === null && mark(false));
  on(window, "drop", (event) => {
    mark(false);
    if (!isActive() || !event.dataTransfer) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    const text = event.dataTransfer.getData("text/plain");
    if (file) onFile(file);
    else if (text) onText(text);
  });
}
