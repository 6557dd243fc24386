// The card with the best move, for players in the middle of a game.
import { ask } from "../api.js";
import { clear, h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { button, card, facts, notice, table, working } from "../widgets.js";
import { percent, sentence } from "../words.js";
import { Latest } from "./latest.js";
import { cellLinks } from "./verdict.js";

const MOST_OTHERS = 5;

/** Asks for advice: at once if something is known or assumed about the number of traps, else when the user wants it. */
export class AdviceCard {
  /** @param {{grid: () => import("../grid.js").Grid, question: () => any, usual: number, onAssume: () => void, onAdvice: (advice: any) => void, onCell: (name: string) => void}} options */
  constructor({ grid, question, usual, onAssume, onAdvice, onCell }) {
    this.options = { grid, question, usual, onAssume, onAdvice, onCell };
    this.body = h("div", { class: "column" });
    this.element = card("Best move", {}, this.body);
    this.latest = new Latest({
      ask: (question, signal) => ask("advise", question, { signal }),
      onSlow: () => clear(this.body, working()),
      onAnswer: (advice) => this.#show(advice),
      onError: (error) => clear(this.body, notice(error.message, { retry: () => this.ask() })),
    });
    this.setAnswer(null);
  }

  /** Switch to another board: the answer of analyse, or null until it arrives. @param {any} answer */
  setAnswer(answer) {
    this.latest.cancel();
    this.options.onAdvice(null);
    this.element.hidden = answer?.verdict !== "solved" || !this.options.grid().cells.includes(HIDDEN);
    clear(this.body, this.#offer());
    this.isReady = answer !== null && (answer.traps !== null || answer.density !== null);
    if (this.isReady) this.ask();
  }

  /** Ask; if nothing is assumed about the number of traps, assume the usual density first, which asks again. */
  ask() {
    if (this.element.hidden) return;
    if (this.isReady) this.latest.request(this.options.question());
    else this.options.onAssume();
  }

  cancel() {
    this.latest.cancel();
  }

  #offer() {
    return [
      h("p", { class: "quiet" }, `The number of traps is unknown. To suggest a move, Gem Hunter assumes that ${percent(this.options.usual)} of the cells are traps; the risks on the board then assume this too.`),
      button({ label: "Suggest a move", icon: "bulb", action: "hint", onclick: () => this.ask() }),
    ];
  }

  #show(advice) {
    this.options.onAdvice(advice);
    if (advice.verdict !== "advised") {
      clear(this.body, notice(advice.reason ?? "there is no advice", { kind: "warn" }));
      return;
    }
    if (!advice.best) {
      clear(this.body, h("p", {}, "Every hidden cell is a trap: there is nothing to open."));
      return;
    }
    clear(this.body, h("p", {}, cellLinks(`Open ${advice.best}: ${advice.why}.`, this.options.onCell)), this.#facts(advice), this.#others(advice), this.#notes(advice));
  }

  #facts(advice) {
    const pairs = [["Risk", percent(advice.risk)]];
    if (advice.win_chance !== null) pairs.push(["Chance of winning", percent(advice.win_chance)]);
    return facts(pairs);
  }

  #others(advice) {
    const others = advice.runners_up.slice(0, MOST_OTHERS);
    if (!others.length) return null;
    const hasChance = others.some((other) => other.win_chance !== null);
    const chance = (other) => (other.win_chance === null ? "" : percent(other.win_chance));
    const rows = others.map((other) => [cellLinks(other.cell, this.options.onCell), percent(other.risk), ...(hasChance ? [chance(other)] : [])]);
    return table(["Next best", "Risk", ...(hasChance ? ["Chance of winning"] : [])], rows, { numeric: [1, 2] });
  }

  #notes(advice) {
    const others = advice.at_other_densities.map(({ density, best }) => `at ${percent(density)}, ${best === advice.best ? "the same cell" : best} would be best`);
    return [
      advice.wrong_flags.length > 0 && notice(`Wrong flags: ${advice.wrong_flags.join(", ")}. These cells are gems.`, { kind: "warn" }),
      h("p", { class: "quiet" }, h("small", {}, cellLinks(sentence([advice.assumption, ...others].join("; ")), this.options.onCell))),
    ];
  }
}
