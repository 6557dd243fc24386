// The table of a comparison: engines down, boards across, a button per cell that opens its details.
import { clear, h } from "../dom.js";
import { fastestOn, keyOf, summaries, wordsOf } from "./summary.js";

/** @typedef {import("./summary.js").Results} Results */

/** A table that can be brought up to date while runs come in. */
export class ResultTable {
  /** @param {Results} results @param {(board: string, engine: string) => void} onOpen */
  constructor(results, onOpen) {
    this.results = results;
    this.cells = new Map();
    const heads = results.boards.map(({ name }) => h("th", { scope: "col", class: "number", title: name }, name));
    const rows = results.engines.map((engine) => h("tr", {}, h("th", { scope: "row" }, engine), results.boards.map(({ name }) => this.#cell(name, engine, onOpen))));
    const caption = "Median time per engine and board. Click a cell to see its runs and counters.";
    this.element = h("div", { class: "table-wrap compare-table", role: "region", "aria-label": "Results" },
      h("p", { class: "quiet compare-caption", id: "compare-caption" }, caption), h("table", { class: "table", "aria-describedby": "compare-caption" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Engine"), heads)), h("tbody", {}, rows)));
    this.update();
  }

  #cell(board, engine, onOpen) {
    const opener = h("button", { type: "button", class: "compare-cell", disabled: true, onclick: () => onOpen(board, engine) });
    this.cells.set(keyOf(board, engine), opener);
    return h("td", { class: "number" }, opener);
  }

  /** Show what the runs come to now. */
  update() {
    const found = summaries(this.results);
    for (const { name: board } of this.results.boards) {
      const fastest = fastestOn(this.results, found, board);
      for (const engine of this.results.engines) this.#show(board, engine, found.get(keyOf(board, engine)), engine === fastest);
    }
  }

  #show(board, engine, cell, isFastest) {
    const opener = this.cells.get(keyOf(board, engine));
    const { main, note } = wordsOf(cell, this.results.runs);
    const text = [main, note, isFastest].join();
    if (opener.dataset.text === text) return;
    opener.dataset.text = text;
    opener.disabled = cell.verdict === null;
    opener.className = `compare-cell ${kindOf(cell)}`;
    opener.setAttribute("aria-label", `${engine} on ${board}: ${main}${note ? `, ${note}` : ""}${isFastest ? ", fastest" : ""}. Details`);
    clear(opener, h("span", { class: "compare-main" }, isFastest && h("span", { class: "compare-fastest" }, "fastest"), main), note && h("small", {}, note));
  }
}

function kindOf(cell) {
  if (cell.verdict === null) return "waiting";
  if (cell.median !== null) return "timed";
  return cell.verdict === "gave-up" ? "gave-up" : "failed";
}
