// A game played on a board whose traps are known: positions of games that are over need no server.
import { Grid, HIDDEN, TRAP } from "../grid.js";

/** Indices of the up to eight cells around one. @param {number} index @param {number} rows @param {number} cols */
export function around(index, rows, cols) {
  const [row, col] = [Math.floor(index / cols), index % cols];
  const cells = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c++) if (r !== row || c !== col) cells.push(r * cols + c);
  }
  return cells;
}

/** A table at which moves are played one after the other. */
export class Table {
  /** @param {string[]} truth rows of a map, `*` for a trap @param {number} total */
  constructor(truth, total) {
    this.rows = truth.length;
    this.cols = truth[0].length;
    this.traps = Uint8Array.from([...truth.join("")], (sign) => (sign === "*" ? 1 : 0));
    this.grid = Grid.blank(this.rows, this.cols).withTotal(total);
    /** @type {number|null} the trap that ended the game */
    this.exploded = null;
  }

  /** @param {import("./games.js").Move} move */
  play({ action, index }) {
    const { cells, flags } = this.grid;
    if (action === "flag") flags[index] = flags[index] ? 0 : 1;
    else if (action === "reveal") this.#open(index);
    else for (const near of around(index, this.rows, this.cols)) if (cells[near] === HIDDEN && !flags[near]) this.#open(near);
  }

  #open(start) {
    const { cells, flags } = this.grid;
    const waiting = [start];
    while (waiting.length) {
      const index = waiting.pop();
      if (cells[index] !== HIDDEN || flags[index]) continue;
      if (this.traps[index]) {
        cells[index] = TRAP;
        this.exploded ??= index;
        continue;
      }
      const near = around(index, this.rows, this.cols);
      cells[index] = near.reduce((sum, other) => sum + this.traps[other], 0);
      if (cells[index] === 0) waiting.push(...near);
    }
  }
}

/** The position after some moves. @param {string[]} truth @param {number} total @param {import("./games.js").Move[]} moves */
export function positionAfter(truth, total, moves) {
  const table = new Table(truth, total);
  moves.forEach((move) => table.play(move));
  return { grid: table.grid, exploded: table.exploded };
}

/**
 * What is shown of a game that is over: all traps, wrong flags crossed, the exploded cell; a won game gets its last flags.
 * @param {Grid} grid @param {string[]} truth @param {{isWon: boolean, exploded: number|null}} end @returns {{grid: Grid, flagsWrong: any[], exploded: any}}
 */
export function uncovered(grid, truth, { isWon, exploded }) {
  const traps = truth.join("");
  const cells = grid.cells.slice();
  const flags = grid.flags.slice();
  const flagsWrong = [];
  for (let index = 0; index < grid.size; index++) {
    if (cells[index] !== HIDDEN) continue;
    const isTrap = traps[index] === "*";
    if (flags[index] && !isTrap) flagsWrong.push(grid.cellAt(index));
    else if (isTrap && isWon) flags[index] = 1;
    else if (isTrap && !flags[index]) cells[index] = TRAP;
  }
  const shown = new Grid(grid.rows, grid.cols, cells, flags, grid.total);
  return { grid: shown, flagsWrong, exploded: exploded === null ? null : grid.cellAt(exploded) };
}
