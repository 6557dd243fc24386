// Letters that move the cursor of a board, as in vi: h, j, k, l.

const STEPS = { h: [0, -1], j: [1, 0], k: [-1, 0], l: [0, 1] };

/** Move the cursor by a letter; true if the key was one of them. @param {import("../board/board.js").Board} board @param {string} key */
export function moveByLetter(board, key) {
  const step = STEPS[key];
  if (!step) return false;
  const { rows, cols } = board.grid;
  const within = (place, length) => Math.min(length - 1, Math.max(0, place));
  pointAt(board, { row: within(board.cursor.row + step[0], rows), col: within(board.cursor.col + step[1], cols) });
  return true;
}

/** Put the cursor on a cell and show it. @param {import("../board/board.js").Board} board @param {{row: number, col: number}} cell */
export function pointAt(board, cell) {
  board.setCursor(cell);
  board.scrollTo(cell);
}
