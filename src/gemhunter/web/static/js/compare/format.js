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

/** "1 run", "3 runs". @param {number} number @param {string} one @param {string} [many] */
export function counted(number, one, many = `${one}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** How long some seconds are at most, in rough words. @param {number} seconds */
export function roughly(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
