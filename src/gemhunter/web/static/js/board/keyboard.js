// Keys on a board: the cursor, zoom, acting on a cell; other keys are passed on.

const PASSED = new Set(["Delete", "Backspace", "Escape"]);
const ZOOM = 1.25;

/** Handle a key press of the board. @param {import("./board.js").Board} board @param {KeyboardEvent} event */
export function onKey(board, event) {
  if (event.altKey || ((event.ctrlKey || event.metaKey) && !["Home", "End"].includes(event.key))) return;
  const target = moved(board, event);
  if (target) {
    board.setCursor(target);
    board.scrollTo(target);
  } else if (event.key === "Enter" || event.key === " ") act(board, event.shiftKey ? "secondary" : "primary", event);
  else if (event.key === "ContextMenu") act(board, "secondary", event);
  else if (!zoomed(board, event.key)) {
    if (event.key.length === 1 || PASSED.has(event.key)) act(board, "key", event, event.key);
    return;
  }
  event.preventDefault();
}

/** Act on the cell under the cursor, which the user should see. */
function act(board, kind, event, key) {
  board.scrollTo(board.cursor);
  board.act(kind, board.cursor, event, key);
}

function moved(board, event) {
  const { rows, cols } = board.grid;
  const { row, col } = board.cursor;
  const page = Math.max(1, board.rowsShown - 1);
  const far = event.ctrlKey || event.metaKey;
  const moves = {
    ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1],
    PageUp: [row - page, col], PageDown: [row + page, col], Home: [far ? 0 : row, 0], End: [far ? rows - 1 : row, cols - 1],
  };
  const to = moves[event.key];
  if (!to) return null;
  return board.grid.cell(Math.min(rows - 1, Math.max(0, to[0])), Math.min(cols - 1, Math.max(0, to[1])));
}

function zoomed(board, key) {
  if (key === "+" || key === "=") board.zoom(ZOOM);
  else if (key === "-") board.zoom(1 / ZOOM);
  else if (key === "0" && !board.takesDigits) board.fit();
  else return false;
  return true;
}
