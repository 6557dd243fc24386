// The board that is drawn, and its history: every change can be undone.
import { GEM, Grid, HIDDEN, TRAP } from "../grid.js";

const LONGEST_HISTORY = 300;

/** What a tool puts on a cell. @typedef {number|"flag"} Ink */

/** Holds the present grid, and those before and after it. */
export class Editor {
  /** @param {(grid: Grid, isLoaded: boolean) => void} onChange `isLoaded`: another board, not an edit of the same */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Grid|null} */
    this.grid = null;
    this.past = [];
    this.future = [];
    /** The stroke, which is undone in one step: "none", "empty" before its first edit, "begun" after it. */
    this.stroke = "none";
  }

  /** Show another board. @param {Grid} grid */
  load(grid) {
    this.#set(grid, true);
  }

  /** Change the present board. @param {Grid} grid */
  edit(grid) {
    if (!this.grid || !grid.equals(this.grid)) this.#set(grid, false);
  }

  /** Put something on a cell. @param {import("../grid.js").Cell} cell @param {Ink} ink */
  put(cell, ink) {
    const { row, col } = cell;
    this.edit(ink === "flag" ? this.grid.withFlag(row, col, true) : this.grid.with(row, col, ink));
  }

  /** Go from hidden to flag, trap, gem and back to hidden; a clue becomes hidden. @param {import("../grid.js").Cell} cell */
  cycle(cell) {
    const code = this.grid.cells[cell.index];
    if (code === HIDDEN) this.put(cell, this.grid.flags[cell.index] ? TRAP : "flag");
    else this.put(cell, code === TRAP ? GEM : HIDDEN);
  }

  /** Edits until `endStroke` are undone in one step. */
  startStroke() {
    this.stroke = "empty";
  }

  endStroke() {
    this.stroke = "none";
  }

  get canUndo() {
    return this.past.length > 0;
  }

  get canRedo() {
    return this.future.length > 0;
  }

  undo() {
    this.#travel(this.past, this.future);
  }

  redo() {
    this.#travel(this.future, this.past);
  }

  #travel(from, to) {
    if (!from.length) return;
    this.endStroke();
    to.push(this.grid);
    this.grid = from.pop();
    this.onChange(this.grid, false);
  }

  #set(grid, isLoaded) {
    if (this.grid && this.stroke !== "begun") this.past.push(this.grid);
    if (this.stroke === "empty") this.stroke = "begun";
    if (this.past.length > LONGEST_HISTORY) this.past.shift();
    this.future = [];
    this.grid = grid;
    this.onChange(grid, isLoaded);
  }
}
