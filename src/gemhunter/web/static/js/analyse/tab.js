// The tab Analyse: draw or open a board, and see at once what is true of all its solutions.
import { ask } from "../api.js";
import { contents } from "../board/aria.js";
import { clear, h, isTyping, on } from "../dom.js";
import { Grid } from "../grid.js";
import { linkTo, pushRoute, replaceRoute } from "../route.js";
import { load, save } from "../store.js";
import { button, copyAndSay, notice, toast } from "../widgets.js";
import { Editor } from "./editor.js";
import { Latest } from "./latest.js";
import { buildPage } from "./page.js";
import { chooseFile, playParams, readFile, readText, takeBoards } from "./reading.js";
import { openNewDialog } from "./new_dialog.js";
import { openTextDialog } from "./text_dialog.js";
import { inkOfKey } from "./tools.js";
import { verdictSentence } from "./verdict.js";
import { counted, sentence } from "./words.js";

const NAME = "analyse";
const PAUSE_MS = 120;
const FIRST_SAMPLE = "sample:9x9";
const WELCOME = "A number counts the traps around it. Gem Hunter finds the rest.";

class AnalyseTab {
  /** @param {HTMLElement} root @param {any} app */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.editor = new Editor((grid, isLoaded) => this.#changed(grid, isLoaded));
    this.page = buildPage(root, this);
    this.latest = new Latest({
      pause: PAUSE_MS,
      ask: (grid, signal) => ask("analyse", grid.toBody(), { signal }),
      onSlow: () => this.#slow(),
      onAnswer: (answer, grid) => this.#answered(answer, grid),
      onError: (error) => this.#failed(error),
    });
    this.answered = null;
    takeBoards(this.page.stage, { isActive: () => this.isActive, onText: (text) => this.paste(text), onFile: (file) => this.open(file) });
    on(document, "keydown", (event) => this.#shortcut(event));
    on(document, "copy", (event) => this.#copy(event));
  }

  get grid() {
    return this.editor.grid;
  }

  get isActive() {
    return !this.root.hidden && !isTyping(document.activeElement) && !document.querySelector("dialog[open]");
  }

  /** @param {Record<string, string>} params */
  async show(params) {
    if (params.b !== undefined && params.b !== this.grid?.code()) return this.#showCode(params.b);
    if (!this.grid) return this.#showFirst();
    if (!params.b) replaceRoute(NAME, { b: this.grid.code() });
    if (this.answered !== this.grid) this.#ask();
  }

  hide() {
    this.latest.cancel();
    this.page.advice.cancel();
  }

  #showCode(code) {
    try {
      this.editor.load(Grid.fromCode(code));
    } catch (error) {
      this.say(notice(sentence(error.message)));
      if (!this.grid) return this.#showFirst();
    }
  }

  async #showFirst() {
    const stored = load("analyse.board", 1);
    if (stored) return this.#showCode(stored);
    await this.sample(FIRST_SAMPLE);
    if (!this.page.lines.childElementCount) this.say(notice(WELCOME, { kind: "info" }));
  }

  /** Put a line above the board, or nothing. @param {...any} lines */
  say(...lines) {
    clear(this.page.lines, ...lines);
  }

  /** Load a sample. @param {string} name */
  async sample(name) {
    try {
      this.loadBoard(await this.app.sample(name));
    } catch (error) {
      this.say(notice(sentence(error.message), { retry: () => this.sample(name) }));
    }
  }

  /** Show another board, as a new entry of the history. @param {Grid} grid */
  loadBoard(grid) {
    const isFirst = !this.grid;
    if (!isFirst) {
      this.say();
      pushRoute(NAME, { b: grid.code() });
    }
    this.editor.load(grid);
    if (!isFirst) this.page.board.focus();
  }

  /** Show what was read, and offer to replay a game. @param {import("./reading.js").Reading} reading */
  take({ grid, game, from }) {
    this.loadBoard(grid);
    toast(`Board of ${grid.rows}×${grid.cols} read from ${from}`);
    if (!game) return;
    const line = notice(`This is a game with ${counted(game.moves.length, "move")}.`, { kind: "info" });
    line.append(button({ label: "Open it in Play", icon: "play", onclick: () => this.app.go("play", playParams(game, grid.cols)) }));
    this.say(line);
  }

  /** Read pasted text; the dialog shows its faults. @param {string} text */
  async paste(text) {
    try {
      this.take(await readText(text));
    } catch (error) {
      if (error.code === "offline") this.say(notice(sentence(error.message), { retry: () => this.paste(text) }));
      else this.editText(text);
    }
  }

  /** Read a file. @param {File} file */
  async open(file) {
    try {
      this.take(await readFile(file));
    } catch (error) {
      const isText = error.faults?.length && file.size < 100_000;
      if (isText) this.editText(await file.text());
      else this.say(notice(`${file.name}: ${error.message}`, error.code === "offline" ? { retry: () => this.open(file) } : {}));
    }
  }

  chooseFile() {
    chooseFile((file) => this.open(file));
  }

  /** Open the dialog with the board as text. @param {string} [text] */
  editText(text = "") {
    openTextDialog({ text, present: this.grid?.toText() ?? "", onBoard: (reading) => this.take(reading) });
    document.querySelector("dialog[open]")?.addEventListener("close", () => this.page.boardCard.showZero());
  }

  newBoard() {
    const { rows, cols } = this.grid ?? { rows: 9, cols: 9 };
    openNewDialog({ rows, cols, most: this.app.about.limits.cells, onBoard: (grid) => this.loadBoard(grid) });
  }

  copyLink() {
    copyAndSay(linkTo(NAME, { b: this.grid.code() }), "Link copied; it holds the whole board");
  }

  /** Ctrl+C copies the board unless some text is selected. */
  #copy(event) {
    if (!this.isActive || !this.grid || !getSelection().isCollapsed) return;
    event.clipboardData.setData("text/plain", this.grid.toText());
    event.preventDefault();
    toast("Board copied as text");
  }

  #changed(grid, isLoaded) {
    this.page.board.setGrid(grid);
    this.page.boardCard.show(grid);
    this.page.showHistory(this.editor);
    if (!isLoaded) this.say();
    const code = grid.code();
    replaceRoute(NAME, { b: code });
    save("analyse.board", 1, code);
    this.#ask();
  }

  #ask() {
    this.answered = null;
    this.page.verdict.setStale(true);
    this.page.solutions.leave();
    this.page.advice.cancel();
    this.page.overlay.setAdvice(null);
    this.latest.request(this.grid);
  }

  #slow() {
    this.page.verdict.setWorking(true);
    this.page.overlay.setAnswer(null);
  }

  #answered(answer, grid) {
    const { verdict, solutions, advice, overlay } = this.page;
    this.answered = grid;
    verdict.setWorking(false);
    verdict.setStale(false);
    verdict.showAnswer(answer, grid);
    overlay.setAnswer(answer);
    solutions.setAnswer(answer);
    advice.setAnswer(answer);
    this.page.showLesson(grid);
    this.showCell();
    this.app.announce(verdictSentence(answer));
  }

  #failed(error) {
    const { verdict, overlay, solutions, advice } = this.page;
    verdict.setWorking(false);
    verdict.setStale(false);
    verdict.showError(error, () => this.#ask());
    for (const part of [overlay, solutions, advice]) part.setAnswer(null);
  }

  /** Describe the cell the pointer or the cursor came to last. @param {import("../grid.js").Cell|null} [came] */
  showCell(came = this.came) {
    if (!this.grid) return;
    const { board, overlay, cellLine } = this.page;
    const cell = came && came.row < this.grid.rows && came.col < this.grid.cols ? this.grid.cell(came.row, came.col) : board.cursor;
    this.came = came;
    this.shown = cell;
    const text = `${this.grid.cellName(cell.index)}: ${[contents(this.grid, cell.index), ...overlay.wordsOf(cell.index)].join(", ")}`;
    clear(cellLine, h("span", {}, text), overlay.isForced(cell.index) && button({ label: "Why?", key: "w", kind: "quiet", title: "Explain this cell", onclick: () => this.explainCell() }));
  }

  /** Ask in Understand why the cell that is described is what it is. */
  explainCell() {
    if (!this.shown || !this.page.overlay.isForced(this.shown.index)) return;
    this.app.go("understand", { b: this.grid.code(), mode: "why", cell: this.grid.cellName(this.shown.index) });
  }

  /** What the board reports. @param {import("../board/board.js").Act} act */
  act({ kind, cell, key, event }) {
    const { tool } = this.page.tools;
    if (event.type === "pointerdown") this.editor.startStroke();
    if (kind === "key") this.#typed(cell, key, event);
    else if (kind === "secondary" || kind === "longpress") this.editor.cycle(cell);
    else if (kind === "drag" && event.buttons === 2) this.editor.put(cell, inkOfKey("x"));
    else if (tool.ink !== undefined && (kind === "primary" || kind === "drag")) this.editor.put(cell, tool.ink);
    this.showCell();
  }

  #typed(cell, key, event) {
    const ink = inkOfKey(key);
    if (ink === undefined) return;
    event.preventDefault();
    this.editor.put(cell, ink);
  }

  #shortcut(event) {
    if (!this.isActive || event.altKey || !this.grid) return;
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey);
    if (isUndo) event.shiftKey ? this.editor.redo() : this.editor.undo();
    else if (event.ctrlKey || event.metaKey || !this.#pressed(event.key)) return;
    event.preventDefault();
  }

  #pressed(key) {
    const { solutions, advice, switches } = this.page;
    const actions = {
      u: () => this.editor.undo(), y: () => this.editor.redo(), U: () => this.editor.redo(), n: () => solutions.flip(1), p: () => solutions.flip(-1),
      m: () => advice.ask(), r: () => switches.risks.click(), d: () => switches.forced.click(), e: () => this.app.openBoard("understand", this.grid),
      w: () => this.explainCell(), Escape: () => solutions.leave(),
    };
    actions[key]?.();
    return key in actions;
  }
}

let tab = null;

export default {
  title: "Analyse",
  keys: [
    ["0 … 8", "put a clue on the cell"], ["t, g, f", "put a trap, a gem, a flag"], ["x, Delete", "make the cell hidden"], ["u, y", "undo, redo"],
    ["n, p", "next, previous solution; Escape goes back"], ["r, d", "show risks, forced cells"],
    ["m", "suggest a move"], ["e, w", "explain this board, this cell"], ["Ctrl+C, Ctrl+V", "copy, paste a board"],
  ],
  mount(root, app) {
    tab = new AnalyseTab(root, app);
  },
  show: (params) => tab.show(params),
  hide: () => tab.hide(),
};
