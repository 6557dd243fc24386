// A card per puzzle: its picture, how hard it is, and what to do with it.
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { badge, button, copyAndSay } from "../widgets.js";
import { picture } from "./picture.js";

const KINDS = { easy: "good", medium: "info", hard: "warn", expert: "bad" };
const WIDTH = 252;

/** @typedef {{grid: string[], solution: string[]|null, difficulty: {word: string, rule: string|null}, seed: number, conflict: string[]|null}} PuzzleRecord */

/**
 * The card of a puzzle, or of a seed that gave none. @param {PuzzleRecord|{missing: string, seed: number}} item @param {number} number @param {any} app
 */
export function puzzleCard(item, number, app) {
  return "missing" in item ? missingCard(item, number) : madeCard(item, number, app);
}

function missingCard({ missing, seed }, number) {
  return h("li", { class: "card make-card make-missing" }, h("div", { class: "row between" }, h("h3", {}, `Puzzle ${number}`), badge("not made", "warn")),
    h("p", {}, `No such puzzle: ${missing}.`), h("p", { class: "quiet" }, `Seed ${seed}. Try another seed, another size or fewer options.`));
}

function madeCard(item, number, app) {
  const grid = Grid.fromRows(item.grid);
  const clues = grid.cells.filter((code) => code >= 0).length;
  const shown = h("div", { class: "make-picture" });
  const label = `Puzzle ${number}, ${grid.rows} rows, ${grid.cols} columns, ${clues} clues`;
  const showGrid = (drawn, text) => clear(shown, picture(drawn, { label: text, width: WIDTH, largest: 36 }));
  showGrid(grid, label);
  return h("li", { class: "card make-card" },
    h("div", { class: "row between" }, h("h3", {}, `Puzzle ${number}`), difficultyBadge(item)), shown,
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
  if (conflict) return `. The clues ${conflict.join(", ")} contradict each other.`;
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
