// What is said about a board that is being filled in.
import { byInput, clock, counted, listed, namedCells } from "./words.js";

export const FILL_IN_WELCOME = byInput("Click for a gem, right-click for a trap. Press V to check, I for a hint.",
  "Tap for a gem, long-press for a trap.");
const NO_SOLUTION = "this board has no solution, whatever you mark";

/** What a check found. @param {any} found the record of POST check @param {import("./marks.js").Marks} marks */
export function checkWords(found, marks) {
  const words = {
    fits: () => `${counted(marks.count, "mark")} so far, all of which can be right; ${counted(found.left, "cell")} left`,
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

/** That a board is solved, how long it took, and with what help. @param {import("./sittings.js").Sitting} sitting */
export function solvedWords({ seconds, aids }) {
  const used = listed(aids.map((aid) => (aid === "checks" ? "Check" : aid)));
  return `Solved in ${clock(seconds)}${used ? `, using ${used}` : ""}.`;
}

/** Why there is no hint. @param {string} reason @param {boolean} hasMarks */
export function noHintWords(reason, hasMarks) {
  if (reason.startsWith("no cell is certain")) return "no cell is certain: the board has several solutions, and any of them is right";
  if (reason.startsWith("gave up") || reason.startsWith("everything is decided")) return `no hint: ${reason}`;
  return hasMarks ? "no hint: the marks so far leave no solution; Check shows what is wrong" : NO_SOLUTION;
}
