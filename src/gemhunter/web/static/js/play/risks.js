// Risks in a game, shown when the player asks for them: the layer, the legend and the risk of the cell under the pointer.
import { isAbort, whenBack } from "../api.js";
import { clear, h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { card, prose } from "../widgets.js";
import { percent } from "../words.js";
import { follow } from "./requests.js";

/** The risks of one game view. */
export class GameRisks {
  /** @param {import("./playboard.js").PlayBoard} table @param {{onHelp: () => void}} listeners `onHelp` is called when risks are requested */
  constructor(table, { onHelp }) {
    this.table = table;
    this.onHelp = onHelp;
    this.isOn = false;
    this.state = h("p", { class: "quiet", "aria-live": "polite" });
    this.cell = h("p", { class: "play-risk-cell" });
    const scale = h("div", { class: "play-risk-scale", "aria-hidden": "true" });
    this.element = card("Risks", { class: "play-risks" }, scale, scaleWords(), this.cell, this.state);
    this.element.hidden = true;
  }

  /** Show or hide risks. @param {boolean} [isOn] */
  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    this.element.hidden = !isOn;
    this.asked = null;
    this.refresh();
  }

  /** Ask for the risks of the present position, if they are on. */
  async refresh() {
    const { session, board } = this.table;
    if (!this.isOn || session.isOver) return this.#none("");
    if (session.isFirstSafe) {
      this.leaving?.abort();
      this.known = new Float32Array(session.grid.size);
      board.setLayers({ risk: this.known });
      return this.#say("The first cell is never a trap.");
    }
    if (!session.isSettled || this.asked === session.record) return;
    this.asked = session.record;
    this.leaving?.abort();
    const mine = (this.leaving = new AbortController());
    this.onHelp();
    this.#say("Computing risks…");
    try {
      const found = await follow("play/risks", session.body, { signal: mine.signal, onNote: (note) => this.#say(note) });
      if (!mine.signal.aborted) this.#show(found);
    } catch (error) {
      if (isAbort(error)) return;
      this.asked = null;
      this.#none(error.message);
      whenBack()?.then(() => this.refresh());
    }
  }

  #none(text) {
    this.leaving?.abort();
    if (this.table.board.layers.risk) this.table.board.setLayers({ risk: null });
    this.#say(text);
  }

  #show({ risk, gap }) {
    const { flags } = this.table.session.grid;
    this.known = Float32Array.from(risk.flat(), (value) => value ?? NaN);
    const layer = this.known.map((value, index) => (flags[index] ? NaN : value));
    this.table.board.setLayers({ risk: layer });
    this.#say(gap ? `Not all risks are known: ${gap}.` : "");
    this.point(this.table.board.cursor);
  }

  #say(text) {
    clear(this.state, text && prose(text));
    this.state.hidden = !text;
  }

  /** Say the risk of a cell. @param {{index: number}|null} cell */
  point(cell) {
    if (!this.isOn || !cell) return;
    const { board } = this.table;
    const risk = board.layers.risk ? this.known?.[cell.index] : undefined;
    const name = board.grid.cellName(cell.index);
    const isKnown = board.grid.cells[cell.index] === HIDDEN && risk !== undefined;
    if (isKnown) clear(this.cell, h("strong", {}, `${name}: `), riskWords(risk));
    else clear(this.cell, h("span", { class: "quiet" }, "Point at a hidden cell."));
  }

  /** Stop asking. */
  leave() {
    this.leaving?.abort();
  }
}

function riskWords(risk) {
  if (Number.isNaN(risk)) return "risk not known";
  if (risk <= 0) return "cannot be a trap";
  return risk >= 1 ? "must be a trap" : `risk ${percent(risk)}`;
}

function scaleWords() {
  return h("div", { class: "row between quiet play-risk-words" }, h("small", {}, "0 safe"), h("small", {}, "50 %"), h("small", {}, "100 trap"));
}
