// The positions of a game that was played: after any number of its moves.
import { ask } from "../api.js";
import { Grid, HIDDEN, TRAP } from "../grid.js";
import { turnWords } from "./agents.js";
import { moveText, readMove } from "./games.js";
import { follow } from "./requests.js";

/** A played game. Once it is over its traps are known, and its positions are made here; otherwise the server is asked. */
export class Positions {
  /**
   * @param {import("./games.js").GameId} game @param {import("./games.js").Move[]} moves
   * @param {any} record the answer of POST play to all moves, or the end of a watched game
   */
  constructor(game, moves, record) {
    this.game = game;
    this.moves = moves;
    this.record = record;
  }

  /** Ask the server how a game ended. @param {import("./games.js").GameId} game @param {import("./games.js").Move[]} moves @param {AbortSignal} signal */
  static async load(game, moves, signal) {
    const record = await ask("play", { id: game.id, moves: moves.map((move) => moveText(move, game.cols)) }, { signal });
    return new Positions(game, moves.slice(0, record.moves), record);
  }

  /** The position after `count` moves: a grid, and the layers that show how the game ended. @param {number} count @param {AbortSignal} [signal] */
  async at(count, signal) {
    const { truth } = this.record;
    if (truth) return this.#known(count);
    const moves = this.moves.slice(0, count).map((move) => moveText(move, this.game.cols));
    const record = await ask("play", { id: this.game.id, moves }, { signal });
    return { grid: Grid.fromRows(record.grid, record.traps), flagsWrong: [], exploded: null };
  }

  #known(count) {
    const { truth, status } = this.record;
    const { grid, exploded } = positionAfter(truth, this.game.traps, this.moves.slice(0, count));
    const isEnd = count === this.moves.length && (status === "won" || status === "lost");
    return isEnd ? uncovered(grid, truth, { isWon: status === "won", exploded }) : { grid, flagsWrong: [], exploded: null };
  }
}

// A game played on a board whose traps are known: positions of games that are over need no server.

/** Indices of the up to eight cells around one. @param {number} index @param {number} rows @param {number} cols */
export function around(index, rows, cols) {
  const [row, col] = [Math.floor(index / cols), index % cols];
  const cells = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c++) if (r !== row || c !== col) cells.push(r * cols + c);
  }
  return cells;
}

/** A board on which moves are played one after the other. */
class Table {
  /** @param {string[]} truth rows of the board, `*` for a trap @param {number} total */
  constructor(truth, total) {
    this.rows = truth.length;
    this.cols = truth[0].length;
    this.traps = Uint8Array.from([...truth.join("")], (sign) => (sign === "*" ? 1 : 0));
    this.grid = Grid.blank(this.rows, this.cols).withTotal(total);
    /** @type {number|null} the trap that ended the game */
    this.exploded = null;
  }

  /** @param {import("./games.js").Move} move */
  play({ action, index }) {
    const { cells, flags } = this.grid;
    if (action === "flag") flags[index] = flags[index] ? 0 : 1;
    else if (action === "reveal") this.#open(index);
    else for (const near of around(index, this.rows, this.cols)) if (cells[near] === HIDDEN && !flags[near]) this.#open(near);
  }

  #open(start) {
    const { cells, flags } = this.grid;
    const waiting = [start];
    while (waiting.length) {
      const index = waiting.pop();
      if (cells[index] !== HIDDEN || flags[index]) continue;
      if (this.traps[index]) {
        cells[index] = TRAP;
        this.exploded ??= index;
        continue;
      }
      const near = around(index, this.rows, this.cols);
      cells[index] = near.reduce((sum, other) => sum + this.traps[other], 0);
      if (cells[index] === 0) waiting.push(...near);
    }
  }
}

/** The position after some moves. @param {string[]} truth @param {number} total @param {import("./games.js").Move[]} moves */
function positionAfter(truth, total, moves) {
  const table = new Table(truth, total);
  moves.forEach((move) => table.play(move));
  return { grid: table.grid, exploded: table.exploded };
}

/**
 * What is shown of a game that is over: all traps, wrong flags crossed, the exploded cell; a won game gets its last flags.
 * @param {Grid} grid @param {string[]} truth @param {{isWon: boolean, exploded: number|null}} end @returns {{grid: Grid, flagsWrong: any[], exploded: any}}
 */
export function uncovered(grid, truth, { isWon, exploded }) {
  const traps = truth.join("");
  const cells = grid.cells.slice();
  const flags = grid.flags.slice();
  const flagsWrong = [];
  for (let index = 0; index < grid.size; index++) {
    if (cells[index] !== HIDDEN) continue;
    const isTrap = traps[index] === "*";
    if (flags[index] && !isTrap) flagsWrong.push(grid.cellAt(index));
    else if (isTrap && isWon) flags[index] = 1;
    else if (isTrap && !flags[index]) cells[index] = TRAP;
  }
  const shown = new Grid(grid.rows, grid.cols, cells, flags, grid.total);
  return { grid: shown, flagsWrong, exploded: exploded === null ? null : grid.cellAt(exploded) };
}

// A whole game of an agent: its positions turn by turn, and its reasons in words.

/**
 * Have an agent play a game from its beginning, or after some moves.
 * @param {import("./games.js").GameId} game @param {string} agent @param {{moves?: string[], signal?: AbortSignal, onNote?: (text: string) => void}} [options]
 * @returns {Promise<{agent: string, positions: Positions, stops: number[], words: string[], guesses: number, status: string, truth: string[]}>}
 *   `stops[n]` is the number of moves after n turns
 */
export async function watchAgent(game, agent, { moves: given = [], signal, onNote } = {}) {
  const watched = await follow("play/watch", { id: game.id, agent, moves: given }, { signal, onNote });
  const turns = watched.moves;
  const moves = [...given, ...turns.flat()].map((text) => readMove(text, game.cols));
  let sum = given.length;
  const stops = [sum, ...turns.map((turn) => (sum += turn.length))];
  const words = [`${agent} begins.`, ...watched.turns.map((turn, at) => turnWords(agent, { ...turn, revealed: watched.revealed[at], stuck: turn.risk === null }))];
  const { status, truth } = watched.end;
  return { agent, positions: new Positions(game, moves, watched.end), stops, words, guesses: watched.guesses.length, status, truth };
}
