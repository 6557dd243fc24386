// What is drawn over the cells, kept per cell so that painting and naming a cell need no search.
import { Grid } from "../grid.js";

export const OUTLINED = 1;
export const NEW_TRAP = 2;
export const NEW_GEM = 4;
export const DECIDED_TRAP = 8;
export const DECIDED_GEM = 16;
export const BROKEN = 32;
export const UNSURE = 64;
export const WRONG_FLAG = 128;

const BITS = {
  outlined: OUTLINED, newTraps: NEW_TRAP, newGems: NEW_GEM, traps: DECIDED_TRAP, gems: DECIDED_GEM,
  broken: BROKEN, unsure: UNSURE, flagsWrong: WRONG_FLAG,
};
const SIGNS = NEW_TRAP | NEW_GEM | DECIDED_TRAP | DECIDED_GEM | UNSURE;
const NO_TEXTS = new Map();

/** @typedef {import("../grid.js").Cell|string} CellOrName */

/** The layers of one board; each is replaced as a whole. */
export class Layers {
  /** @param {number} rows @param {number} cols */
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    this.given = {};
    /** One set of bits per cell. */
    this.marks = new Uint16Array(rows * cols);
    this.risk = null;
    this.exploded = -1;
    this.cursorHint = -1;
    /** Whether decided cells are drawn as strongly as those the board shows. */
    this.isSolved = false;
    this.ghosts = NO_TEXTS;
    this.trail = NO_TEXTS;
  }

  /** Replace some layers; cells may be given by name. @param {Record<string, any>} changes */
  set(changes) {
    Object.assign(this.given, changes);
    this.marks.fill(0);
    for (const [name, bit] of Object.entries(BITS)) {
      for (const cell of this.given[name] ?? []) this.marks[this.#index(cell)] |= bit;
    }
    this.risk = this.given.risk ?? null;
    this.exploded = this.#index(this.given.exploded);
    this.cursorHint = this.#index(this.given.cursorHint);
    this.isSolved = Boolean(this.given.isSolved);
    this.ghosts = this.given.ghosts ?? NO_TEXTS;
    this.trail = this.given.trail ?? NO_TEXTS;
  }

  #index(cell) {
    if (cell === null || cell === undefined) return -1;
    const { row, col } = typeof cell === "string" ? Grid.parseCell(cell) : cell;
    return row * this.cols + col;
  }

  /** Whether a hidden cell shows a sign or a number of a layer. @param {number} index */
  saysSomething(index) {
    return (this.marks[index] & SIGNS) !== 0 || this.percent(index) !== null;
  }

  /** The risk of a cell in whole percent, or null. Only a certain trap is 100, only a certain gem is 0. @param {number} index */
  percent(index) {
    const risk = this.risk?.[index];
    if (risk === undefined || Number.isNaN(risk)) return null;
    if (risk <= 0) return 0;
    return risk >= 1 ? 100 : Math.min(99, Math.max(1, Math.round(risk * 100)));
  }
}
