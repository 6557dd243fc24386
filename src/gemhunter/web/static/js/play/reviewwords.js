// What a review says and shows about a move: its verdict, the cells beside it, and the chance before it.
import { percent } from "./words.js";

const VERDICTS = {
  safe: ["safe", "good"], "proven-trap": ["shown to be a trap", "bad"], "needless-risk": ["needless risk", "bad"], "not-judged": ["not judged", "plain"],
};

/** The word and the tone of a judged move, after a second look if there was one. @param {any} item @param {any} [look] */
export function verdictOf({ verdict, is_safest: isSafest, cell }, look) {
  if (verdict !== "guess") return VERDICTS[verdict];
  const compared = look?.compared;
  if (compared && compared.better === compared.other) return ["best guess", "info"];
  if (compared?.more_low > 0) return compared.better === cell ? ["best guess", "info"] : ["weaker guess", "warn"];
  return isSafest ? ["safest guess", "info"] : ["guess", "warn"];
}

/** The risks of the cell that was revealed and of the safest one; those of other cells are left out. */
export function risksOf({ safest, least, cell, risk }, grid) {
  const risks = new Float32Array(grid.size).fill(NaN);
  for (const [name, size] of [[safest, least], [cell, risk]]) if (name && size > 0) risks[grid.named(name).index] = size;
  return risks;
}

/** The cell that a guess was compared with or, until it was, the safest one. */
export function rivals(item, look) {
  if (item.verdict !== "guess") return [];
  if (look?.compared) return [look.compared.better, look.compared.other].filter((name) => name !== item.cell);
  return item.is_safest ? [] : [item.safest];
}

/** What the frames on the board mean. */
export function frameWords(item, step, look) {
  const rival = look?.compared ? "the one it was compared with" : "the safest one";
  const frames = step ? " and thick frames the clues" : rivals(item, look).length ? ` and the thick frame ${rival}` : "";
  return `The board shows the position before the move. The dashed frame is the cell${frames}.`;
}

/** The chance of winning before a move, with its range if it is an estimate. */
export function chanceWords({ value, low, high, exact }) {
  const most = "With best play, the chance of winning before this move was";
  return exact ? `${most} ${percent(value)}.` : `${most} about ${percent(value)} (between ${percent(low)} and ${percent(high)}).`;
}
