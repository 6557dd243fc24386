// The print view: pages of A4 with puzzles, then pages with their solutions.
import { ask, isAbort } from "../api.js";
import { clear, h, on } from "../dom.js";
import { button, field, notice, toggle, working } from "../widgets.js";
import { savePdf, sheetBody } from "./files.js";

/** How long typing in the title must pause before the pages are drawn again. */
const TYPING_MS = 400;

/** Pages that are shown, printed and saved as PDF. */
export class Sheet {
  /** @param {() => import("./puzzles.js").PuzzleRecord[]} puzzles @param {() => void} onClose */
  constructor(puzzles, onClose) {
    this.puzzles = puzzles;
    this.urls = [];
    this.hasSolutions = true;
    this.title = h("input", { value: "Puzzles", maxlength: 100 });
    this.said = h("div", { class: "column make-said" });
    this.pages = h("div", { class: "make-pages" });
    this.print = button({ label: "Print", icon: "print", kind: "primary", onclick: () => window.print() });
    const tools = h("div", { class: "card make-print-tools" },
      h("div", { class: "row" }, button({ label: "Back to the puzzles", icon: "left", action: "leave", onclick: onClose }), h("span", { class: "spring" }),
        button({ label: "PDF", icon: "download", title: "Save all pages as one PDF file", onclick: () => this.#save() }), this.print),
      h("div", { class: "make-print-title" }, field("Title on the pages", this.title),
        toggle({ label: "Include solutions", checked: true, onChange: (isOn) => this.#setSolutions(isOn) })), this.said);
    this.element = h("div", { class: "page make-sheet", hidden: true }, tools, this.pages);
    on(this.title, "input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#draw(), TYPING_MS);
    });
  }

  #setSolutions(isOn) {
    this.hasSolutions = isOn;
    this.#draw();
  }

  /** Show the print view. */
  async open() {
    this.element.hidden = false;
    await this.#draw();
    this.print.focus();
  }

  /** Leave the print view. */
  close() {
    this.leaving?.abort();
    clearTimeout(this.timer);
    this.element.hidden = true;
    clear(this.pages);
    this.#forget();
  }

  get #body() {
    return sheetBody(this.puzzles(), { title: this.title.value.trim() || "Puzzles", hasSolutions: this.hasSolutions });
  }

  async #draw() {
    this.leaving?.abort();
    this.leaving = new AbortController();
    if (!this.urls.length) clear(this.pages, working("Drawing the pages…"));
    try {
      const { pages } = await ask("generate/sheet", this.#body, { signal: this.leaving.signal });
      clear(this.said);
      this.#show(pages);
    } catch (error) {
      if (!isAbort(error)) clear(this.said, notice(error.message, { retry: () => this.#draw() }));
    }
  }

  async #save() {
    try {
      await savePdf(this.#body, this.leaving?.signal);
      clear(this.said);
    } catch (error) {
      if (!isAbort(error)) clear(this.said, notice(error.message, { retry: () => this.#save() }));
    }
  }

  #show(pages) {
    this.#forget();
    this.urls = pages.map((page) => URL.createObjectURL(new Blob([page], { type: "image/svg+xml" })));
    clear(this.pages, this.urls.map((src, at) => h("img", { class: "make-paper", src, alt: `Page ${at + 1} of ${pages.length}`, width: 794, height: 1123 })));
  }

  #forget() {
    this.urls.forEach((url) => URL.revokeObjectURL(url));
    this.urls = [];
  }
}
