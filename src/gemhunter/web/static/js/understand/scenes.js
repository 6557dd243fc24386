// An explanation as scenes: its steps and how it ends, and the layers of the board for each.
import { Grid, HIDDEN, TRAP } from "../grid.js";
import { counted } from "../words.js";

/**
 * @typedef {{kind: "step"|"suppose"|"conflict"|"open"|"done"|"gave-up", sentence: string, rule?: string, level?: number, total?: boolean, clues: string[],
 *   traps: string[], gems: string[], thoughts: {depth: number, sentence: string}[], broken?: string|null, unsure?: string[], examples?: Grid[], note?: string}} Scene
 */

/** Whether a scene counts as a step: all but those that only say how the explanation ends. @param {Scene} scene */
export function isCounted({ kind }) {
  return ["step", "suppose", "conflict"].includes(kind);
}

/** The scenes of the record of `explain`. @param {any} record @param {Grid} grid @returns {Scene[]} */
export function scenesOfBoard(record, grid) {
  return [...record.steps.map(stepScene), endOfBoard(record, grid)];
}

/** The scenes of the record of `explain-cell`. @param {any} record @param {Grid} grid @returns {Scene[]} */
export function scenesOfCell(record, grid) {
  const steps = record.steps.map(stepScene);
  const { cell, value, supposed, conflict, examples, gave_up: gaveUp } = record;
  if (supposed) {
    const start = scene("suppose", `Suppose that ${cell} is a ${supposed}.`, supposed === "trap" ? { traps: [cell] } : { gems: [cell] });
    return [start, ...steps, conflictScene(conflict, `So ${cell} is a ${value}.`)];
  }
  if (conflict) return [...steps, conflictScene(conflict, boardNote(conflict))];
  if (gaveUp) return [...steps, gaveUpScene(gaveUp)];
  if (value === null) return [...steps, openScene([cell], examples, `${cell} can be a trap or a gem: it differs in these two solutions.`, grid)];
  return steps.length ? steps : [scene("done", `${cell} is a ${value}.`, {})];
}

function scene(kind, sentence, rest) {
  return { kind, sentence, clues: [], traps: [], gems: [], thoughts: [], ...rest };
}

function stepScene(step) {
  const { rule, level, clues, total, sentence, thoughts, decides } = step;
  return scene("step", sentence, { rule, level, clues, total, thoughts, traps: decides.traps, gems: decides.gems });
}

function endOfBoard({ steps, conflict, gave_up: gaveUp, open, examples }, grid) {
  if (conflict) return conflictScene(conflict, boardNote(conflict));
  if (gaveUp) return gaveUpScene(gaveUp);
  const hidden = grid.cells.reduce((count, code) => count + (code === HIDDEN ? 1 : 0), 0);
  if (open.length) {
    const left = `${counted(open.length, "cell")} can be a trap or a gem`;
    return openScene(open, examples, steps.length ? `Nothing more follows: ${left}. Two solutions show it.` : `No cell is forced: ${left}. Two solutions show it.`, grid);
  }
  if (!hidden) return scene("done", "Every cell is shown; there is nothing to explain.", {});
  return scene("done", hidden === 1 ? "The only hidden cell is decided." : `All ${hidden.toLocaleString("en")} hidden cells are decided.`, {});
}

function conflictScene(conflict, note) {
  return scene("conflict", conflict.sentence, { clues: conflict.clues, broken: conflict.broken, note });
}

function boardNote({ clues, total, minimal, followed }) {
  const names = total ? `${counted(clues.length, "clue")} and the number of traps` : counted(clues.length, "clue");
  const parts = [clues.length === 1 && !total ? "The board has no solution." : `The board has no solution: ${names} conflict.`];
  if (minimal && clues.length > 1) parts.push("None of them can be left out.");
  if (!followed) parts.push("The search ended before the steps reached the conflict.");
  return parts.join(" ");
}

function gaveUpScene(reason) {
  return scene("gave-up", `The search for more steps ended early: ${reason}. The steps so far are right, but more cells may be forced.`, {});
}

function openScene(unsure, examples, sentence, grid) {
  return scene("open", sentence, { unsure, examples: examples.map((rows) => Grid.fromRows(rows, grid.total)) });
}

/**
 * What the board shows in a scene: earlier conclusions muted, those of the scene hatched, clues outlined. `example` is the number of an
 * example solution, or null for question marks.
 * @param {Scene[]} scenes @param {number} index @param {number|null} example
 */
export function layersOf(scenes, index, example = null) {
  const shown = scenes[index];
  const before = scenes.slice(0, index);
  const layers = {
    traps: before.flatMap(({ traps }) => traps), gems: before.flatMap(({ gems }) => gems),
    newTraps: shown.traps, newGems: shown.gems, outlined: shown.clues, broken: shown.broken ? [shown.broken] : [], unsure: shown.unsure ?? [],
  };
  if (example === null || !shown.examples?.[example]) return layers;
  return { ...layers, ...exampleLayers(shown.examples[example], layers) };
}

function exampleLayers(solution, { traps, gems }) {
  const decided = new Set([...traps, ...gems]);
  const [newTraps, newGems] = [[], []];
  solution.cells.forEach((code, index) => {
    const name = solution.cellName(index);
    if (code < 0 && !decided.has(name)) (code === TRAP ? newTraps : newGems).push(name);
  });
  return { newTraps, newGems, unsure: [] };
}
