// What the board shows of a search: the trail with its levels, the clause at work, the best board of a generation.
import { HIDDEN, TRAP } from "../grid.js";
import { cellsIn } from "../words.js";
import { cellsOf, literalOf } from "./cell-text.js";

/** Letters in the corner of cells that were not simply implied. */
const LETTERS = { decide: "D", flip: "F", pure: "P" };

/** @typedef {import("../grid.js").Grid} Grid */

/** The layers after an event of a search. @param {Grid} grid @param {import("./replay.js").SearchState} state @param {any} event @param {boolean} hasLevels */
export function searchLayers(grid, state, event, hasLevels) {
  const layers = { traps: [], gems: [], newTraps: [], newGems: [], ghosts: new Map(), trail: new Map(), ...eventLayers(event) };
  for (const { index, isTrap, kind, level } of state.trail) {
    if (index < 0) continue;
    const cell = grid.cellAt(index);
    const isChosen = kind === "decide" || kind === "flip" || kind === "changed";
    if (isChosen) (isTrap ? layers.newTraps : layers.newGems).push(cell);
    else (isTrap ? layers.traps : layers.gems).push(cell);
    if (LETTERS[kind]) layers.ghosts.set(index, LETTERS[kind]);
    if (hasLevels) layers.trail.set(index, String(level));
  }
  return layers;
}

function eventLayers(event) {
  const clues = cellsIn(event.clue);
  const hint = event.literal ? (literalOf(event.literal)?.cell ?? null) : null;
  switch (event.event) {
    case "conflict":
      return { outlined: cellsOf(event.clause), broken: clues };
    case "broken":
      return { broken: clues };
    case "try":
      return { outlined: cellsOf(event.clause ?? []), broken: clues };
    case "start": case "walk":
      return { broken: event.wrong.flatMap((clue) => cellsIn(clue)), cursorHint: hint };
    case "resolve":
      return { outlined: cellsOf([...event.left, ...event.right]) };
    case "subsume":
      return { outlined: cellsOf(event.removed) };
    case "simplify":
      return { outlined: cellsOf(event.before) };
    case "learn":
      return { outlined: cellsOf(event.clause) };
    default:
      return { outlined: [...cellsOf(event.clause ?? event.because ?? []), ...clues], cursorHint: hint };
  }
}

/**
 * The best board of a generation; cells that differ from the generation before are hatched, clues that do not hold are crossed out.
 * @param {Grid} grid @param {string[]} best @param {string[]|null} before
 */
export function generationLayers(grid, best, before) {
  const layers = { traps: [], gems: [], newTraps: [], newGems: [], broken: [] };
  const old = new Set(before ?? best);
  const traps = new Uint8Array(grid.size);
  grid.cells.forEach((code, index) => (traps[index] = code === TRAP ? 1 : 0));
  for (const name of best) {
    const literal = literalOf(name);
    if (!literal) continue;
    const cell = grid.named(literal.cell);
    if (literal.isTrap) traps[cell.index] = 1;
    if (grid.cells[cell.index] !== HIDDEN) continue;
    if (old.has(name)) (literal.isTrap ? layers.traps : layers.gems).push(cell);
    else (literal.isTrap ? layers.newTraps : layers.newGems).push(cell);
  }
  grid.cells.forEach((clue, index) => {
    if (clue >= 0 && trapsAround(grid, traps, index) !== clue) layers.broken.push(grid.cellAt(index));
  });
  return layers;
}

function trapsAround(grid, traps, index) {
  const { row, col } = grid.cellAt(index);
  let count = 0;
  for (let r = Math.max(0, row - 1); r <= Math.min(grid.rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(grid.cols - 1, col + 1); c++) count += traps[r * grid.cols + c];
  }
  return count;
}
