// Hints in a game: the ladder, the best guess, and flags on the last rung.
import { isAbort } from "../api.js";
import { h } from "../dom.js";
import { bringIntoView, prose } from "../widgets.js";
import { percent } from "../words.js";
import { cellsNamed, hintBody, hintLayers, NO_HINT_LAYERS } from "./ladder.js";
import { around } from "./positions.js";
import { follow } from "./requests.js";
import { namedCells } from "./words.js";

/** How many seconds guesses are compared when Hint is pressed again. */
const THINK_SECONDS = 5;
const FIRST_IS_SAFE = "The first cell is never a trap: begin anywhere.";

/** The hints of one game view. */
export class GameHints {
  /** @param {import("./playboard.js").PlayBoard} table @param {{all: number, conclusion: number}} rungs of hints @param {{say: Function, busy: (text: string) => void, fail: Function}} panel */
  constructor(table, rungs, panel) {
    this.table = table;
    this.rungs = rungs;
    this.panel = panel;
    this.reset();
  }

  /** Go back to the first rung, and remove the hint from the board. */
  reset() {
    this.leaving?.abort();
    this.leaving = null;
    this.rung = 0;
    this.near = null;
    this.hint = null;
    if (this.table.session) this.table.board.setLayers(NO_HINT_LAYERS);
  }

  /** Show the next rung; resolves to whether it counts as help. @returns {Promise<boolean>} */
  async press() {
    const { session } = this.table;
    if (session.isOver) {
      this.panel.say("the game is over: Undo takes back the last move, New deals another game");
      return false;
    }
    if (session.isFirstSafe) {
      this.panel.say(FIRST_IS_SAFE);
      return false;
    }
    if (this.hint?.step) this.#act(this.hint.step);
    else await this.#nextRung();
    return true;
  }

  async #nextRung() {
    if (this.leaving) return;
    const { session, board } = this.table;
    const mine = (this.leaving = new AbortController());
    this.near ??= session.grid.cellName(board.cursor.index);
    const think = this.hint?.comparable ? THINK_SECONDS : null;
    this.panel.busy(think ? "Simulating games from here…" : "Looking for a hint…");
    try {
      await session.settle();
      const options = { signal: mine.signal, onNote: this.panel.busy };
      const rung = Math.min(this.rungs.conclusion, this.rung + 1);
      const hint = await follow("play/hint", { ...session.body, near: this.near, rung, think }, options);
      this.rung += 1;
      this.#show(hint);
    } catch (error) {
      if (!isAbort(error)) this.panel.fail(error, () => this.press());
    } finally {
      if (this.leaving === mine) this.leaving = null;
    }
  }

  #show(hint) {
    this.hint = hint;
    if (hint.kind === "none") this.panel.say(`no hint: ${hint.reason}`);
    else if (hint.kind === "guess") this.#showGuess(hint);
    else this.#showDeduction(hint);
  }

  #showDeduction(hint) {
    const { board } = this.table;
    const layers = hintLayers(hint);
    const wrong = this.#misflagged(hint.step);
    board.setLayers({ ...NO_HINT_LAYERS, ...layers, newTraps: this.#unflagged(hint.step), unsure: wrong });
    const target = layers.newGems.find((name) => !wrong.includes(name)) ?? this.#unflagged(hint.step)[0];
    if (target) this.#point(target);
    const next = hint.step ? this.#nextWords(hint.step) : "Press Hint again for more";
    this.#say(hintBody(hint, { rung: this.rung, of: this.rungs.all, next }), "Hint", [target, ...layers.outlined].filter(Boolean));
  }

  #nextWords(step) {
    const flags = (names) => (names.length > 1 ? "flags" : "flag");
    const [traps, wrong] = [this.#unflagged(step), this.#misflagged(step)];
    if (wrong.length) return `Press Hint again to remove the wrong ${flags(wrong)}`;
    if (traps.length) return `Press Hint again to place the ${flags(traps)}`;
    return step.decides.gems.length > 1 ? "Press Hint again for the next gem" : "Open it: it is safe";
  }

  #showGuess(hint) {
    const { grid } = this.table.session;
    const near = around(grid.named(hint.cell).index, grid.rows, grid.cols).filter((index) => grid.cells[index] > 0);
    this.table.board.setLayers({ ...NO_HINT_LAYERS, outlined: near.map((index) => grid.cellAt(index)), cursorHint: hint.cell });
    this.#point(hint.cell);
    const chance = hint.win_chance === null ? null : h("p", { class: "quiet" }, `From here, the chance of winning is ${percent(hint.win_chance)}.`);
    const compared = hint.compared && h("p", {}, prose(hint.compared.sentence));
    const next = hint.comparable && !hint.compared && h("small", { class: "quiet" }, "Press Hint again to compare it with other guesses");
    this.#say(h("div", { class: "play-hint" }, h("p", {}, guessWords(hint)), chance, compared, next), "Best guess", [hint.cell]);
  }

  /** Say a hint, with its cells and those that it names in sight. @param {HTMLElement} body @param {string} title @param {string[]} cells */
  #say(body, title, cells) {
    const { board, host } = this.table;
    this.panel.say(body, { title });
    board.show([...cells, ...cellsNamed(body)]);
    bringIntoView(host);
  }

  /** After the conclusion: remove flags from its gems, flag its traps, or else go to the next gem. */
  #act(step) {
    const [traps, wrong] = [this.#unflagged(step), this.#misflagged(step)];
    const { session } = this.table;
    if (wrong.length) {
      session.playAll(wrong.map((name) => ({ action: "flag", index: session.grid.named(name).index })));
      this.reset();
      this.panel.say(`Removed the ${wrong.length > 1 ? "flags" : "flag"} from ${namedCells(wrong)}: no trap is there.`);
      return;
    }
    if (traps.length) {
      session.playAll(traps.map((name) => ({ action: "flag", index: session.grid.named(name).index })));
      this.reset();
      this.panel.say(`Flagged ${namedCells(traps)}. ${traps.length > 1 ? "Undo removes the last flag" : "Undo removes it"}.`);
      return;
    }
    const gems = step.decides.gems;
    const at = gems.indexOf(session.grid.cellName(this.table.board.cursor.index));
    if (gems.length) this.#point(gems[(at + 1) % gems.length]);
  }

  #unflagged(step) {
    const { grid } = this.table.session;
    return (step?.decides.traps ?? []).filter((name) => !grid.flags[grid.named(name).index]);
  }

  /** The gems of a conclusion that have a flag. */
  #misflagged(step) {
    const { grid } = this.table.session;
    return (step?.decides.gems ?? []).filter((name) => grid.flags[grid.named(name).index]);
  }

  #point(name) {
    const { board } = this.table;
    board.pointAt(board.grid.named(name));
  }
}

function guessWords({ cell, risk }) {
  if (risk === 0) return `${cell} is safe, but no explanation was found in time.`;
  return `Nothing is certain. The best guess is ${cell}, with a risk of ${percent(risk)}.`;
}
