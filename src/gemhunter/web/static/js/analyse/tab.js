// The tab Analyse: draw or open a board, and see at once what is true of all its solutions.
import { ask } from "../api.js";
import { contents } from "../board/aria.js";
import { clear, h, isTyping, on } from "../dom.js";
import { GEM, Grid, HIDDEN, TRAP } from "../grid.js";
import { linkTo, pushRoute, replaceRoute } from "../route.js";
import { load, save } from "../store.js";
import { button, copyAndSay, notice, toast } from "../widgets.js";
import { counted, sentence } from "../words.js";
import { Editor } from "./editor.js";
import { Latest } from "./latest.js";
import { buildPage } from "./page.js";
import { chooseFile, playParams, readBoardFile, readText, takeBoards } from "./reading.js";
import { openNewDialog } from "./new_dialog.js";
import { openTextDialog } from "./text_dialog.js";
import { verdictSentence } from "./verdict.js";

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
      ask: (_, signal) => ask("analyse", this.question(), { signal }),
      onSlow: () => this.#forget(),
      onAnswer: (answer, grid) => this.#answered(answer, grid),
      onError: (error) => this.#failed(error),
    });
    this.answered = null;
    /** Whether the usual density is assumed while the number of traps is unknown; otherwise all solutions count the same. */
    this.isAssuming = false;
    takeBoards(this.page.stage, { isActive: () => this.isActive, onText: (text) => this.paste(text), onFile: (file) => this.open(file) });
    on(document, "copy", (event) => this.#copy(event));
  }

  get grid() {
    return this.editor.grid;
  }

  get isActive() {
    return !this.root.hidden && !isTyping(document.activeElement) && !document.querySelector("dialog[open]");
  }

  /** The fields that every request about the board contains: the board, and what is assumed about its number of traps. */
  question() {
    return { ...this.grid.toBody(), density: this.#assumes() ? this.app.about.usual_density : null };
  }

  #assumes() {
    return this.isAssuming && this.grid.total === null;
  }

  #params() {
    return { b: this.grid.code(), assume: this.#assumes() ? "1" : null };
  }

  /** Assume the usual density from now on, or count all solutions the same. @param {boolean} isAssuming */
  assume(isAssuming) {
    this.isAssuming = isAssuming;
    this.page.trapsCard.show(this.grid, isAssuming);
    replaceRoute(NAME, this.#params());
    this.#ask();
  }

  /** @param {Record<string, string>} params */
  async show(params) {
    const isAssuming = Boolean(params.assume);
    if (params.b !== undefined && params.b !== this.grid?.code()) {
      this.isAssuming = isAssuming;
      return this.#showCode(params.b);
    }
    if (!this.grid) return this.#showFirst();
    if (!params.b) replaceRoute(NAME, this.#params());
    else if (isAssuming !== this.#assumes()) return this.assume(isAssuming);
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
      this.say(notice(error.message));
      if (!this.grid) return this.#showFirst();
    }
  }

  async #showFirst() {
    const stored = load("analyse.board", 1);
    if (stored) return this.#showCode(stored);
    await this.sample(FIRST_SAMPLE);
    if (!this.page.lines.childElementCount) this.say(notice(WELCOME, { kind: "info" }));
  }

  /** Show lines above the board instead of those there; without arguments, show none. @param {...any} lines */
  say(...lines) {
    clear(this.page.lines, ...lines);
  }

  /** Load a sample. @param {string} name */
  async sample(name) {
    try {
      this.loadBoard(await this.app.sample(name));
    } catch (error) {
      this.say(notice(error.message, { retry: () => this.sample(name) }));
    }
  }

  /** Show another board, and add a history entry. @param {Grid} grid */
  loadBoard(grid) {
    const isFirst = !this.grid;
    this.isAssuming = false;
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

  /** Read pasted text; if it has faults, open the dialog that lists them. @param {string} text */
  async paste(text) {
    try {
      this.take(await readText(text));
    } catch (error) {
      if (error.code === "offline") this.say(notice(error.message, { retry: () => this.paste(text) }));
      else this.editText(text);
    }
  }

  /** Read a file. @param {File} file */
  async open(file) {
    try {
      this.take(await readBoardFile(file));
    } catch (error) {
      const text = error.faults?.length && file.size < 100_000 && !file.type.startsWith("image/") ? await file.text() : "";
      // Binary data contains a null character, or the replacement character for what cannot be decoded.
      if (text && !/[\0\uFFFD]/.test(text)) this.editText(text);
      else this.say(notice(`“${file.name}”: ${error.message}`, error.code === "offline" ? { retry: () => this.open(file) } : {}));
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
    copyAndSay(linkTo(NAME, this.#params()), "Link copied; it holds the whole board");
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
    this.page.trapsCard.show(grid, this.isAssuming);
    this.page.showHistory(this.editor);
    if (!isLoaded) this.say();
    replaceRoute(NAME, this.#params());
    save("analyse.board", 1, grid.code());
    if (isLoaded) this.#forget();
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

  /** Clear the previous answer: at once for another board, and after an edit if the next answer takes a while. */
  #forget() {
    const { verdict, overlay, solutions, advice, lesson } = this.page;
    verdict.showWorking();
    for (const part of [overlay, solutions, advice]) part.setAnswer(null);
    lesson.hidden = true;
  }

  #answered(answer, grid) {
    const { verdict, solutions, advice, overlay } = this.page;
    this.answered = grid;
    verdict.showAnswer(answer, grid);
    overlay.setAnswer(answer);
    solutions.setAnswer(answer);
    advice.setAnswer(answer);
    clear(this.page.assumed, answer.assumption);
    this.page.fillIn.hidden = answer.verdict === "refuted";
    save("analyse.refuted", 1, this.page.fillIn.hidden ? grid.code() : null);
    this.page.showLesson(grid);
    this.showCell();
    this.app.announce(`${verdictSentence(answer)}${answer.density === null ? "" : ` ${sentence(answer.assumption)}`}`);
  }

  #failed(error) {
    const { verdict, overlay, solutions, advice } = this.page;
    verdict.showError(error, () => this.#ask());
    for (const part of [overlay, solutions, advice]) part.setAnswer(null);
  }

  /** Describe the cell that the pointer or the cursor reached last. @param {import("../grid.js").Cell|null} [came] */
  showCell(came = this.came) {
    if (!this.grid) return;
    const { board, overlay, cellLine } = this.page;
    const cell = came && came.row < this.grid.rows && came.col < this.grid.cols ? this.grid.cell(came.row, came.col) : board.cursor;
    this.came = came;
    this.shown = cell;
    const text = `${this.grid.cellName(cell.index)}: ${[contents(this.grid, cell.index), ...overlay.wordsOf(cell.index)].join(", ")}`;
    clear(cellLine, h("span", {}, text), overlay.isForced(cell.index) && button({ label: "Why?", action: "why", kind: "quiet", title: "Explain this cell", onclick: () => this.explainCell() }));
  }

  /** Open the tab Understand to explain the described cell. */
  explainCell() {
    if (!this.shown || !this.page.overlay.isForced(this.shown.index)) return;
    this.app.go("understand", { b: this.grid.code(), mode: "why", cell: this.grid.cellName(this.shown.index) });
  }

  /** Handle an act on the board. @param {import("../board/board.js").Act} act */
  act({ kind, cell, event }) {
    const { tool } = this.page.tools;
    if (event instanceof PointerEvent && kind !== "drag") this.editor.startStroke();
    if (kind === "secondary" || kind === "longpress") this.editor.cycle(cell);
    else if (kind === "drag" && event instanceof PointerEvent && event.buttons === 2) this.editor.put(cell, HIDDEN);
    else if (tool.ink !== undefined && (kind === "primary" || kind === "drag")) this.editor.put(cell, tool.ink);
    this.showCell();
  }

  /** Put something on the cell under the pointer, or on the one at the cursor, which then moves by `step` cells. @param {import("./editor.js").Ink} ink @param {number} step */
  #type(ink, step = 1) {
    const { board } = this.page;
    const isPointed = board.hovered !== null;
    this.editor.put(board.target, ink);
    if (!isPointed) {
      this.#moveOn(step);
      board.focus();
    }
    this.showCell();
  }

  #moveOn(step) {
    const { board } = this.page;
    // The cursor wraps around, so that Backspace also works after something was put on the last cell.
    board.pointAt(this.grid.cellAt((board.cursor.index + step + this.grid.size) % this.grid.size));
  }

  #eraseBefore() {
    this.#moveOn(-1);
    this.#type(HIDDEN, 0);
  }

  /** What keys do in this tab. */
  uses() {
    if (!this.grid) return {};
    const { solutions, advice, switches } = this.page;
    // Arrows switch solutions only while one is shown; otherwise the page handles them.
    const flip = (key, step) => (key.length === 1 || solutions.isOpen) && solutions.flip(step);
    return {
      clue: (key) => this.#type(Number(key)), trap: () => this.#type(TRAP), gem: () => this.#type(GEM), flag: () => this.#type("flag"),
      erase: (key) => this.#type(HIDDEN, key === "Delete" ? 0 : 1), eraseBefore: () => this.#eraseBefore(),
      undo: () => this.editor.undo(), redo: () => this.editor.redo(), next: (key) => flip(key, 1), back: (key) => flip(key, -1),
      hint: () => advice.ask(), risks: () => switches.risks.click(), forced: () => switches.forced.click(),
      explain: () => this.app.openBoard("understand", this.grid), why: () => this.explainCell(), fresh: () => this.newBoard(),
      clipboard: null, leave: () => solutions.leave(),
    };
  }
}

let tab = null;

export default {
  title: "Analyse",
  mount(root, app) {
    tab = new AnalyseTab(root, app);
  },
  show: (params) => tab.show(params),
  hide: () => tab.hide(),
  uses: () => tab.uses(),
};
