// What is drawn over the board: forced cells, risks, conflicts, the best move, or one of the solutions.
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { load, save } from "../store.js";
import { percent } from "../words.js";

const NONE = { traps: [], gems: [] };

/** Chooses the layers of the board from the answers and from what the user wants to see. */
export class Overlay {
  /** @param {import("../board/board.js").Board} board */
  constructor(board) {
    this.board = board;
    this.wants = { risks: true, forced: true, ...load("analyse.wants", 1, {}) };
    this.answer = null;
    this.advice = null;
    /** @type {import("../grid.js").Grid|null} */
    this.solution = null;
    this.risks = null;
    this.forced = NONE;
  }

  /** @param {"risks"|"forced"} name @param {boolean} isWanted */
  want(name, isWanted) {
    this.wants[name] = isWanted;
    save("analyse.wants", 1, this.wants);
    this.draw();
  }

  /** Show an answer of `analyse`; null shows none. @param {any} answer */
  setAnswer(answer) {
    this.answer = answer;
    const forced = answer?.forced ?? answer?.decided;
    const cells = (names) => names.map((name) => this.board.grid.named(name));
    this.forced = forced ? { traps: cells(forced.traps), gems: cells(forced.gems) } : NONE;
    this.risks = answer?.probability ? Float32Array.from(answer.probability.flat(), (risk) => risk ?? NaN) : null;
    this.draw();
  }

  /** Show an answer of `advise`; null shows none. @param {any} advice */
  setAdvice(advice) {
    if (advice === this.advice) return;
    this.advice = advice;
    this.draw();
  }

  /** Show a filled grid instead of the answers; null shows the answers again. @param {import("../grid.js").Grid|null} solution */
  setSolution(solution) {
    if (solution === this.solution) return;
    this.solution = solution;
    this.draw();
  }

  /** The risk of a cell, or null. @param {number} index */
  riskOf(index) {
    const risk = this.risks?.[index];
    return risk === undefined || Number.isNaN(risk) || this.board.grid.cells[index] !== HIDDEN ? null : risk;
  }

  /** Whether a cell is the same in every solution. @param {number} index */
  isForced(index) {
    return [this.forced.traps, this.forced.gems].some((cells) => cells.some((cell) => cell.index === index));
  }

  /** What the answers say about a cell, in words. @param {number} index @returns {string[]} */
  wordsOf(index) {
    const has = (cells) => cells.some((cell) => cell.index === index);
    if (this.solution && this.board.grid.cells[index] === HIDDEN) return [`${this.solution.cells[index] === TRAP ? "trap" : "gem"} in this solution`];
    const risk = this.riskOf(index);
    const words = [];
    if (has(this.forced.traps)) words.push("must be a trap");
    else if (has(this.forced.gems)) words.push("must be a gem");
    else if (risk !== null) words.push(`risk ${percent(risk)}`);
    const name = this.board.grid.cellName(index);
    if (this.answer?.clues.includes(name)) words.push("in conflict");
    if (this.advice?.best === name) words.push("the best move");
    return words;
  }

  draw() {
    const forced = this.wants.forced ? this.forced : NONE;
    const shown = this.solution ? this.#solved() : forced;
    this.board.setLayers({
      traps: shown.traps,
      gems: shown.gems,
      risk: this.solution || !this.wants.risks ? null : this.#risksBeside(forced),
      broken: this.answer?.clues ?? [],
      cursorHint: this.solution ? null : this.advice?.best ?? null,
      isSolved: this.solution !== null,
      flagsWrong: this.advice?.wrong_flags ?? [],
    });
  }

  #solved() {
    const { grid } = this.board;
    const cells = [...grid.cells.keys()].filter((index) => grid.cells[index] === HIDDEN).map((index) => grid.cellAt(index));
    const holding = (code) => cells.filter(({ index }) => this.solution.cells[index] === code);
    return { traps: holding(TRAP), gems: holding(GEM) };
  }

  /** Risks without those of cells that are shown as forced. */
  #risksBeside(forced) {
    if (!this.risks) return null;
    const risks = this.risks.slice();
    for (const { index } of [...forced.traps, ...forced.gems]) risks[index] = NaN;
    return risks;
  }
}
