// A board to play on: clicks and taps become moves of a session, and the session is shown at once.
import { Board } from "../board/board.js";
import { h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { shortcutOf } from "../keys.js";
import { NO_HINT_LAYERS } from "./ladder.js";
import { around, uncovered } from "./positions.js";
import { Session } from "./session.js";
import { byInput } from "./words.js";

/** Cells smaller than this (CSS pixels) are hard to click. */
const SMALLEST_CELL = 14;
const USUAL_CELL = 26;
/** The title of the button for flag mode. */
export const FLAG_MODE = "Flag mode: a tap places a flag, a long press reveals";
const NO_LAYERS = { ...NO_HINT_LAYERS, flagsWrong: [], exploded: null, risk: null, ghosts: new Map() };

/** A board with its session. */
export class PlayBoard {
  /**
   * @param {{label: string, onChange: () => void, onMove?: () => void, onRefusal: (text: string) => void, onNote?: (text: string) => void,
   *   onHover?: (cell: any) => void, onCursor?: (cell: any) => void}} listeners `onMove` is called for each move the player makes
   */
  constructor(listeners) {
    this.listeners = listeners;
    this.host = h("div", { class: "board-host" });
    this.board = new Board(this.host, {
      label: listeners.label, mode: "play", onAct: (act) => this.#act(act), onHover: listeners.onHover, onCursor: listeners.onCursor,
    });
    /** Whether a tap places a flag. */
    this.isFlagging = false;
    /** @type {Session|null} */
    this.session = null;
  }

  /** Open a game after some moves. @param {import("./games.js").GameId} game @param {import("./games.js").Move[]} moves */
  open(game, moves) {
    this.session?.leave();
    this.session = new Session(game, moves, {
      onChange: () => this.#show(),
      onNote: this.listeners.onNote,
      onRefused: (move, reason) => this.listeners.onRefusal(this.#refusal(move.action, move.index) || reason),
    });
    this.board.setLayers(NO_LAYERS);
    this.board.setGrid(this.session.grid);
    const start = this.session.grid.cellAt(moves.at(-1)?.index ?? 0);
    this.board.setCursor(start);
    requestAnimationFrame(() => this.#startAt(start));
    this.session.settle();
  }

  /** Enlarge cells that are too small to click, and bring the last move into the middle; a new game starts at its corner. */
  #startAt(cell) {
    const { view } = this.board;
    if (view.width && view.cell < SMALLEST_CELL) this.board.zoom(USUAL_CELL / view.cell);
    this.board.center(cell);
  }

  #show() {
    const { session, board } = this;
    const { record } = session;
    if (session.isOver && session.isSettled && record.truth) {
      const exploded = record.exploded ? session.grid.named(record.exploded).index : null;
      const end = uncovered(session.grid, record.truth, { isWon: record.status === "won", exploded });
      board.setGrid(end.grid);
      board.setLayers({ flagsWrong: end.flagsWrong, exploded: end.exploded, ghosts: new Map() });
    } else {
      board.setGrid(session.grid);
      board.setLayers({ flagsWrong: [], exploded: null, ghosts: new Map(session.pressed.map((index) => [index, "…"])) });
    }
    this.listeners.onChange();
  }

  #act({ kind, cell }) {
    if (kind === "primary") this.press(cell.index);
    else if (kind === "secondary") this.move("flag", cell.index);
    else if (kind === "longpress") this.move(this.isFlagging ? this.#meant(cell.index) : "flag", cell.index);
    else if (kind === "middle") this.move("chord", cell.index);
  }

  /** What a click does: reveal, or chord on a clue; a flag in flag mode. @param {number} index */
  press(index) {
    const isHidden = this.session.grid.cells[index] === HIDDEN;
    this.move(isHidden && this.isFlagging ? "flag" : this.#meant(index), index);
  }

  #meant(index) {
    return this.session.grid.cells[index] === HIDDEN ? "reveal" : "chord";
  }

  /** Make a move, or say why it changes nothing. @param {"reveal"|"flag"|"chord"} action @param {number} index */
  move(action, index) {
    const { session } = this;
    this.listeners.onMove?.();
    const refusal = this.#refusal(action, index);
    // While an answer is pending, only the server knows whether the move changes anything.
    if (refusal && session.isSettled) this.listeners.onRefusal(refusal);
    else session.play(action, index);
  }

  #refusal(action, index) {
    const { grid } = this.session;
    const name = grid.cellName(index);
    const isHidden = grid.cells[index] === HIDDEN;
    if (this.session.isOver) return "the game is over";
    if (action === "flag") return isHidden ? "" : `${name} is shown already, so it needs no flag`;
    if (action === "reveal") {
      if (grid.flags[index]) return `${name} has a flag; ${byInput("right-click", "long-press")} to remove it`;
      return isHidden ? "" : `${name} is shown already`;
    }
    if (isHidden) return `${name} shows no clue to chord on`;
    return this.#chordRefusal(index, name);
  }

  #chordRefusal(index, name) {
    const { grid } = this.session;
    const hidden = around(index, grid.rows, grid.cols).filter((near) => grid.cells[near] === HIDDEN);
    const flags = hidden.filter((near) => grid.flags[near]).length;
    if (hidden.length === flags) return `nothing is left to reveal around ${name}`;
    if (flags === grid.cells[index]) return "";
    return `${name} has ${flags} ${flags === 1 ? "flag" : "flags"} around it, not ${grid.cells[index]}: nothing to chord`;
  }

  /** Leave the session. */
  leave() {
    this.session?.leave();
  }
}

/** Menu entries that zoom a board in play, where buttons over the board would cover cells. @param {Board} board */
export function zoomItems(board) {
  return [
    { label: "Zoom in", note: shortcutOf("zoomIn"), icon: "plus", onclick: () => board.zoom(1.25) },
    { label: "Zoom out", note: shortcutOf("zoomOut"), icon: "minus", onclick: () => board.zoom(0.8) },
    { label: "Fit the board", note: shortcutOf("fit"), icon: "fit", onclick: () => board.fit() },
  ];
}
