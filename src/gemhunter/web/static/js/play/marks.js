// The marks of a player on a board to fill in: a value, its code for the URL, and the board with them.
import { GEM, Grid, HIDDEN, TRAP } from "../grid.js";

const LETTER_A = 97;
const LONGEST_RUN = 26;
const SIGNS = { [TRAP]: "T", [GEM]: "G", [HIDDEN]: "_" };

/** Marks per hidden cell of a board: TRAP, GEM or HIDDEN. `with` returns new marks. */
export class Marks {
  /** @param {Grid} grid the board as given @param {Int8Array} [codes] */
  constructor(grid, codes = new Int8Array(grid.size).fill(HIDDEN)) {
    this.grid = grid;
    this.codes = codes;
  }

  /** One cell marked; the mark that is there already is taken away. @param {number} index @param {number} code */
  with(index, code) {
    const codes = this.codes.slice();
    codes[index] = codes[index] === code ? HIDDEN : code;
    return new Marks(this.grid, codes);
  }

  /** Cells marked as `code`. @param {number} code */
  cells(code) {
    const found = [];
    this.codes.forEach((mark, index) => mark === code && found.push(this.grid.cellAt(index)));
    return found;
  }

  /** The hidden cells of the board. */
  get size() {
    return this.grid.cells.reduce((sum, code) => sum + (code === HIDDEN ? 1 : 0), 0);
  }

  /** How many cells are marked. */
  get count() {
    return this.codes.reduce((sum, mark) => sum + (mark === HIDDEN ? 0 : 1), 0);
  }

  /** How many traps the board shows, marks included. */
  get traps() {
    return this.filled().cells.reduce((sum, code) => sum + (code === TRAP ? 1 : 0), 0);
  }

  /** The board with the marks as cells. @returns {Grid} */
  filled() {
    const { rows, cols, total, cells } = this.grid;
    return new Grid(rows, cols, cells.map((code, index) => (code === HIDDEN ? this.codes[index] : code)), new Uint8Array(rows * cols), total);
  }

  /** The marks of the hidden cells in reading order; runs of cells without a mark as letters. */
  code() {
    const hidden = [...this.codes].filter((_, index) => this.grid.cells[index] === HIDDEN);
    const signs = hidden.map((mark) => SIGNS[mark]).join("");
    return signs.replace(/_+$/, "").replaceAll(new RegExp(`_{1,${LONGEST_RUN}}`, "g"), (run) => String.fromCharCode(LETTER_A + run.length - 1));
  }

  /** Read a code of the URL. @param {Grid} grid @param {string} text */
  static fromCode(grid, text) {
    const marks = new Marks(grid);
    const hidden = [...grid.cells.keys()].filter((index) => grid.cells[index] === HIDDEN);
    let at = 0;
    for (const sign of text) {
      if (sign >= "a" && sign <= "z") at += sign.charCodeAt(0) - LETTER_A + 1;
      else if (at < hidden.length && (sign === "T" || sign === "G")) marks.codes[hidden[at++]] = sign === "T" ? TRAP : GEM;
      else throw new RangeError("the marks in this link cannot be read");
    }
    return marks;
  }
}

/** The marks in a code; without a code, the flags of the position count as marks of traps. @param {Grid} position @param {string} code */
export function openMarks(position, code) {
  const given = new Grid(position.rows, position.cols, position.cells, new Uint8Array(position.size), position.total);
  if (code) return Marks.fromCode(given, code);
  return new Marks(given, Int8Array.from(position.flags, (flag) => (flag ? TRAP : HIDDEN)));
}
