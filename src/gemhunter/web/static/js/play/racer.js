// One lane of a race: the small board of an agent, or the player's own.
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { badge, button } from "../widgets.js";
import { FLAG_MODE, PlayBoard } from "./playboard.js";
import { clock } from "./words.js";

const STATES = { won: "good", lost: "bad", stuck: "warn" };

function lane(name, host) {
  const state = h("span", {});
  const line = h("p", { class: "quiet play-lane-line" });
  const head = h("header", { class: "card-head" }, h("h2", {}, name), state);
  const element = h("section", { class: "card play-lane", "aria-label": name }, head, host, line);
  return { element, state, line };
}

/** An agent's lane; its game is known, and shown turn by turn. */
export class AgentLane {
  /** @param {string} name @param {import("./games.js").GameId} game */
  constructor(name, game) {
    this.name = name;
    const host = h("div", { class: "board-host" });
    const { element, state, line } = lane(name, host);
    this.element = element;
    this.state = state;
    this.line = line;
    this.board = new Board(host, { label: `Board of ${name}`, mode: "view", blankZeros: true });
    this.board.setGrid(Grid.blank(game.rows, game.cols));
    this.turn = 0;
    this.hasBegun = false;
    this.finishedAt = null;
  }

  /** Take the game of the agent; it stays out of sight until the start. @param {Awaited<ReturnType<typeof import("./watched.js").watchAgent>>} run */
  set(run) {
    this.run = run;
    this.line.textContent = "Ready.";
  }

  get isDone() {
    return this.hasBegun && this.turn >= this.run.stops.length - 1;
  }

  /** Take one turn. @param {number} seconds since the start */
  async step(seconds) {
    if (this.isDone) return;
    this.turn += 1;
    if (this.isDone) this.finishedAt = seconds;
    await this.#show();
  }

  /** Begin with the opening that everybody shares. */
  async start() {
    this.hasBegun = true;
    this.turn = 0;
    this.finishedAt = this.isDone ? 0 : null;
    await this.#show();
  }

  async #show() {
    const { positions, stops, words, status } = this.run;
    const { grid, flagsWrong, exploded } = await positions.at(stops[this.turn]);
    this.board.setGrid(grid);
    this.board.setLayers({ flagsWrong, exploded });
    this.line.textContent = this.turn ? words[this.turn] : "Go.";
    clear(this.state, this.isDone ? badge(status, STATES[status]) : h("small", { class: "quiet" }, `turn ${this.turn}`));
  }

  /** How it went. */
  get result() {
    const status = this.isDone ? this.run.status : "–";
    return { name: this.name, status, guesses: this.run.guesses, turns: this.turn, seconds: this.finishedAt };
  }

  leave() {
    this.board.destroy();
  }
}

/** The player's lane. */
export class OwnLane {
  /** @param {import("./games.js").GameId} game @param {{onEnd: () => void}} listeners */
  constructor(game, { onEnd }) {
    this.name = "You";
    this.game = game;
    this.finishedAt = null;
    this.table = new PlayBoard({ label: "Your board", onChange: () => this.#onChange(onEnd), onRefusal: (text) => (this.line.textContent = text) });
    const { element, state, line } = lane("You", this.table.host);
    this.element = element;
    this.state = state;
    this.line = line;
    this.element.classList.add("own");
    this.flags = button({ label: "Flags", icon: "flag", action: "flagging", title: FLAG_MODE, onclick: () => this.toggleFlagging() });
    this.element.append(h("div", { class: "row" }, this.flags));
    this.board = this.table.board;
    this.board.setGrid(Grid.blank(game.rows, game.cols));
    this.line.textContent = "Press Start. The first cell is opened for everyone.";
  }

  /** Begin. @param {import("./games.js").Move[]} moves @param {() => number} now seconds since the start */
  start(moves, now) {
    this.now = now;
    this.finishedAt = null;
    this.table.open(this.game, moves.map((move) => ({ ...move })));
    this.line.textContent = "Go.";
    this.element.scrollIntoView({ block: "nearest" });
    this.board.focus();
  }

  /** Make a move on the cell that is meant. @param {"flag"|"chord"} action */
  move(action) {
    if (this.table.session) this.table.move(action, this.board.target.index);
  }

  /** Let a tap put flags, or reveal again. */
  toggleFlagging() {
    this.table.isFlagging = !this.table.isFlagging;
    this.flags.setAttribute("aria-pressed", String(this.table.isFlagging));
  }

  #onChange(onEnd) {
    const { session } = this.table;
    if (!session) return;
    const left = h("small", { class: "quiet" }, `traps left ${session.counter}`);
    clear(this.state, session.isOver ? badge(session.status, STATES[session.status]) : left);
    if (!session.isOver || !session.isSettled || this.finishedAt !== null) return;
    this.finishedAt = this.now();
    this.line.textContent = `${session.status === "won" ? "Won" : "Lost"} after ${clock(this.finishedAt)}.`;
    onEnd();
  }

  get isDone() {
    return this.finishedAt !== null;
  }

  /** How it went. */
  get result() {
    const { session } = this.table;
    return { name: "You", status: this.isDone ? session.status : "–", guesses: null, turns: session?.moves.length ?? 0, seconds: this.finishedAt };
  }

  leave() {
    this.table.leave();
    this.board.destroy();
  }
}
