// The card that lists the boards to compare: samples, opened, dropped and pasted ones, each with a name.
import { ask, readFile } from "../api.js";
import { clear, h, on } from "../dom.js";
import { Grid } from "../grid.js";
import { picture } from "../board/picture.js";
import { effect } from "../signal.js";
import { button, card, field, menuButton, notice, openDialog, toggle } from "../widgets.js";
import { counted } from "../words.js";
import { uniqueName, withBoard } from "./choice.js";

/** The card of boards. */
export class BoardsCard {
  /** @param {any} app @param {import("./choice.js").ChoiceSignal} choice */
  constructor(app, choice) {
    this.app = app;
    this.choice = choice;
    this.list = h("ul", { class: "compare-boards" });
    this.faults = h("div", { class: "column compare-said" });
    this.file = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.#openAll([...this.file.files]) });
    this.element = card("Boards", {}, this.list, h("div", { class: "row compare-adding" }, this.#tools()), this.faults, this.file);
    this.#acceptDrops();
    effect(() => {
      const { boards } = choice.value;
      clear(this.list, boards.map((board) => this.#line(board)));
      if (!boards.length) clear(this.list, h("li", { class: "quiet compare-none" }, "No board yet. Add a sample, or drop board files here."));
    });
  }

  #tools() {
    return [
      menuButton({ label: "Sample", icon: "plus", title: "Add a sample", items: () => this.#samples() }),
      button({ label: "Open…", icon: "open", title: "Open board files; you can also drop them here", onclick: () => this.file.click() }),
      button({ label: "Paste…", icon: "paste", title: "Type or paste a board", onclick: () => openPasteDialog((board) => this.#add(board)) }),
    ];
  }

  #samples() {
    const chosen = new Set(this.choice.value.boards.map((board) => board.sample));
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
    for (const file of files) await this.#trying(async () => this.#add(await boardOf(file)), `“${file.name}”: `);
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
    const { boards: most } = this.app.about.comparison;
    const next = withBoard(this.choice.value, board);
    if (this.choice.value.boards.length >= most) this.say(`a comparison has at most ${most} boards; remove one first`);
    else if (next !== this.choice.value) this.#set(next.boards, `${next.boards.at(-1).name} added`);
    else this.faults.append(notice(`“${board.name}” is already in the list`, { kind: "info" }));
  }

  #set(boards, said) {
    this.choice.value = { ...this.choice.value, boards };
    this.app.announce(said);
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
    const { boards } = this.choice.value;
    const name = uniqueName(wanted, boards.filter((other) => other !== board));
    this.#set(boards.map((other) => (other === board ? { ...board, name } : other)), `the board is now called ${name}`);
  }

  #remove(board) {
    const { boards } = this.choice.value;
    const at = boards.indexOf(board);
    this.#set(boards.filter((other) => other !== board), `${board.name} removed`);
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

// Boards from files and from typed text, read by the server in any format that it knows.

/** The board in a file. @param {File} file @returns {Promise<import("./choice.js").NamedBoard>} */
async function boardOf(file) {
  const { grid, traps } = await readFile(file);
  return { name: file.name.replace(/\.[^.]+$/, ""), grid: Grid.fromRows(grid, traps), sample: null };
}

/** Ask for the text of a board. @param {(board: import("./choice.js").NamedBoard) => void} onRead */
function openPasteDialog(onRead) {
  const text = h("textarea", { rows: 9, placeholder: "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", spellcheck: "false" });
  const name = h("input", { value: "pasted", maxlength: 80 });
  const said = h("div", {});
  let zero = "clue";
  const read = async () => {
    try {
      const { grid, traps } = await ask("read", { text: text.value, zero });
      onRead({ name: name.value, grid: Grid.fromRows(grid, traps), sample: null });
      dialog.close();
    } catch (error) {
      clear(said, notice(error.faults?.[0]?.line ? `line ${error.faults[0].line}: ${error.faults[0].message}` : error.message));
      text.focus();
    }
  };
  const dialog = openDialog({ title: "Paste a board" },
    field("Board", text, "One row per line, with or without commas; _ is a hidden cell. Other formats of boards work too."),
    toggle({ label: "Treat 0 as a hidden cell", checked: false, onChange: (isOn) => (zero = isOn ? "unknown" : "clue") }),
    field("Name", name), said, h("div", { class: "row" }, button({ label: "Add the board", kind: "primary", onclick: read })));
  text.focus();
}
