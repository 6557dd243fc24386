// The view of a board to fill in: marks, checks, hints, progress and the end.
import { ask, isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { GEM, Grid, HIDDEN, TRAP } from "../grid.js";
import { linkTo, replaceRoute } from "../route.js";
import { badge, button, copyAndSay, menuButton, segmented } from "../widgets.js";
import { checkWords, FILL_IN_WELCOME, noHintWords, solvedWords } from "./fillwords.js";
import { lobbyButton } from "./gamebar.js";
import { CONCLUSION_RUNG, hintBody, hintLayers, NO_HINT_LAYERS } from "./ladder.js";
import { openMarks } from "./marks.js";
import { Panel } from "./panel.js";
import { zoomItems } from "./playboard.js";
import { follow } from "./requests.js";
import { Sitting, storedSitting } from "./sittings.js";
import { byInput, clock } from "./words.js";

const TAPS = [{ value: "gem", label: "Gem", icon: "gem", title: "A tap marks a gem" }, { value: "trap", label: "Trap", icon: "trap", title: "A tap marks a trap" }];
const NO_LAYERS = { ...NO_HINT_LAYERS, broken: [] };

/** The view; one for all boards. */
export class FillView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.panel = new Panel();
    this.code = null;
    this.#build();
  }

  #build() {
    this.host = h("div", { class: "board-host" });
    this.board = new Board(this.host, { label: "Board to fill in", mode: "play", blankZeros: false, onAct: (act) => this.#act(act) });
    this.progress = h("strong", { "aria-live": "off" });
    this.traps = h("span", { class: "quiet" });
    this.time = h("output", { class: "play-number", role: "timer", "aria-label": "time", "aria-live": "off" });
    this.state = h("span", {});
    this.meter = h("progress", { "aria-label": "cells marked" });
    this.taps = segmented({ label: "A tap marks", small: true, value: "gem", onChange: () => {}, options: TAPS });
    this.undoButton = button({ label: "Undo", icon: "undo", action: "undo", onclick: () => this.undo() });
    const tools = h("div", { class: "toolbar play-tools play-game-tools fill" }, this.taps, this.undoButton,
      button({ label: "Check", icon: "check", action: "judge", onclick: () => this.check() }),
      button({ label: "Hint", icon: "bulb", action: "hint", onclick: () => this.hint() }), h("span", { class: "spring" }),
      button({ label: "Restart", icon: "first", action: "restart", onclick: () => this.restart() }), menuButton({ label: "More", items: () => this.#menu() }));
    const bar = h("div", { class: "play-bar" }, lobbyButton(this.app), h("div", { class: "play-title" }, this.progress, this.traps),
      this.state, h("div", { class: "play-count" }, this.time));
    this.element = h("div", { class: "workspace play-workspace" },
      h("div", { class: "stage" }, bar, this.meter, this.host, tools),
      h("div", { class: "side" }, this.panel.element));
  }

  #menu() {
    const send = (tab) => () => this.app.openBoard(tab, this.marks.filled());
    return [
      { label: "Copy link", icon: "link", onclick: () => copyAndSay(linkTo("play", this.#params()), "Link to this board with your marks copied") },
      { label: "Analyse it with my marks", icon: "analyse", onclick: send("analyse") },
      { label: "Understand it", icon: "understand", onclick: () => this.app.openBoard("understand", this.marks.grid) },
      null,
      ...zoomItems(this.board),
      null,
      { label: "Make another", icon: "make", onclick: () => this.app.go("make") },
    ];
  }

  /** Show a board of the route. @param {Record<string, string>} params */
  show(params) {
    this.isShown = true;
    this.ticking ??= setInterval(() => this.#tick(), 250);
    if (params.b === this.code && (params.f ?? "") === this.marks.code()) return this.#render();
    const position = Grid.fromCode(params.b);
    this.code = params.b;
    this.marks = openMarks(position, params.f ?? "");
    this.history = [];
    this.sitting = storedSitting(this.code) ?? new Sitting(this.code);
    this.isDone = false;
    this.#forgetHint();
    this.board.setGrid(this.marks.grid);
    this.panel.say(this.marks.size ? FILL_IN_WELCOME : "this board has no hidden cells, so there is nothing to fill in");
    this.#toFirst();
    this.#render();
    this.#checkIfFull();
    if (byInput(true, false)) this.board.focus();
  }

  #toFirst() {
    const first = this.marks.grid.cells.indexOf(HIDDEN);
    if (first >= 0) this.board.setCursor(this.marks.grid.cellAt(first));
  }

  /** Another tab or view is shown. */
  hide() {
    this.isShown = false;
    clearInterval(this.ticking);
    this.ticking = null;
    this.leaving?.abort();
    this.sitting?.run(false);
  }

  /** The page was hidden or shown again. */
  onVisibility() {
    this.#runClock();
  }

  #runClock() {
    this.sitting.run(this.isShown && !document.hidden && !this.isDone && (this.history.length > 0 || this.marks.count > 0));
    this.#tick();
  }

  #tick() {
    this.time.textContent = clock(this.sitting.seconds);
  }

  #params() {
    return { b: this.code, f: this.marks.code() };
  }

  #render() {
    const { marks } = this;
    const { total } = marks.grid;
    this.progress.textContent = `${marks.count} of ${marks.size} cells`;
    this.traps.textContent = total === null ? `${marks.traps} ${marks.traps === 1 ? "trap" : "traps"} marked` : `${marks.traps} of ${total} traps`;
    this.meter.max = Math.max(1, marks.size);
    this.meter.value = marks.count;
    this.undoButton.disabled = !this.history.length;
    this.state.replaceChildren(...(this.isDone ? [badge("solved", "good")] : []));
    this.board.setLayers({ traps: marks.cells(TRAP), gems: marks.cells(GEM) });
    this.#runClock();
    replaceRoute("play", this.#params());
  }

  #act({ kind, cell }) {
    const tapped = this.taps.value === "trap" ? TRAP : GEM;
    const other = tapped === TRAP ? GEM : TRAP;
    if (kind === "primary") this.mark(cell.index, tapped);
    else if (kind === "secondary" || kind === "longpress") this.mark(cell.index, kind === "longpress" ? other : TRAP);
    else if (kind === "middle") this.mark(cell.index, HIDDEN);
  }

  /** Mark a cell; the same mark again takes it away. @param {number} index @param {number} code */
  mark(index, code) {
    const name = this.marks.grid.cellName(index);
    if (this.marks.grid.cells[index] !== HIDDEN) this.panel.say(`${name} is given, so it needs no mark`);
    else if (code !== HIDDEN || this.marks.codes[index] !== HIDDEN) this.#change(this.marks.with(index, code), name);
  }

  /** A cell that is marked as the hint says leaves its other cells to mark; anything else ends the hint. */
  #change(marks, name = "") {
    this.history.push(this.marks);
    const { gems, traps } = this.hinted?.step?.decides ?? { gems: [], traps: [] };
    const code = name && marks.codes[marks.grid.named(name).index];
    const isHinted = (code === GEM && gems.includes(name)) || (code === TRAP && traps.includes(name));
    this.marks = marks;
    if (isHinted && this.#cellsLeft().length) {
      this.#render();
      this.#sayHint();
    } else {
      this.panel.rest(FILL_IN_WELCOME);
      this.#put(marks);
    }
  }

  #put(marks) {
    this.marks = marks;
    this.isDone = false;
    this.#forgetHint();
    this.#render();
    this.#checkIfFull();
  }

  #forgetHint() {
    this.leaving?.abort();
    this.leaving = null;
    this.rung = 0;
    this.near = null;
    this.hinted = null;
    this.board.setLayers(NO_LAYERS);
  }

  #checkIfFull() {
    if (this.marks.size && this.marks.count === this.marks.size) this.check({ isAuto: true });
  }

  /** Take back the last mark. */
  undo() {
    const before = this.history.pop();
    if (before) this.#put(before);
    this.panel.say(before ? "undone" : "nothing to undo");
  }

  /** Take all marks away; undo brings them back. */
  restart() {
    if (!this.marks.count) return;
    this.#change(openMarks(this.marks.grid, ""));
    this.panel.say("All marks are gone; Undo brings them back.");
  }

  /** Say whether the marks can be right. A full board is checked without being asked. @param {{isAuto?: boolean}} [how] */
  async check({ isAuto = false } = {}) {
    const { marks } = this;
    this.#forgetHint();
    const mine = (this.leaving = new AbortController());
    this.panel.busy("Checking…");
    try {
      const { grid, traps } = marks.grid.toBody();
      const found = await ask("check", { grid, traps, filled: marks.filled().toRows() }, { signal: mine.signal });
      if (found.verdict === "right") return this.#finish();
      if (!isAuto) this.sitting.help("checks");
      this.board.setLayers({ ...NO_LAYERS, broken: found.clues, outlined: found.marks });
      this.panel.say(checkWords(found, marks), { title: isAuto ? "Not right yet" : "Check", tone: found.verdict === "fits" ? "good" : "bad" });
    } catch (error) {
      if (!isAbort(error)) this.panel.fail(error, () => this.check({ isAuto }));
    } finally {
      if (this.leaving === mine) this.leaving = null;
    }
  }

  #finish() {
    this.isDone = true;
    this.#runClock();
    this.#render();
    const line = solvedWords(this.sitting);
    const next = h("div", { class: "row" }, button({ label: "Make another", kind: "primary", icon: "make", onclick: () => this.app.go("make") }),
      button({ label: "All games", onclick: () => this.app.go("play", {}) }));
    this.panel.say(h("div", { class: "play-ending" }, h("p", { class: "play-ending-line" }, line), next), { title: "Solved", tone: "good" });
  }

  /** Say more about the next deduction. */
  async hint() {
    if (this.isDone) return this.panel.say("it is solved already");
    if (this.hinted?.step) return this.#nextCell();
    if (this.leaving) return undefined;
    const { marks } = this;
    this.near ??= marks.grid.cellName(this.board.cursor.index);
    this.rung += 1;
    this.hinted = null;
    const mine = (this.leaving = new AbortController());
    this.panel.busy("Looking for a hint…");
    try {
      const body = { ...marks.filled().toBody(), near: this.near, rung: Math.min(CONCLUSION_RUNG, this.rung) };
      this.#showHint(await follow("hint", body, { signal: mine.signal, onNote: this.panel.busy }));
    } catch (error) {
      if (isAbort(error)) return undefined;
      this.rung -= 1;
      this.panel.fail(error, () => this.hint());
    } finally {
      if (this.leaving === mine) this.leaving = null;
    }
    return undefined;
  }

  #showHint(hint) {
    this.sitting.help("hints");
    this.hinted = hint;
    if (hint.rung === null) return this.panel.say(noHintWords(hint.reason, this.marks.count > 0));
    if (hint.step) this.#point(this.#cellsLeft()[0]);
    return this.#sayHint();
  }

  /** Show the hint with the cells that are left, and say what to do next. */
  #sayHint() {
    const left = this.hinted.step ? this.#cellsLeft() : [];
    const { outlined, newTraps, newGems } = hintLayers(this.hinted);
    const isLeft = (name) => left.includes(name);
    this.board.setLayers({ ...NO_LAYERS, outlined, newTraps: newTraps.filter(isLeft), newGems: newGems.filter(isLeft) });
    const next = left.length === 1 ? `Mark ${left[0]} as a ${newTraps.includes(left[0]) ? "trap" : "gem"}`
      : `Press Hint again for ${left.length ? "the next cell" : "more"}`;
    this.panel.say(hintBody(this.hinted, { rung: this.rung, of: CONCLUSION_RUNG, next }), { title: "Hint" });
  }

  /** The cells that the hint has decided and the player has not marked yet. */
  #cellsLeft() {
    const { gems, traps } = this.hinted.step.decides;
    return [...gems, ...traps].filter((name) => this.marks.codes[this.marks.grid.named(name).index] === HIDDEN);
  }

  /** Go from cell to cell of those that are left. */
  #nextCell() {
    const names = this.#cellsLeft();
    const at = names.indexOf(this.board.grid.cellName(this.board.cursor.index));
    this.#point(names[(at + 1) % names.length]);
  }

  #point(name) {
    this.board.pointAt(this.board.grid.named(name));
  }

  /** What keys do. */
  get uses() {
    const mark = (code) => () => this.mark(this.board.target.index, code);
    return {
      trap: mark(TRAP), gem: mark(GEM), erase: mark(HIDDEN), undo: () => this.undo(), judge: () => this.check(), hint: () => this.hint(), restart: () => this.restart(),
    };
  }
}
