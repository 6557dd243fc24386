// What a screen reader sees of the board: a grid with real cells for the window around the cursor.
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { h } from "../dom.js";
import * as bits from "./layers.js";

const WINDOW = 15;
const EDGE = 2;
let boards = 0;

/** The cells around the cursor as elements over the canvas. */
export class AriaWindow {
  /** @param {HTMLElement} surface the element with role grid */
  constructor(surface) {
    this.surface = surface;
    this.prefix = `board-${++boards}`;
    this.body = h("div", { class: "board-aria", role: "presentation" });
    surface.append(this.body);
    this.row = 0;
    this.col = 0;
    this.shape = "";
    /** @type {HTMLElement[][]} */
    this.cells = [];
  }

  /** Follow the grid, its layers and the cursor. @param {import("../grid.js").Grid} grid @param {bits.Layers} layers @param {{row: number, col: number}} cursor */
  update(grid, layers, cursor) {
    this.#shapeFor(grid);
    this.row = shifted(this.row, cursor.row, grid.rows);
    this.col = shifted(this.col, cursor.col, grid.cols);
    this.cells.forEach((cells, r) => {
      set(cells[0].parentElement, "aria-rowindex", this.row + r + 1);
      cells.forEach((cell, c) => {
        const index = (this.row + r) * grid.cols + this.col + c;
        cell.id = `${this.prefix}-${index}`;
        set(cell, "aria-colindex", this.col + c + 1);
        set(cell, "aria-label", describe(grid, layers, index));
      });
    });
    this.surface.setAttribute("aria-activedescendant", `${this.prefix}-${cursor.row * grid.cols + cursor.col}`);
  }

  /** Lay the elements over the drawn cells. @param {import("./view.js").View} view */
  place(view) {
    const { style } = this.body;
    style.setProperty("--cell", `${view.cell}px`);
    style.transform = `translate(${view.x + this.col * view.cell}px, ${view.y + this.row * view.cell}px)`;
  }

  #shapeFor(grid) {
    const shape = `${grid.rows}x${grid.cols}`;
    if (shape === this.shape) return;
    this.shape = shape;
    this.row = 0;
    this.col = 0;
    this.cells = Array.from({ length: Math.min(WINDOW, grid.rows) }, () =>
      Array.from({ length: Math.min(WINDOW, grid.cols) }, () => h("span", { role: "gridcell" })));
    this.body.replaceChildren(...this.cells.map((cells) => h("div", { role: "row" }, cells)));
    this.surface.setAttribute("aria-rowcount", String(grid.rows));
    this.surface.setAttribute("aria-colcount", String(grid.cols));
  }
}

function set(element, name, value) {
  if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** Where the window starts on one axis: moved only when the cursor comes near its edge. */
function shifted(start, cursor, length) {
  const last = Math.max(0, length - WINDOW);
  if (cursor >= start + EDGE && cursor < start + WINDOW - EDGE) return Math.min(start, last);
  return Math.max(0, Math.min(last, cursor - (WINDOW >> 1)));
}

/** A cell in words: "row 3, column 4, hidden, risk 23 %". @param {import("../grid.js").Grid} grid @param {bits.Layers} layers @param {number} index */
export function describe(grid, layers, index) {
  const { row, col } = grid.cellAt(index);
  const parts = [`row ${row + 1}, column ${col + 1}`, contents(grid, index)];
  const mark = layers.marks[index];
  if (index === layers.exploded) parts.push("exploded");
  if (mark & bits.NEW_TRAP) parts.push("now a trap");
  if (mark & bits.NEW_GEM) parts.push("now a gem");
  if (mark & bits.DECIDED_TRAP) parts.push("shown as a trap");
  if (mark & bits.DECIDED_GEM) parts.push("shown as a gem");
  if (mark & bits.OUTLINED) parts.push("outlined");
  if (mark & bits.BROKEN) parts.push("in conflict");
  if (mark & bits.UNSURE) parts.push("not sure");
  if (mark & bits.WRONG_FLAG) parts.push("wrong flag");
  const percent = grid.cells[index] === HIDDEN ? layers.percent(index) : null;
  if (percent !== null) parts.push(`risk ${percent} %`);
  for (const text of [layers.ghosts.get(index), layers.trail.get(index)]) if (text) parts.push(text);
  return parts.join(", ");
}

/** What a cell holds: "clue 2", "trap", "gem", "flag" or "hidden". @param {import("../grid.js").Grid} grid @param {number} index */
export function contents(grid, index) {
  const code = grid.cells[index];
  if (code === TRAP) return "trap";
  if (code === GEM) return "gem";
  if (code === HIDDEN) return grid.flags[index] ? "flag" : "hidden";
  return `clue ${code}`;
}
