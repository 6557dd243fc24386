// The dialog for a blank board of any size.
import { h } from "../dom.js";
import { Grid } from "../grid.js";
import { button, field, openDialog } from "../widgets.js";

const SIZES = [[5, 5], [9, 9], [16, 16], [16, 30]];

/** Open the dialog. @param {{rows: number, cols: number, most: number, onBoard: (grid: Grid) => void}} options `most`: cells a board may have */
export function openNewDialog({ rows, cols, most, onBoard }) {
  const rowField = h("input", { type: "number", min: "1", max: String(most), value: String(rows), required: true });
  const colField = h("input", { type: "number", min: "1", max: String(most), value: String(cols), required: true });
  const line = h("p", { class: "quiet", role: "status" });
  const size = () => [Number(rowField.value), Number(colField.value)];
  const make = (event) => {
    event?.preventDefault();
    const [height, width] = size();
    if (!isPossible(height, width, most)) {
      line.textContent = `A board has 1 to ${most.toLocaleString("en")} cells.`;
      return;
    }
    close();
    onBoard(Grid.blank(height, width));
  };
  const presets = SIZES.map(([height, width]) => button({
    label: `${height}×${width}`,
    onclick: () => {
      rowField.value = String(height);
      colField.value = String(width);
    },
  }));
  const form = h("form", { class: "column", novalidate: true, onsubmit: make },
    h("div", { class: "fields" }, field("Rows", rowField), field("Columns", colField)), h("div", { class: "row" }, presets), line,
    h("div", { class: "row" }, h("span", { class: "spring" }), h("button", { type: "submit", class: "button primary" }, "Make a blank board")));
  const { close } = openDialog({ title: "New board" }, form);
  rowField.focus();
  rowField.select();
}

/** Whether a board of this size can be shown. @param {number} rows @param {number} cols @param {number} most */
export function isPossible(rows, cols, most) {
  return Number.isInteger(rows) && Number.isInteger(cols) && rows >= 1 && cols >= 1 && rows * cols <= most;
}
