// The positions of a game that was played: after any number of its moves.
import { ask } from "../api.js";
import { Grid } from "../grid.js";
import { moveText } from "./games.js";
import { positionAfter, uncovered } from "./table.js";

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

  /** The position after `count` moves: a grid and the layers of an end. @param {number} count @param {AbortSignal} [signal] */
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
