// The card with what is assumed about the number of traps. Verdict, risks and the best move all rest on it.
import { clear, h } from "../dom.js";
import { card, notice, segmented } from "../widgets.js";
import { percent } from "./words.js";

/** Shows and changes the number of traps, and how solutions count while it is unknown. */
export class TrapsCard {
  /** @param {{grid: () => import("../grid.js").Grid, usual: number, onEdit: (grid: import("../grid.js").Grid) => void, onAssume: (isAssuming: boolean) => void}} options */
  constructor({ grid, usual, onEdit, onAssume }) {
    this.options = { grid, onEdit };
    this.total = h("input", { type: "number", inputmode: "numeric", min: "0", placeholder: "unknown", "aria-label": "Number of traps", oninput: () => this.#retotal() });
    this.weights = segmented({
      label: "While the number of traps is unknown", small: true, value: "same", onChange: (value) => onAssume(value === "assumed"),
      options: [
        { value: "same", label: "All solutions count the same" },
        { value: "assumed", label: `Assume ${percent(usual)}`, title: `Each cell is a trap with a probability of ${percent(usual)} before the clues are known` },
      ],
    });
    this.fault = h("div", { class: "analyse-fault" });
    this.element = card("Number of traps", { class: "analyse-traps", tools: this.total }, this.weights, this.fault);
  }

  /** @param {import("../grid.js").Grid} grid @param {boolean} isAssuming whether solutions with few traps count more */
  show(grid, isAssuming) {
    clear(this.fault);
    // A field in which someone types is left alone unless its number is another one.
    const total = grid.total === null ? "" : String(grid.total);
    if (document.activeElement !== this.total || Number(this.total.value) !== grid.total) this.total.value = total;
    this.weights.hidden = grid.total !== null;
    this.weights.value = isAssuming ? "assumed" : "same";
  }

  #retotal() {
    const text = this.total.value.trim();
    const total = text === "" ? null : Number(text);
    if (this.total.validity.badInput || (total !== null && (!Number.isInteger(total) || total < 0))) {
      clear(this.fault, notice("The number of traps is a whole number; leave it empty if it is unknown."));
      return;
    }
    clear(this.fault);
    this.options.onEdit(this.options.grid().withTotal(total));
  }
}
