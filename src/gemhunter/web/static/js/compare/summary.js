// The results of a comparison: a cell per board and engine, the fastest, and disagreements.

/** @typedef {{board: string, engine: string, run: number, verdict: string, reason: string, seconds: Record<string, number>, total: number|null, counters: Record<string, number>, memory: number|null}} RunRecord */
/** @typedef {{runs: RunRecord[], verdict: string|null, reason: string, median: number|null, answered: number}} Summary */
/** @typedef {{boards: {name: string, code: string}[], engines: string[], runs: number, seconds: number, items: RunRecord[], status: string, csv: string, params: Record<string, string>}} Results */

const FAILED = ["wrong", "crashed"];

/** The middle of some numbers. @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** The summary of the runs of one engine on one board; `verdict` is null without a run. @param {RunRecord[]} runs @returns {Summary} */
export function summarise(runs) {
  const answered = runs.filter((run) => run.total !== null && !FAILED.includes(run.verdict));
  const failed = runs.find((run) => FAILED.includes(run.verdict));
  const speaking = failed ?? answered[0] ?? runs[0];
  return {
    runs,
    verdict: speaking?.verdict ?? null,
    reason: speaking?.reason ?? "",
    median: failed || !answered.length ? null : median(answered.map((run) => run.total)),
    answered: answered.length,
  };
}

/** All cells of a comparison, by `keyOf`. @param {Results} results @returns {Map<string, Summary>} */
export function summaries(results) {
  const runs = new Map();
  for (const item of results.items) {
    const key = keyOf(item.board, item.engine);
    runs.set(key, [...(runs.get(key) ?? []), item]);
  }
  const cells = new Map();
  for (const { name } of results.boards) {
    for (const engine of results.engines) cells.set(keyOf(name, engine), summarise(runs.get(keyOf(name, engine)) ?? []));
  }
  return cells;
}

/** The times of the runs with an answer; none if a run failed. @param {Summary} cell */
export function timesOf(cell) {
  return cell.median === null ? [] : cell.runs.map((run) => run.total).filter((seconds) => seconds !== null);
}

/** @param {string} board @param {string} engine */
export function keyOf(board, engine) {
  return `${board}\n${engine}`;
}

/**
 * The engine whose slowest run on a board beats every run of the others; null if there is none, or only one answered.
 * @param {Results} results @param {Map<string, Summary>} cells @param {string} board
 */
export function fastestOn(results, cells, board) {
  const timed = results.engines.map((engine) => ({ engine, times: timesOf(cells.get(keyOf(board, engine))) })).filter(({ times }) => times.length);
  if (timed.length < 2) return null;
  const [best, ...others] = timed.sort((a, b) => Math.min(...a.times) - Math.min(...b.times));
  const slowest = Math.max(...best.times);
  return others.every(({ times }) => slowest < Math.min(...times)) ? best.engine : null;
}

/**
 * Boards that one engine says it solved and another says have no solution. @param {Results} results
 * @returns {{board: string, solved: string[], refuted: string[]}[]}
 */
export function disagreements(results) {
  return results.boards.flatMap(({ name: board }) => {
    const says = (verdict) => results.engines.filter((engine) => results.items.some((item) => item.board === board && item.engine === engine && item.verdict === verdict));
    const [solved, refuted] = [says("solved"), says("refuted")];
    return solved.length && refuted.length ? [{ board, solved, refuted }] : [];
  });
}

/** A cell in words: what it shows, and the line below. @param {Summary} cell @param {number} wanted runs @returns {{main: string, note: string}} */
export function wordsOf(cell, wanted) {
  if (cell.verdict === null) return { main: "–", note: "" };
  const part = cell.runs.length < wanted ? `${cell.runs.length} of ${wanted} runs` : "";
  if (cell.median !== null) {
    const partly = cell.answered < cell.runs.length ? `${cell.answered} of ${cell.runs.length} runs` : part;
    return { main: formatSeconds(cell.median), note: [verdictWord(cell.verdict), partly].filter(Boolean).join(", ") };
  }
  return { main: verdictWord(cell.verdict), note: cell.reason || part };
}

// Seconds, bytes and verdicts in words.

const VERDICTS = { solved: "solved", refuted: "no solution", "gave-up": "gave up", crashed: "failed", wrong: "failed: wrong answer" };

/** Three digits and a unit: "1.23 ms". @param {number} seconds */
export function formatSeconds(seconds) {
  if (seconds >= 1) return `${threeDigits(seconds)} s`;
  if (seconds >= 1e-3) return `${threeDigits(seconds * 1e3)} ms`;
  return `${threeDigits(seconds * 1e6)} µs`;
}

function threeDigits(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

/** @param {number|null} bytes */
export function formatBytes(bytes) {
  if (bytes === null || bytes === undefined) return "not measured";
  if (bytes >= 2 ** 20) return `${threeDigits(bytes / 2 ** 20)} MB`;
  return `${threeDigits(bytes / 2 ** 10)} kB`;
}

/** @param {string} verdict of a run */
export function verdictWord(verdict) {
  return VERDICTS[verdict] ?? verdict;
}

/** A duration in rounded seconds, minutes or hours: "45 s", "12 min", "1.5 h". @param {number} seconds */
export function roughly(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
