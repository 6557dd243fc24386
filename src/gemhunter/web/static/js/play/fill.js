// The view of a board to fill in: marks, checks, hints, progress and the end.
import { ask, isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { GEM, Grid, HIDDEN, TRAP } from "../grid.js";
import { shortcutOf } from "../keys.js";
import { linkTo, replaceRoute } from "../route.js";
import { badge, bringIntoView, button, copyAndSay, menuButton, segmented } from "../widgets.js";
import { counted, listed } from "../words.js";
import { Attempt, storedAttempt } from "./archive.js";
import { lobbyButton } from "./gamebar.js";
import { cellsNamed, hintBody, hintLayers, NO_HINT_LAYERS } from "./ladder.js";
import { openMarks } from "./marks.js";
import { Panel } from "./panel.js";
import { zoomItems } from "./playboard.js";
import { follow } from "./requests.js";
import { byInput, clock, namedCells } from "./words.js";

const TAPS = [{ value: "gem", label: "Gem", icon: "gem", title: "A tap marks a gem" }, { value: "trap", label: "Trap", icon: "trap", title: "A tap marks a trap" }];
const NO_LAYERS = { ...NO_HINT_LAYERS, broken: [] };

/** The view; one instance shows all boards. */
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
    const open = (tab, grid, aid) => () => {
      if (!this.isDone) this.attempt.help(aid);
      this.app.openBoard(tab, grid());
    };
    return [
      { label: "Copy link", icon: "link", onclick: () => copyAndSay(linkTo("play", this.#params()), "Link to this board with your marks copied") },
      { label: "Analyse it with my marks", icon: "analyse", onclick: open("analyse", () => this.marks.filled(), "an analysis") },
      { label: "Understand it", icon: "understand", onclick: open("understand", () => this.marks.grid, "an explanation") },
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
    this.attempt = storedAttempt(this.code) ?? new Attempt(this.code);
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

  /** Called when another tab or view is shown. */
  hide() {
    this.isShown = false;
    clearInterval(this.ticking);
    this.ticking = null;
    this.leaving?.abort();
    this.attempt?.run(false);
  }

  /** Called when the page is hidden or shown again. */
  onVisibility() {
    this.#runClock();
  }

  #runClock() {
    this.attempt.run(this.isShown && !document.hidden && !this.isDone && (this.history.length > 0 || this.marks.count > 0));
    this.#tick();
  }

  #tick() {
    this.time.textContent = clock(this.attempt.seconds);
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

  /** Marking a cell as the hint says keeps the hint for its other cells; any other mark ends it. */
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
    this.panel.say("All marks are removed; Undo restores them.");
  }

  /** Say whether the marks can be right. A full board is checked automatically. @param {{isAuto?: boolean}} [how] */
  async check({ isAuto = false } = {}) {
    const { marks } = this;
    this.#forgetHint();
    const mine = (this.leaving = new AbortController());
    this.panel.busy("Checking…");
    try {
      const { grid, traps } = marks.grid.toBody();
      const found = await ask("check", { grid, traps, filled: marks.filled().toRows() }, { signal: mine.signal });
      if (found.verdict === "right") return this.#finish();
      if (!isAuto) this.attempt.help("checks");
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
    const line = solvedWords(this.attempt);
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
      const body = { ...marks.filled().toBody(), near: this.near, rung: Math.min(this.app.about.rungs.conclusion, this.rung) };
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
    this.attempt.help("hints");
    this.hinted = hint;
    if (hint.rung === null) return this.panel.say(noHintWords(hint, this.marks.count > 0));
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
    const body = hintBody(this.hinted, { rung: this.rung, of: this.app.about.rungs.conclusion, next });
    this.panel.say(body, { title: "Hint" });
    this.board.show([...left.slice(0, 1), ...outlined, ...cellsNamed(body)]);
    bringIntoView(this.host);
  }

  /** The cells that the hint has decided and the player has not marked yet. */
  #cellsLeft() {
    const { gems, traps } = this.hinted.step.decides;
    return [...gems, ...traps].filter((name) => this.marks.codes[this.marks.grid.named(name).index] === HIDDEN);
  }

  /** Move the cursor to the next cell that the hint has decided and that is not marked yet. */
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
      trap: mark(TRAP), gem: mark(GEM), erase: mark(HIDDEN), undo: () => this.undo(), judge: () => this.check(), hint: () => this.hint(), restart: () => this.restart(), leave: () => this.app.go("play", {}),
    };
  }
}

// Messages about a board that is being filled in.

const FILL_IN_WELCOME = byInput(`Click for a gem, right-click for a trap. Press ${shortcutOf("judge").toUpperCase()} to check, ${shortcutOf("hint").toUpperCase()} for a hint.`,
  "Tap for a gem, long-press for a trap.");
const NO_SOLUTION = "this board has no solution, whatever you mark";

/** What a check found. @param {any} found the record of POST check @param {import("./marks.js").Marks} marks */
function checkWords(found, marks) {
  const words = {
    fits: () => `${marks.count ? `${counted(marks.count, "mark")} so far, all consistent with the clues` : "no marks yet"}; ${counted(found.left, "cell")} left`,
    conflict: () => conflictWords(found, marks.grid),
    wrong: () => `every clue can still hold, but ${namedCells(found.marks)} must be the opposite: all solutions agree`,
    "no-way-on": () => "every clue can still hold, but no solution has all these marks",
    unsolvable: () => NO_SOLUTION,
    "not-known": () => `every clue can still hold; whether the marks can be right is not known: ${found.reason}`,
  };
  return words[found.verdict]();
}

function conflictWords({ clues, marks, total }, grid) {
  const near = marks.length ? `: check ${namedCells(marks)}` : "";
  const named = clues.map((name) => `the ${grid.cells[grid.named(name).index]} at ${name}`);
  const reasons = clues.length ? [`${namedCells(named)} can no longer be met${near}`] : [];
  if (total) reasons.push("the number of traps cannot be met");
  return reasons.join("; ");
}

/** The message that a board is solved, with the time and the help used. @param {import("./archive.js").Attempt} attempt */
function solvedWords({ seconds, aids }) {
  const used = listed(aids.map((aid) => (aid === "checks" ? "Check" : aid)));
  return `Solved in ${clock(seconds)}${used ? `, using ${used}` : ""}.`;
}

/** Why there is no hint. @param {{code: string, reason: string}} hint @param {boolean} hasMarks */
function noHintWords({ code, reason }, hasMarks) {
  if (code === "uncertain") return "no cell is certain: the board has several solutions, and any of them is right";
  if (code !== "conflict") return `no hint: ${reason}`;
  return hasMarks ? "no hint: the marks so far leave no solution; Check shows what is wrong" : NO_SOLUTION;
}
