// The card to browse the solutions of the board.
import { ask } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { button, card, notice, working } from "../widgets.js";
import { Latest } from "./latest.js";
import { shortened } from "./words.js";

const MOST = 50;

/** Lists solutions when asked for, and shows one of them. */
export class SolutionsCard {
  /** @param {{grid: () => Grid, onShow: (solution: Grid|null) => void, announce: (text: string) => void}} options */
  constructor({ grid, onShow, announce }) {
    this.options = { grid, onShow, announce };
    this.body = h("div", { class: "column" });
    this.close = button({ label: "Back to the board", kind: "quiet", onclick: () => this.leave() });
    this.element = card("Solutions", { tools: [this.close] }, this.body);
    this.latest = new Latest({
      ask: (question, signal) => ask("solutions", { ...question.toBody(), most: MOST }, { signal }),
      onSlow: () => clear(this.body, working()),
      onAnswer: (answer) => this.#take(answer),
      onError: (error) => clear(this.body, notice(error.message, { retry: () => this.open() })),
    });
    this.setAnswer(null);
  }

  /** Switch to another board: the answer of analyse, or null until it arrives. @param {any} answer */
  setAnswer(answer) {
    this.latest.cancel();
    this.count = answer?.count ?? null;
    this.isSolvable = answer?.verdict === "solved";
    this.listed = null;
    this.leave();
  }

  /** Show the board again. */
  leave() {
    this.at = -1;
    this.latest.cancel();
    this.options.onShow(null);
    this.#render();
  }

  /** Ask for the solutions, or show the first of those known. */
  open() {
    if (!this.isSolvable) return;
    if (this.listed) this.#show(0);
    else this.latest.request(this.options.grid());
  }

  /** Whether a solution is shown. */
  get isOpen() {
    return this.at >= 0;
  }

  /** Go to the next solution or the previous one. @param {number} step */
  flip(step) {
    if (!this.isOpen) this.open();
    else this.#show((this.at + step + this.listed.grids.length) % this.listed.grids.length);
  }

  #take({ solutions, complete, gave_up: reason }) {
    if (!solutions.length) {
      clear(this.body, notice(reason ? `no solution was found in time: ${reason}` : "there is no solution", { kind: "warn" }));
      return;
    }
    this.listed = { grids: solutions.map((rows) => Grid.fromRows(rows)), complete };
    this.#show(0);
  }

  #show(at) {
    this.at = at;
    this.options.onShow(this.listed.grids[at]);
    this.#render();
    this.options.announce(`Solution ${this.#place()}`);
  }

  #place() {
    const { grids, complete } = this.listed;
    if (complete) return `${this.at + 1} of ${grids.length}`;
    return `${this.at + 1} of the first ${grids.length}${this.count ? ` of ${shortened(this.count)}` : ""}`;
  }

  #render() {
    this.element.hidden = !this.isSolvable;
    this.close.hidden = !this.isOpen;
    if (!this.isOpen) {
      const label = this.count === "1" ? "Show the solution" : "Browse solutions";
      clear(this.body, button({ label, icon: "eye", action: "next", onclick: () => this.open() }));
      return;
    }
    const isAlone = this.listed.grids.length === 1;
    if (isAlone && this.listed.complete) {
      clear(this.body, h("p", {}, "The board shows the only solution."));
      return;
    }
    clear(this.body, h("div", { class: "analyse-flip" },
      button({ label: "Previous solution", icon: "left", action: "back", compact: true, disabled: isAlone, onclick: () => this.flip(-1) }),
      h("strong", {}, this.#place()),
      button({ label: "Next solution", icon: "right", action: "next", compact: true, disabled: isAlone, onclick: () => this.flip(1) })));
  }
}
