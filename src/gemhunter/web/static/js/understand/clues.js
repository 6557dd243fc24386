// The clauses of the chosen clue: how many there are, and each as chips.
import { clear, h } from "../dom.js";
import { button } from "../widgets.js";
import { counted } from "../words.js";
import { clauseChips } from "./cell-text.js";
import { Loading } from "./loading.js";

const PAUSE_MS = 160;

/** A card about one clue; hidden until a clue is chosen. */
export class CluePanel {
  /** @param {import("./cell-text.js").Point} point @param {(index: number|null) => void} onShow the clue whose clauses are shown, or null */
  constructor(point, onShow) {
    this.point = point;
    this.onShow = onShow;
    this.loading = new Loading();
    this.body = h("div", { class: "column" });
    this.title = h("h2", {});
    this.element = h("section", { class: "card understand-clue", hidden: true, tabindex: "0", "aria-label": "Clauses of the clue" },
      h("header", { class: "card-head" }, this.title, button({ label: "Close", icon: "close", compact: true, kind: "quiet", onclick: () => this.hide() })),
      this.loading.element, this.body);
  }

  /** Show the clauses of a cell after a short pause, if it is a clue. @param {import("../grid.js").Grid} grid @param {{index: number}} cell */
  showSoon(grid, cell) {
    clearTimeout(this.timer);
    if (grid.cells[cell.index] < 0) return this.hide();
    this.timer = setTimeout(() => this.#open(grid, cell.index), PAUSE_MS);
  }

  async #open(grid, index) {
    this.element.hidden = false;
    this.onShow(index);
    await this.#ask(grid, grid.cellName(index), grid.cells[index]);
    this.#reveal();
  }

  /** Scroll the side, if it has a scroll bar, so that the card can be seen. */
  #reveal() {
    const side = this.element.parentElement;
    const { offsetTop, offsetHeight } = this.element;
    side.scrollTop = Math.min(offsetTop, Math.max(side.scrollTop, offsetTop + offsetHeight - side.clientHeight));
  }

  async #ask(grid, cell, clue) {
    this.title.textContent = `The clue ${clue} at ${cell}`;
    const record = await this.loading.ask("clauses", { ...grid.toBody(), cell }, { text: "Listing its clauses…", again: () => this.#ask(grid, cell, clue) });
    if (this.loading.isBusy) return;
    clear(this.body, record && this.#clauses(record));
  }

  #clauses({ n, k, upper, lower }) {
    if (!n) return [h("p", {}, "No hidden cell is next to this clue, so it has no clauses.")];
    if (k < 0) return [h("p", {}, "More traps are shown around this clue than it allows, so it cannot hold.")];
    const among = `${counted(k, "trap")} among ${counted(n, "hidden cell")}`;
    if (k > n) return [h("p", {}, `It needs ${among}, so it cannot hold.`)];
    const all = `${upper.length} + ${lower.length} = ${counted(upper.length + lower.length, "clause")}`;
    return [
      h("p", {}, `${among}: `, h("span", { class: "understand-formula" }, `C(${n}, ${k + 1}) + C(${n}, ${n - k + 1}) = ${all}`)),
      this.#group(`At most ${k}: ${oneOf(k + 1, "gem")}`, upper),
      this.#group(`At least ${k}: ${oneOf(n - k + 1, "trap")}`, lower),
    ];
  }

  #group(title, clauses) {
    if (!clauses.length) return null;
    return h("div", { class: "understand-clauses" }, h("h3", {}, title, h("span", { class: "quiet" }, ` · ${clauses.length}`)),
      h("ul", { "aria-label": title }, clauses.map((clause) => h("li", {}, clauseChips(clause, this.point)))));
  }

  /** Close the card. */
  hide() {
    clearTimeout(this.timer);
    if (this.element.hidden) return;
    this.loading.abort();
    this.element.hidden = true;
    clear(this.body);
    this.onShow(null);
  }
}

/** What the clauses of one length say. @param {number} length @param {string} kind */
function oneOf(length, kind) {
  return length === 1 ? `each cell is a ${kind}` : `of any ${length} cells, at least one is a ${kind}`;
}
