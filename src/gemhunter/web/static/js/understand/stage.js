// The board of both modes: its layers, what is pointed at, the line below it and the clauses of a clue.
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { CluePanel } from "./clues.js";

const NO_LAYERS = {
  outlined: [], newTraps: [], newGems: [], traps: [], gems: [], broken: [], unsure: [], cursorHint: null, ghosts: new Map(), trail: new Map(),
};

/** @typedef {import("../grid.js").Grid} Grid */
/** @typedef {import("../grid.js").Cell} Cell */

/** The board, the line below it and the panel for the clauses of a clue. */
export class Stage {
  /** @param {(cell: Cell) => void} onHidden a cell that is not shown was chosen */
  constructor(onHidden) {
    this.onHidden = onHidden;
    this.layers = NO_LAYERS;
    /** The clue whose clauses are shown, with the hidden cells around it. @type {string[]|null} */
    this.clueCells = null;
    /** Outlines cells while something is pointed at; bound, so that it can be passed on. @type {import("./cell-text.js").Point} */
    this.point = (names) => this.board.setLayers({ outlined: names ? names.filter((name) => this.#has(name)) : this.#outlined });
    /** The clauses of the chosen clue; the tab gives it a place. */
    this.clue = new CluePanel(this.point, (index) => this.#markClue(index));
    this.line = h("div", { class: "understand-line", "aria-live": "off" });
    const host = h("div", { class: "board-host" });
    this.board = new Board(host, {
      label: "Board", mode: "view",
      onAct: (act) => this.#onAct(act),
      onCursor: (cell) => this.#onCursor(cell),
      onHover: (cell) => this.#onHover(cell),
    });
    this.hovered = h("span", { class: "understand-hovered quiet", "aria-hidden": "true" });
    this.element = h("div", { class: "column" }, host, h("div", { class: "understand-below" }, this.line, this.hovered));
  }

  get #outlined() {
    return this.clueCells ?? this.layers.outlined;
  }

  #markClue(index) {
    const { grid } = this.board;
    this.clueCells = index === null ? null : [index, ...hiddenAround(grid, index)].map((each) => grid.cellName(each));
    this.point(null);
  }

  #has(name) {
    const { row, col } = this.board.grid.named(name);
    return row < this.board.grid.rows && col < this.board.grid.cols;
  }

  /** Show a grid, unless it is the one that is shown. @param {Grid} grid */
  setGrid(grid) {
    if (grid === this.board.grid) return;
    this.board.setGrid(grid);
    this.show({});
  }

  /** Draw layers; those not given are empty. This closes the panel of clauses. @param {Record<string, any>} layers */
  show(layers) {
    this.clue.hide();
    this.layers = { ...NO_LAYERS, ...layers };
    this.board.setLayers(this.layers);
  }

  /** Zoom and pan the board so that some cells can be seen. @param {string[]} names */
  reveal(names) {
    this.board.show(names);
  }

  /** Show something in the line below the board. @param {...any} children */
  say(...children) {
    clear(this.line, children);
  }

  #onHover(cell) {
    this.hovered.textContent = cell ? this.board.grid.cellName(cell.index) : "";
  }

  #onCursor(cell) {
    this.clue.showSoon(this.board.grid, cell);
  }

  #onAct({ kind, cell }) {
    if (kind !== "primary") return;
    if (this.board.grid.cells[cell.index] >= 0) this.clue.showSoon(this.board.grid, cell);
    else if (this.board.grid.cells[cell.index] === HIDDEN) this.onHidden(cell);
  }

  /** Close the panel of clauses. */
  stop() {
    this.clue.hide();
  }
}

function hiddenAround(grid, index) {
  const { row, col } = grid.cellAt(index);
  return [...grid.cells.keys()].filter((each) => {
    const near = grid.cellAt(each);
    return grid.cells[each] === HIDDEN && Math.abs(near.row - row) <= 1 && Math.abs(near.col - col) <= 1;
  });
}
