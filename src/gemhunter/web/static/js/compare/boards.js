// The card that lists the boards to compare: samples, opened, dropped and pasted ones, each with a name.
import { clear, h, on } from "../dom.js";
import { picture } from "../make/picture.js";
import { button, card, menuButton, notice } from "../widgets.js";
import { addBoard, MOST_BOARDS, uniqueName } from "./choice.js";
import { counted } from "./format.js";
import { openPasteDialog, readFile } from "./reading.js";

/** The card of boards. */
export class BoardsCard {
  /** @param {any} app @param {() => import("./choice.js").Choice} choice @param {() => void} onChange */
  constructor(app, choice, onChange) {
    this.app = app;
    this.choice = choice;
    this.onChange = onChange;
    this.list = h("ul", { class: "compare-boards" });
    this.faults = h("div", { class: "column compare-said" });
    this.file = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.#openAll([...this.file.files]) });
    this.element = card("Boards", {}, this.list, h("div", { class: "row compare-adding" }, this.#tools()), this.faults, this.file);
    this.#acceptDrops();
    this.refresh();
  }

  #tools() {
    return [
      menuButton({ label: "Sample", icon: "plus", title: "Add a sample", items: () => this.#samples() }),
      button({ label: "Open…", icon: "open", title: "Open board files; you can also drop them here", onclick: () => this.file.click() }),
      button({ label: "Paste…", icon: "paste", title: "Type or paste a board", onclick: () => openPasteDialog((board) => this.#add(board)) }),
    ];
  }

  #samples() {
    const chosen = new Set(this.choice().boards.map((board) => board.sample));
    const listed = this.app.about.samples.filter((sample) => !chosen.has(sample.name));
    return listed.map((sample) => ({
      label: sample.name.replace("sample:", ""),
      note: sample.about,
      onclick: () => this.#addSample(sample.name),
    }));
  }

  async #addSample(name) {
    await this.#trying(async () => {
      this.#add({ name: name.replace("sample:", ""), grid: await this.app.sample(name), sample: name });
    });
  }

  async #openAll(files) {
    clear(this.faults);
    for (const file of files) await this.#trying(async () => this.#add(await readFile(file)), `${file.name}: `);
    this.file.value = "";
  }

  async #trying(work, before = "") {
    try {
      await work();
    } catch (error) {
      this.say(before + error.message);
    }
  }

  /** Show one line about what could not be read. @param {string} text */
  say(text) {
    this.faults.append(notice(text));
  }

  #add(board) {
    clear(this.faults);
    const choice = this.choice();
    if (choice.boards.length >= MOST_BOARDS) this.say(`a comparison has at most ${MOST_BOARDS} boards; remove one first`);
    else if (addBoard(choice, board)) this.#changed(`${choice.boards.at(-1).name} added`);
    else this.faults.append(notice(`${board.name} is already in the list`, { kind: "info" }));
  }

  #changed(said) {
    this.refresh();
    this.onChange();
    this.app.announce(said);
  }

  /** Draw the list again. */
  refresh() {
    const { boards } = this.choice();
    clear(this.list, boards.map((board) => this.#line(board)));
    if (!boards.length) clear(this.list, h("li", { class: "quiet compare-none" }, "No board yet. Add a sample, or drop board files here."));
  }

  #line(board) {
    const { grid, name } = board;
    const hidden = grid.cells.reduce((sum, code) => sum + (code === -1), 0);
    const input = h("input", { value: name, "aria-label": `Name of the board ${name}`, maxlength: 80, onchange: () => this.#rename(board, input.value) });
    return h("li", { class: "compare-board" },
      h("span", { class: "compare-thumb" }, picture(grid, { label: `Picture of ${name}`, width: 44, largest: 9 })),
      h("span", { class: "compare-board-words" }, input,
        h("small", { class: "quiet" }, `${grid.rows}×${grid.cols}, ${counted(hidden, "hidden cell")}`)),
      button({ label: `Remove ${name}`, icon: "close", compact: true, kind: "quiet", onclick: () => this.#remove(board) }));
  }

  #rename(board, wanted) {
    const choice = this.choice();
    const others = choice.boards.filter((other) => other !== board);
    const name = uniqueName(wanted, others);
    choice.boards = choice.boards.map((other) => (other === board ? { ...board, name } : other));
    this.#changed(`the board is now called ${name}`);
  }

  #remove(board) {
    const choice = this.choice();
    const at = choice.boards.indexOf(board);
    choice.boards = choice.boards.filter((other) => other !== board);
    this.#changed(`${board.name} removed`);
    /** @type {NodeListOf<HTMLButtonElement>} */
    const buttons = this.element.querySelectorAll(".compare-board > .button, .menu-host > .button");
    buttons[Math.min(at, buttons.length - 1)]?.focus();
  }

  #acceptDrops() {
    on(this.element, "dragover", (event) => {
      event.preventDefault();
      this.element.classList.add("compare-drop");
    });
    on(this.element, "dragleave", () => this.element.classList.remove("compare-drop"));
    on(this.element, "drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("compare-drop");
      this.#openAll([...event.dataTransfer.files]);
    });
  }
}
