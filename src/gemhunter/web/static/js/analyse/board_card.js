// The card with the size of the board, and how 0 is read.
import { clear, h } from "../dom.js";
import { card, field, notice, toggle } from "../widgets.js";
import { isPossible } from "./new_dialog.js";
import { zero } from "./reading.js";

/** Shows and changes rows and columns. */
export class BoardCard {
  /** @param {{grid: () => import("../grid.js").Grid, most: number, onEdit: (grid: import("../grid.js").Grid) => void}} options */
  constructor({ grid, most, onEdit }) {
    this.options = { grid, most, onEdit };
    const number = (attributes, onchange) => h("input", { type: "number", inputmode: "numeric", ...attributes, onchange });
    this.rows = number({ min: "1" }, () => this.#resize());
    this.cols = number({ min: "1" }, () => this.#resize());
    this.fault = h("div", { class: "analyse-fault" });
    this.zero = h("div", {});
    this.element = card("Board", {}, h("div", { class: "fields" }, field("Rows", this.rows), field("Columns", this.cols)), this.fault, this.zero);
    this.showZero();
  }

  /** Follow the switch in the dialog. */
  showZero() {
    clear(this.zero, toggle({
      label: "Treat 0 as a hidden cell", title: "For boards in which 0 means a hidden cell, when they are pasted or opened", checked: zero.value === "unknown",
      onChange: (isOn) => (zero.value = isOn ? "unknown" : "clue"),
    }));
  }

  /** @param {import("../grid.js").Grid} grid */
  show(grid) {
    clear(this.fault);
    this.rows.value = String(grid.rows);
    this.cols.value = String(grid.cols);
  }

  #resize() {
    const [rows, cols] = [Number(this.rows.value), Number(this.cols.value)];
    if (isPossible(rows, cols, this.options.most)) this.options.onEdit(this.options.grid().resized(rows, cols));
    else clear(this.fault, notice(`A board has 1 to ${this.options.most.toLocaleString("en")} cells.`));
  }
}
