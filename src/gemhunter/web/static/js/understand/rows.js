// A list of many thousands of rows, of which only those in view are in the document.
import { h } from "../dom.js";
import { newId } from "../widgets.js";

const OVERSCAN = 8;
const TOUCH_ROW = 44;
const PAGE = 10;
const coarse = matchMedia("(pointer: coarse)");

/** A list box with rows of one height. */
export class Rows {
  /**
   * @param {{label: string, height: number, draw: (index: number) => {class?: string, title?: string, children: any[]}, onPick: (index: number) => void}} options
   */
  constructor({ label, height, draw, onPick }) {
    this.height = coarse.matches ? Math.max(TOUCH_ROW, height) : height;
    this.draw = draw;
    this.onPick = onPick;
    this.length = 0;
    this.current = -1;
    this.stem = newId("understand-row");
    this.space = h("div", { class: "understand-rows-space", role: "presentation" });
    this.element = h("div", { class: "understand-rows", role: "listbox", tabindex: "0", "aria-label": label }, this.space);
    this.element.addEventListener("scroll", () => this.#later(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.element.addEventListener("click", (event) => this.#onClick(event));
    new ResizeObserver(() => this.#onResize()).observe(this.element);
  }

  /** Begin with other rows. @param {number} length */
  setLength(length) {
    this.length = length;
    this.space.style.height = `${length * this.height}px`;
    this.element.scrollTop = 0;
    this.#later();
  }

  /** Highlight a row and bring it into view. @param {number} index */
  setCurrent(index) {
    this.current = index;
    this.#reveal();
    this.#later();
  }

  #onResize() {
    this.#reveal();
    this.#render();
  }

  #reveal() {
    const { clientHeight, scrollTop } = this.element;
    if (!clientHeight || this.current < 0) return;
    const top = this.current * this.height;
    const margin = Math.min(this.height, Math.max(0, (clientHeight - this.height) / 2));
    if (top < scrollTop + margin) this.element.scrollTop = top - margin;
    else if (top + this.height > scrollTop + clientHeight - margin) this.element.scrollTop = top + this.height - clientHeight + margin;
  }

  #later() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.#render());
  }

  #render() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { clientHeight, scrollTop } = this.element;
    const from = Math.max(0, Math.floor(scrollTop / this.height) - OVERSCAN);
    const to = Math.min(this.length, Math.ceil((scrollTop + clientHeight) / this.height) + OVERSCAN);
    const rows = [];
    for (let index = from; index < to; index++) rows.push(this.#row(index));
    this.space.replaceChildren(...rows);
    if (this.current >= from && this.current < to) this.element.setAttribute("aria-activedescendant", `${this.stem}-${this.current}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  #row(index) {
    const { class: kind, title, children } = this.draw(index);
    const row = h("div", {
      id: `${this.stem}-${index}`, class: `understand-row ${kind ?? ""}`, role: "option", title, dataset: { index },
      "aria-selected": String(index === this.current), "aria-posinset": index + 1, "aria-setsize": this.length,
    }, children);
    row.style.top = `${index * this.height}px`;
    row.style.height = `${this.height}px`;
    return row;
  }

  #onClick(event) {
    const row = event.target.closest("[data-index]");
    if (row) this.onPick(Number(row.dataset.index));
  }

  #onKey(event) {
    const to = {
      ArrowDown: this.current + 1, ArrowUp: this.current - 1, PageDown: this.current + PAGE, PageUp: this.current - PAGE,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.onPick(Math.max(0, Math.min(this.length - 1, to)));
  }
}
