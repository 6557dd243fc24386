// Puzzles as they are made: progress, a card per puzzle, and what to do with all of them.
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { badge, button, copyAndSay, menuButton, notice } from "../widgets.js";
import { fileItems } from "./files.js";
import { picture } from "../board/picture.js";

/** @type {Record<string, Parameters<typeof badge>>} */
const BADGES = { running: ["making", "info"], done: ["finished", "good"], stopped: ["stopped", "warn"], failed: ["not finished", "bad"], short: ["not all could be made", "warn"] };

/** @typedef {{items: any[], asked: number, status: string, params: Record<string, string>}} Batch */

/** The puzzles of one request. */
export class PuzzlesView {
  /** @param {any} app @param {Batch} batch @param {{onStop: () => void, onPrint: () => void}} options */
  constructor(app, batch, { onStop, onPrint }) {
    this.app = app;
    this.batch = batch;
    this.bar = h("progress", { max: batch.asked, value: 0, "aria-label": "Puzzles made" });
    this.state = h("span", {});
    this.words = h("span", { class: "quiet" });
    this.stop = button({ label: "Stop", icon: "stop", kind: "danger", onclick: onStop });
    this.note = h("div", { class: "make-said" });
    this.all = h("div", { class: "row" },
      button({ label: "Print", icon: "print", title: "Pages to print, solutions on separate pages", onclick: onPrint }),
      menuButton({ label: "Save", icon: "download", items: () => fileItems(() => this.puzzles) }));
    this.list = h("ol", { class: "make-cards" });
    this.element = h("div", { class: "column" },
      h("section", { class: "card make-head", "aria-label": "Progress" },
        h("div", { class: "row" }, this.state, this.words, h("span", { class: "spring" }), this.stop, this.all), this.bar, this.note),
      this.list);
    batch.items.forEach((item, at) => this.list.append(puzzleCard(item, at + 1, app)));
    this.update();
  }

  /** The puzzles that were made. */
  get puzzles() {
    return this.batch.items.filter((item) => !("missing" in item));
  }

  /** Add a puzzle, or the reason why there is none. @param {any} item */
  add(item) {
    this.batch.items.push(item);
    this.list.append(puzzleCard(item, this.batch.items.length, this.app));
    clear(this.note);
    this.update();
    const number = this.batch.items.length;
    this.app.announce("missing" in item ? `puzzle ${number} could not be made: ${item.missing}` : `puzzle ${number} of ${this.batch.asked}, ${item.difficulty.word}`);
  }

  /** Show the progress, or what delays it. @param {{note?: string, seconds?: number}} progress */
  say({ note, seconds }) {
    if (note) clear(this.note, notice(note, { kind: "info" }));
    else if (seconds >= 1) clear(this.words, `${this.#made()}, ${seconds.toFixed(0)} s on the next one`);
  }

  #made() {
    return `${this.puzzles.length} of ${this.batch.asked} made`;
  }

  /** Show the current progress and status. */
  update() {
    const isRunning = this.batch.status === "running";
    this.bar.value = this.batch.items.length;
    this.bar.hidden = !isRunning;
    this.stop.hidden = !isRunning;
    this.all.hidden = isRunning || !this.puzzles.length;
    if (!isRunning) clear(this.note);
    clear(this.words, this.#made());
    const isShort = this.batch.status === "done" && this.puzzles.length < this.batch.asked;
    clear(this.state, badge(...BADGES[isShort ? "short" : this.batch.status]));
  }
}

// A card per puzzle: its picture, how hard it is, and what to do with it.

const KINDS = { easy: "good", medium: "info", hard: "warn", expert: "bad" };
const WIDTH = 252;

/** @typedef {{grid: string[], solution: string[]|null, difficulty: {word: string, rule: string|null}, seed: number, conflict: string[]|null}} PuzzleRecord */

/**
 * The card of a puzzle, or of a seed that gave none. @param {PuzzleRecord|{missing: string, seed: number}} item @param {number} number @param {any} app
 */
function puzzleCard(item, number, app) {
  return "missing" in item ? missingCard(item, number) : madeCard(item, number, app);
}

function missingCard({ missing, seed }, number) {
  return h("li", { class: "card make-card make-missing" }, h("div", { class: "row between" }, h("h2", {}, `Puzzle ${number}`), badge("not made", "warn")),
    h("p", {}, `Not made: ${missing}.`), h("p", { class: "quiet" }, `Seed ${seed}. Try another seed, another size or fewer options.`));
}

function madeCard(item, number, app) {
  const grid = Grid.fromRows(item.grid);
  const clues = grid.cells.filter((code) => code >= 0).length;
  const shown = h("div", { class: "make-picture" });
  const label = `Puzzle ${number}, ${grid.rows} rows, ${grid.cols} columns, ${clues} clues`;
  const showGrid = (drawn, text) => clear(shown, picture(drawn, { label: text, width: WIDTH, largest: 36 }));
  showGrid(grid, label);
  return h("li", { class: "card make-card" },
    h("div", { class: "row between" }, h("h2", {}, `Puzzle ${number}`), difficultyBadge(item)), shown,
    h("p", { class: "quiet make-facts" }, `${clues} clues, seed ${item.seed}`, ruleOf(item)),
    h("div", { class: "make-doing" },
      button({ label: "Play", icon: "play", title: "Fill in this puzzle", onclick: () => app.go("play", { b: grid.code() }) }),
      button({ label: "Explain", kind: "quiet", title: "Why each cell is what it is", onclick: () => app.openBoard("understand", grid) }),
      button({ label: "Analyse", kind: "quiet", title: "Solutions and risks", onclick: () => app.openBoard("analyse", grid) }),
      h("span", { class: "spring" }), solutionButton(item, grid, label, showGrid),
      button({ label: "Copy as text", icon: "copy", compact: true, kind: "quiet", onclick: () => copyAndSay(grid.toText(), "Puzzle copied") })));
}

function difficultyBadge({ difficulty, conflict }) {
  if (conflict) return badge("no solution", "bad");
  return badge(difficulty.word, KINDS[difficulty.word] ?? "plain");
}

function ruleOf({ difficulty, conflict }) {
  if (conflict) return `. The clues ${conflict.join(", ")} conflict.`;
  return difficulty?.rule ? `, hardest step: ${difficulty.rule}` : "";
}

function solutionButton(item, grid, label, showGrid) {
  if (!item.solution) return null;
  const toggle = button({
    label: "Show solution", icon: "eye", compact: true, kind: "quiet",
    onclick: () => {
      const isShown = toggle.getAttribute("aria-pressed") !== "true";
      toggle.setAttribute("aria-pressed", String(isShown));
      showGrid(isShown ? Grid.fromRows(item.solution) : grid, isShown ? `${label}, solved` : label);
    },
  });
  toggle.setAttribute("aria-pressed", "false");
  return toggle;
}
