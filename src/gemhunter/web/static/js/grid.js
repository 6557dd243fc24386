// The Grid value: what a board shows, as text, as a request body and as a code for the URL.

export const HIDDEN = -1;
export const TRAP = -2;
export const GEM = -3;

/** Largest number of cells a code in the URL may claim, so that a wrong link cannot exhaust the memory. */
const MOST_CELLS = 250_000;
const LONGEST_RUN = 26;
const LETTER_A = 97;

/** @typedef {{row: number, col: number, index: number}} Cell */

/** A grid with flags and a total. Methods that edit it return a new grid. */
export class Grid {
  /** @param {number} rows @param {number} cols @param {Int8Array} cells @param {Uint8Array} flags @param {number|null} total */
  constructor(rows, cols, cells, flags, total = null) {
    this.rows = rows;
    this.cols = cols;
    this.cells = cells;
    this.flags = flags;
    this.total = total;
  }

  /** All cells hidden. @param {number} rows @param {number} cols */
  static blank(rows, cols) {
    return new Grid(rows, cols, new Int8Array(rows * cols).fill(HIDDEN), new Uint8Array(rows * cols), null);
  }

  /** Read rows such as "3, _, 2" or "3_2"; F is a flag, X an exploded trap. @param {string[]} rows @param {number|null} [total] */
  static fromRows(rows, total = null) {
    const signs = rows.map(signsOf);
    const cols = signs[0]?.length ?? 0;
    if (!cols || signs.some((row) => row.length !== cols)) throw new RangeError("the rows of a board must have the same length");
    const grid = Grid.blank(rows.length, cols);
    signs.flat().forEach((sign, index) => putSign(grid, index, sign));
    grid.total = total ?? null;
    return grid;
  }

  /** Rows in compact form, F for flags: "3_F". @returns {string[]} */
  toRows() {
    return Array.from({ length: this.rows }, (_, row) => this.#signs(row).join(""));
  }

  /** Lines such as "3, _, 2, _". */
  toText() {
    const rows = Array.from({ length: this.rows }, (_, row) => this.#signs(row).join(", "));
    const isOpen = this.total !== null && this.cells.includes(HIDDEN);
    return [...(isOpen ? [`# traps: ${this.total}`] : []), ...rows].join("\n");
  }

  /** The fields that every request about a board contains. @returns {{grid: string[], traps: number|null}} */
  toBody() {
    return { grid: this.toRows(), traps: this.total };
  }

  #signs(row) {
    return Array.from({ length: this.cols }, (_, col) => this.#sign(row * this.cols + col));
  }

  #sign(index) {
    const code = this.cells[index];
    if (code === HIDDEN) return this.flags[index] ? "F" : "_";
    if (code === TRAP) return "T";
    return code === GEM ? "G" : String(code);
  }

  /** The number of cells. */
  get size() {
    return this.rows * this.cols;
  }

  /** @param {number} row @param {number} col @returns {Cell} */
  cell(row, col) {
    return { row, col, index: row * this.cols + col };
  }

  /** @param {number} index @returns {Cell} */
  cellAt(index) {
    return { row: Math.floor(index / this.cols), col: index % this.cols, index };
  }

  /** The cell of a name such as "r3c4". @param {string} name @returns {Cell} */
  named(name) {
    const { row, col } = Grid.parseCell(name);
    return this.cell(row, col);
  }

  /** @param {number} row @param {number} col @returns {number} a clue, HIDDEN, TRAP or GEM */
  at(row, col) {
    return this.cells[row * this.cols + col];
  }

  /** With one cell replaced and its flag removed. @param {number} row @param {number} col @param {number} code */
  with(row, col, code) {
    const cells = this.cells.slice();
    const flags = this.flags.slice();
    cells[row * this.cols + col] = code;
    flags[row * this.cols + col] = 0;
    return new Grid(this.rows, this.cols, cells, flags, this.total);
  }

  /** A copy with the flag of a cell set or removed; a cell that gets a flag becomes hidden. @param {number} row @param {number} col @param {boolean} isOn */
  withFlag(row, col, isOn) {
    const next = isOn ? this.with(row, col, HIDDEN) : new Grid(this.rows, this.cols, this.cells.slice(), this.flags.slice(), this.total);
    next.flags[row * this.cols + col] = isOn ? 1 : 0;
    return next;
  }

  /** @param {number|null} total how many traps the whole board has, or null */
  withTotal(total) {
    return new Grid(this.rows, this.cols, this.cells, this.flags, total);
  }

  /** A copy of another size: cut, or extended with hidden cells, at the right and at the bottom. @param {number} rows @param {number} cols */
  resized(rows, cols) {
    const next = Grid.blank(rows, cols);
    for (let row = 0; row < Math.min(rows, this.rows); row++) {
      for (let col = 0; col < Math.min(cols, this.cols); col++) {
        next.cells[row * cols + col] = this.cells[row * this.cols + col];
        next.flags[row * cols + col] = this.flags[row * this.cols + col];
      }
    }
    next.total = this.total;
    return next;
  }

  /** @param {Grid|null} other */
  equals(other) {
    return (
      other !== null && this.rows === other.rows && this.cols === other.cols && this.total === other.total &&
      this.cells.every((code, index) => code === other.cells[index] && this.flags[index] === other.flags[index])
    );
  }

  /** The code for the URL: "3x4n7~3a2c", runs of hidden cells as letters. */
  code() {
    const parts = [`${this.rows}x${this.cols}`, this.total === null ? "" : `n${this.total}`, "~"];
    let run = 0;
    for (let index = 0; index <= this.size; index++) {
      const sign = index < this.size ? this.#sign(index) : "";
      if (sign === "_" && run < LONGEST_RUN) {
        run += 1;
        continue;
      }
      if (run) parts.push(String.fromCharCode(LETTER_A + run - 1));
      run = sign === "_" ? 1 : 0;
      if (!run) parts.push(sign);
    }
    return parts.join("");
  }

  /** Read a code from the URL; throws RangeError with a one-line message if it contains no board. @param {string} code */
  static fromCode(code) {
    const found = /^(\d{1,6})x(\d{1,6})(?:n(\d{1,7}))?~([0-9TGFa-z]*)$/.exec(code);
    if (!found) throw new RangeError("this link does not contain a board");
    const [rows, cols] = [Number(found[1]), Number(found[2])];
    if (!rows || !cols || rows * cols > MOST_CELLS) throw new RangeError(`this link contains a board of ${rows}×${cols} cells; a board has 1 to ${MOST_CELLS.toLocaleString("en")} cells`);
    const grid = Grid.blank(rows, cols);
    let index = 0;
    for (const sign of found[4]) {
      if (sign >= "a") index += sign.charCodeAt(0) - LETTER_A + 1;
      else if (index < grid.size) putSign(grid, index++, sign);
      else index++;
    }
    if (index !== grid.size) throw new RangeError(`this link describes ${index} cells, but a board of ${rows}×${cols} has ${grid.size}`);
    grid.total = found[3] === undefined ? null : Number(found[3]);
    return grid;
  }

  /** The name of a cell: "r1c1". @param {number} index */
  cellName(index) {
    return `r${Math.floor(index / this.cols) + 1}c${(index % this.cols) + 1}`;
  }

  /** @param {string} name such as "r3c4" @returns {{row: number, col: number}} 0-based */
  static parseCell(name) {
    const found = /^r(\d+)c(\d+)$/.exec(name);
    if (!found) throw new RangeError(`${name} is not the name of a cell`);
    return { row: Number(found[1]) - 1, col: Number(found[2]) - 1 };
  }
}

function signsOf(row) {
  return row.includes(",") ? row.split(",").map((sign) => sign.trim()) : [...row.replaceAll(/\s/g, "")];
}

function putSign(grid, index, sign) {
  if (sign >= "0" && sign <= "9") grid.cells[index] = Number(sign);
  else if (sign === "T" || sign === "X") grid.cells[index] = TRAP;
  else if (sign === "G") grid.cells[index] = GEM;
  else if (sign === "F") grid.flags[index] = 1;
  else if (sign !== "_") throw new RangeError(`${sign} is not a cell of a board`);
}
