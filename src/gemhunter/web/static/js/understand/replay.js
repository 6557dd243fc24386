// The state of a search after each of its events, rebuilt from the events; checkpoints make going back quick.
import { HIDDEN } from "../grid.js";
import { literalOf } from "./cell-text.js";

const BETWEEN_CHECKPOINTS = 200;
/** Which count an event adds to, as people read it. */
const COUNTED = {
  decide: "Decisions", imply: "Implications", forced: "Forced", mark: "Marked", conflict: "Conflicts", broken: "Conflicts",
  learn: "Learned", resolve: "Resolvents", subsume: "Subsumed", try: "Attempts", walk: "Flips",
};

/**
 * @typedef {{index: number, isTrap: boolean, kind: string, level: number, event: number}} Assignment `index` is −1 for an auxiliary variable
 * @typedef {{level: number, trail: Assignment[], counts: Record<string, number>, undone: number}} SearchState `undone`: how many cells the last event took back
 */

/** The state before the first event: nothing has a value, and every count is 0. @param {any[]} events @returns {SearchState} */
function emptyState(events) {
  const kinds = new Set(events.map(({ event }) => event));
  const counts = Object.entries(COUNTED).filter(([event]) => kinds.has(event)).map(([, count]) => [count, 0]);
  return { level: 0, trail: [], undone: 0, counts: Object.fromEntries(counts) };
}

function copyOf(state) {
  return { ...state, trail: state.trail.slice(), counts: { ...state.counts } };
}

/** Goes to any event of a trace. */
export class Replay {
  /** @param {any[]} events @param {import("../grid.js").Grid} grid */
  constructor(events, grid) {
    this.events = events;
    this.grid = grid;
    /** @type {SearchState[]} the states before events 0, 200, 400, … */
    this.checkpoints = [emptyState(events)];
    this.state = emptyState(events);
    /** Whether the search has decision levels. */
    this.hasLevels = events.some(({ event }) => event === "decide" || event === "flip" || event === "imply");
    this.done = 0;
  }

  /** The state after event `index`. It changes with the next call. @param {number} index @returns {SearchState} */
  after(index) {
    const target = index + 1;
    const nearest = Math.min(Math.floor(target / BETWEEN_CHECKPOINTS), this.checkpoints.length - 1);
    if (target < this.done || nearest * BETWEEN_CHECKPOINTS > this.done) {
      this.state = copyOf(this.checkpoints[nearest]);
      this.done = nearest * BETWEEN_CHECKPOINTS;
    }
    while (this.done < target) {
      this.#apply(this.done);
      this.done += 1;
      if (this.done === this.checkpoints.length * BETWEEN_CHECKPOINTS) this.checkpoints.push(copyOf(this.state));
    }
    return this.state;
  }

  #apply(number) {
    const { state } = this;
    const event = this.events[number];
    const count = COUNTED[event.event];
    if (count) state.counts[count] += 1;
    state.undone = 0;
    switch (event.event) {
      case "decide":
        state.level = event.level;
        return this.#assign(event.literal, "decide", number);
      case "flip":
        this.#undo(event.level - 1);
        state.level = event.level;
        return this.#assign(event.literal, "flip", number);
      case "imply": case "pure": case "forced": case "mark":
        return this.#assign(event.literal, event.event, number);
      case "learn": case "restart":
        return this.#undo(event.level);
      case "try": case "start":
        return this.#fill(event.literals, number);
      case "walk":
        return this.#fill([event.literal], number);
    }
  }

  // Give hidden cells these values; all other cells keep theirs. Assignments are never changed, as checkpoints share them.
  #fill(names, event) {
    const { state, grid } = this;
    const isFirst = !state.trail.some(({ kind }) => kind === "changed" || kind === "kept");
    const values = new Map(state.trail.map((old) => [old.index, old.kind === "changed" ? { ...old, kind: "kept" } : old]));
    for (const name of names) {
      const literal = literalOf(name);
      const index = literal ? grid.named(literal.cell).index : -1;
      if (index < 0 || grid.cells[index] !== HIDDEN || values.get(index)?.isTrap === literal.isTrap) continue;
      values.set(index, { index, isTrap: literal.isTrap, kind: isFirst ? "kept" : "changed", level: state.level, event });
    }
    state.trail = [...values.values()];
  }

  #assign(name, kind, event) {
    const literal = literalOf(name);
    const index = literal ? this.grid.named(literal.cell).index : -1;
    this.state.trail.push({ index, isTrap: Boolean(literal?.isTrap), kind, level: this.state.level, event });
  }

  #undo(level) {
    const { state } = this;
    while (state.trail.length && state.trail.at(-1).level > level) {
      if (state.trail.pop().index >= 0) state.undone += 1;
    }
    state.level = Math.min(state.level, level);
  }
}
