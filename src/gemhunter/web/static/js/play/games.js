// Ids of games and lists of moves, as texts for the server and packed for the URL.

const ID = /^(\d{1,9})[x×](\d{1,9})n(\d{1,9})#(\d{1,30})(?::([a-z-]+))?$/;
const PACKED = { r: "reveal", f: "flag", c: "chord" };
/** Seeds of new games are below this: short enough to be typed. */
const SHORT_SEEDS = 1_000_000_000;

/** The rules for the first click, as players read them. */
export const RULES = [
  { value: "opening", label: "Classic", about: "the first click opens an area; later you may have to guess" },
  { value: "safe", label: "Safe", about: "the first cell is never a trap" },
  { value: "any", label: "Any", about: "the first cell may be a trap" },
  { value: "no-guess", label: "No guess", about: "clues and the number of traps always give a safe move; no guess is needed" },
  { value: "no-guess-clues", label: "No guess, clues only", about: "the clues alone always give a safe move; no guess is needed" },
];

/** @typedef {{action: "reveal"|"flag"|"chord", index: number}} Move */
/** @typedef {{id: string, rows: number, cols: number, traps: number, size: string, seed: string, rule: string}} GameId */

/** The parts of an id such as 9x9n10#42:no-guess or expert#42. @param {string} text @param {any[]} levels @returns {GameId} */
export function readId(text, levels) {
  const [name, rest] = text.trim().split(/#(.*)/s);
  const level = levels.find((each) => each.name === name.toLowerCase());
  const found = ID.exec(level ? `${sizeText(level)}#${rest ?? ""}` : text.trim());
  if (!found) throw new RangeError(`\`${text}\` is not a game; expected LEVEL#SEED, such as 16x30n99#42 or expert#42`);
  const [rows, cols, traps] = found.slice(1, 4).map(Number);
  const size = sizeText({ rows, cols, traps });
  if (rows * cols > 250_000 || rows * cols < 1) throw new RangeError(`a game of ${rows}×${cols} cells is not possible here`);
  const rule = found[5] ?? "safe";
  return { id: gameId(size, found[4], rule), rows, cols, traps, size, seed: found[4], rule };
}

/** "9x9n10". @param {{rows: number, cols: number, traps: number}} level */
export function sizeText({ rows, cols, traps }) {
  return `${rows}x${cols}n${traps}`;
}

/** The id of a game. @param {string} size @param {string|number} seed @param {string} [rule] */
export function gameId(size, seed, rule = "safe") {
  return `${size}#${seed}${rule === "safe" ? "" : `:${rule}`}`;
}

/** A random seed for a new game. */
export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % SHORT_SEEDS;
}

/** The id of the daily board, by the local date. @param {string} size @param {Date} [date] */
export function dailyId(size, date = new Date()) {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("");
  return gameId(size, day, "no-guess");
}

/** The day of a daily board, such as "2026-11-17"; null for other games. @param {GameId} game */
export function dayOf({ id, size, seed }) {
  const [, year, month, day] = /^(20\d\d)(\d\d)(\d\d)$/.exec(seed) ?? [];
  return year && dailyId(size, new Date(Number(year), Number(month) - 1, Number(day))) === id ? `${year}-${month}-${day}` : null;
}

/** The name of a size: "Expert", or "12×20, 30 traps". @param {{rows: number, cols: number, traps: number}} game @param {any[]} levels */
export function levelName(game, levels) {
  const known = levels.find((level) => sizeText(level) === sizeText(game));
  return known ? known.name.charAt(0).toUpperCase() + known.name.slice(1) : `${game.rows}×${game.cols}, ${game.traps} traps`;
}

/** Moves as the URL holds them: "r0.f1a.c2s.". @param {Move[]} moves */
export function packMoves(moves) {
  return moves.map(({ action, index }) => `${action[0]}${index.toString(36)}.`).join("");
}

/** The moves of a URL; throws RangeError with one line. @param {string} text @param {number} cells @returns {Move[]} */
export function unpackMoves(text, cells) {
  return text.split(".").filter(Boolean).map((packed) => {
    const action = PACKED[packed[0]];
    const index = /^.[0-9a-z]+$/.test(packed) ? parseInt(packed.slice(1), 36) : NaN;
    if (!action || !(index < cells)) throw new RangeError(`the moves in this link cannot be read: ${packed.slice(0, 12)}`);
    return { action, index };
  });
}

/** A move as the server reads it: "reveal r1c1". @param {Move} move @param {number} cols */
export function moveText({ action, index }, cols) {
  return `${action} r${Math.floor(index / cols) + 1}c${(index % cols) + 1}`;
}

/** A move of the server. @param {string} text @param {number} cols @returns {Move} */
export function readMove(text, cols) {
  const [, action, row, col] = /^(\w+) r(\d+)c(\d+)$/.exec(text);
  return { action: /** @type {Move["action"]} */ (action), index: (Number(row) - 1) * cols + Number(col) - 1 };
}
