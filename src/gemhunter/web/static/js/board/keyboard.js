// Keys on a board that has the focus: the cursor, zoom, acting on a cell.
import { actionOf, BOARD_ACTIONS, keyOf } from "../keys.js";

const ZOOM = 1.25;

/** Handle a key press of the board. @param {import("./board.js").Board} board @param {KeyboardEvent} event */
export function onKey(board, event) {
  const { rows, cols } = board.grid;
  const { row, col } = board.cursor;
  const page = Math.max(1, board.rowsShown - 1);
  const to = (toRow, toCol) => () => board.pointAt({ row: Math.min(rows - 1, Math.max(0, toRow)), col: Math.min(cols - 1, Math.max(0, toCol)) });
  const act = (kind) => () => {
    // The user should see the cell that is acted on.
    board.scrollTo(board.cursor);
    board.act(kind, board.cursor, event);
  };
  const uses = {
    up: to(row - 1, col), down: to(row + 1, col), left: to(row, col - 1), right: to(row, col + 1), pageUp: to(row - page, col), pageDown: to(row + page, col),
    rowStart: to(row, 0), rowEnd: to(row, cols - 1), boardStart: to(0, 0), boardEnd: to(rows - 1, cols - 1),
    zoomIn: () => board.zoom(ZOOM), zoomOut: () => board.zoom(1 / ZOOM), fit: () => board.fit(),
    // On a board that only shows something, Space is left to the page.
    ...(board.listeners.onAct && { primary: act("primary"), secondary: act("secondary") }),
  };
  const use = uses[actionOf(keyOf(event), BOARD_ACTIONS)];
  if (!use) return;
  use();
  event.preventDefault();
}
