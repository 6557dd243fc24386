// A game on the server as the page holds it: all moves wanted, the last answer, and one request at a time.
import { isAbort } from "../api.js";
import { Grid, HIDDEN } from "../grid.js";
import { moveText } from "./games.js";
import { around } from "./positions.js";
import { follow } from "./requests.js";

/** @typedef {import("./games.js").Move} Move */

/**
 * A game. `moves` are the moves the player wants; `record` is the answer to the first of them (`answered`). Moves made while a request is
 * under way are sent with the next one, in their order; a move that changes nothing is dropped.
 */
export class Session {
  /**
   * @param {import("./games.js").GameId} game @param {Move[]} moves
   * @param {{onChange: () => void, onNote?: (text: string) => void, onRefused?: (move: Move, reason: string) => void}} listeners
   */
  constructor(game, moves, listeners) {
    this.game = game;
    this.moves = moves;
    this.listeners = listeners;
    /** @type {any} */
    this.record = null;
    /** @type {Move[]} */
    this.answered = [];
    this.error = null;
    this.leaving = new AbortController();
    /** Answers by their last move, so that undoing needs no request. @type {WeakMap<Move, any>} */
    this.known = new WeakMap();
    this.grid = Grid.blank(game.rows, game.cols).withTotal(game.traps);
  }

  /** The id of the game. */
  get id() {
    return this.game.id;
  }

  /** The fields that every request about the game contains. */
  get body() {
    return { id: this.id, moves: this.moves.map((move) => moveText(move, this.game.cols)) };
  }

  /** "playing" until the server says otherwise. */
  get status() {
    return this.record?.status ?? "playing";
  }

  get isOver() {
    return this.status !== "playing";
  }

  /** Whether the answer is about all moves. */
  get isSettled() {
    return this.record !== null && sameMoves(this.answered, this.moves);
  }

  /** Whether something has been revealed or is about to be. */
  get hasBegun() {
    return this.moves.some((move) => move.action !== "flag");
  }

  /** Whether the next reveal is the first one, and the rule keeps it safe. */
  get isFirstSafe() {
    return !this.hasBegun && this.game.rule !== "any";
  }

  /** Make a move. @param {Move["action"]} action @param {number} index */
  play(action, index) {
    this.#want([...this.moves, { action, index }]);
  }

  /** Make several moves. @param {Move[]} moves */
  playAll(moves) {
    if (moves.length) this.#want([...this.moves, ...moves]);
  }

  /** Take back the last move; false if there is none. */
  undo() {
    if (!this.moves.length) return false;
    this.#want(this.moves.slice(0, -1));
    return true;
  }

  #want(moves) {
    this.moves = moves;
    const record = this.known.get(moves.at(-1));
    if (record && record.moves === moves.length) this.#answer(record, moves);
    this.#show();
    this.settle();
  }

  /** Ask until the answer is about all moves. @returns {Promise<void>} */
  settle() {
    this.running ??= this.#ask().finally(() => {
      this.running = null;
      this.#show();
    });
    return this.running;
  }

  async #ask() {
    this.error = null;
    try {
      while (!this.isSettled) {
        const sent = this.moves;
        const options = { signal: this.leaving.signal, onNote: this.listeners.onNote };
        this.#take(await follow("play", this.body, options), sent);
      }
    } catch (error) {
      if (!isAbort(error)) this.error = error;
    }
  }

  #take(record, sent) {
    const accepted = sent.slice(0, record.moves);
    const isOver = record.status !== "playing";
    const dropped = new Set(isOver ? sent.slice(record.moves) : sent.slice(record.moves, record.moves + 1));
    this.moves = this.moves.filter((move) => !dropped.has(move));
    // Moves made while the losing or winning move was pending come too late.
    if (isOver && accepted.every((move, at) => move === this.moves[at])) this.moves = this.moves.slice(0, accepted.length);
    this.#answer(record, accepted);
    this.#show();
    if (!isOver) for (const move of dropped) this.listeners.onRefused?.(move, record.rejected ?? "");
  }

  #answer(record, moves) {
    this.record = record;
    this.answered = moves;
    if (moves.length) this.known.set(moves.at(-1), record);
  }

  #show() {
    if (this.leaving.signal.aborted) return;
    if (this.record) this.grid = this.#expected(Grid.fromRows(this.record.grid, this.record.traps));
    else this.grid = this.#expected(Grid.blank(this.game.rows, this.game.cols).withTotal(this.game.traps));
    this.listeners.onChange();
  }

  /** Moves that wait for their answer. */
  get waiting() {
    const isAhead = this.answered.every((move, at) => move === this.moves[at]);
    return isAhead ? this.moves.slice(this.answered.length) : [];
  }

  /** The grid with the flags that the server has not confirmed yet. */
  #expected(grid) {
    for (const { action, index } of this.waiting) {
      if (action === "flag" && grid.cells[index] === HIDDEN) grid.flags[index] = grid.flags[index] ? 0 : 1;
    }
    return grid;
  }

  /** Hidden cells that are being revealed. @returns {number[]} */
  get pressed() {
    const { grid } = this;
    return this.waiting.flatMap(({ action, index }) => {
      if (action === "flag") return [];
      return action === "reveal" ? [index] : around(index, grid.rows, grid.cols);
    }).filter((index) => grid.cells[index] === HIDDEN && !grid.flags[index]);
  }

  /** The total less the flags, including flags that the server has not confirmed yet. */
  get counter() {
    return this.game.traps - this.grid.flags.reduce((sum, flag) => sum + flag, 0);
  }

  /** Leave the game: a request under way is aborted. */
  leave() {
    this.leaving.abort();
  }
}

function sameMoves(some, others) {
  return some.length === others.length && some.every((move, at) => move === others[at]);
}
