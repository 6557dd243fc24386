// Mode Watch: what an engine does on a board, event by event.
import { clear, h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { load, save } from "../store.js";
import { badge, button, card } from "../widgets.js";
import { cellsIn, counted } from "../words.js";
import { cellsOf, clauseChips, clauseWords, literalOf, pointing, sentence } from "./cell-text.js";
import { aboutEngine, EngineForm, engineName, paramsOfChoice, choiceOf } from "./engine-form.js";
import { FitnessChart } from "./fitness.js";
import { openGraph } from "./graph.js";
import { Loading } from "./loading.js";
import { Player } from "./player.js";
import { Replay } from "./replay.js";
import { Rows } from "./rows.js";
import { generationLayers, searchLayers } from "./watch-layers.js";

const ROW_HEIGHT = 30;
const SPEEDS = { least: 0.5, most: 100, start: 3 };
/** Where playing can stop; only those whose events occur in the search are offered. */
const BREAKPOINTS = {
  conflicts: { label: "conflicts", title: "Stop where a clause or a clue cannot hold", events: ["conflict", "broken"] },
  learned: { label: "learned", title: "Stop at learned clauses", events: ["learn"] },
  decisions: { label: "decisions", title: "Stop at decisions", events: ["decide"] },
  marks: { label: "marked cells", title: "Stop where a cell is decided", events: ["mark"] },
  rounds: { label: "rounds", title: "Stop where a round of matching begins", events: ["match"] },
};
const WHOLE_BOARDS = "Hatched cells differ from the step before; crossed-out clues do not hold.";
const LEGENDS = {
  "brute-force": WHOLE_BOARDS,
  "local-search": WHOLE_BOARDS,
  genetic: WHOLE_BOARDS,
  resolution: "Marked cells have a sign; the cells of the clauses at work are outlined.",
  search: "Hatched: decided (D) or flipped (F). Plain: implied. P: pure. The small number is the decision level.",
};

/** The player of traces. */
export class Watch {
  /** @param {{app: any, stage: import("./stage.js").Stage, onChange: (isNew: boolean) => void}} context */
  constructor({ app, stage, onChange }) {
    this.app = app;
    this.stage = stage;
    this.onChange = onChange;
    this.events = [];
    this.choice = choiceOf({}, app.about);
    /** The cell that the line below the board is about. @type {import("../grid.js").Cell|null} */
    this.chosen = null;
    this.stops = new Set(load("understand.breakpoints", 1, []));
    this.loading = new Loading();
    this.form = new EngineForm(app.about, (choice) => this.#runNew(choice));
    this.player = new Player({
      name: "watch", label: "Search", noun: "step", speeds: SPEEDS, onGo: (index, how) => this.#onGo(index, how), stopsAt: (index) => this.#stopsAt(index),
    });
    this.rows = new Rows({
      label: "Steps of the search", height: ROW_HEIGHT, onPick: (index) => this.player.goByHand(index),
      draw: (index) => eventRow(this.events[index], this.sentences[index], index),
    });
    this.chart = new FitnessChart((index) => this.player.goByHand(index));
    app.theme.onChange(() => this.chart.draw());
    this.#build();
  }

  #build() {
    this.breakpoints = h("div", { class: "understand-stops", role: "group", "aria-label": "Stop at" });
    this.text = h("div", { class: "understand-now understand-event-now", role: "group", tabindex: "0", "aria-label": "This step" });
    this.facts = h("dl", { class: "understand-facts" });
    this.ending = h("header", { class: "card-head" });
    this.content = h("div", { class: "column understand-content" },
      card(null, { class: "understand-player-card watch" }, this.player.element, this.breakpoints, this.facts, this.chart.element, this.text),
      h("section", { class: "card understand-list", "aria-label": "All steps of the search" }, this.ending, this.rows.element));
    /** What stands above the board. */
    this.above = this.form.element;
    this.element = h("div", { class: "column understand-mode" }, this.loading.element, this.content);
  }

  /** The parameters of the route for a board. @param {import("../grid.js").Grid} grid */
  params(grid) {
    const hasStep = this.events.length > 0 && grid.equals(this.grid);
    return { ...paramsOfChoice(this.choice), s: hasStep ? this.player.index + 1 : null };
  }

  /** Show a board. @param {import("../grid.js").Grid} grid @param {Record<string, string>} params */
  async open(grid, params) {
    const choice = params.e ? choiceOf(params, this.app.about) : this.choice;
    const isSame = this.events.length > 0 && grid.equals(this.grid) && JSON.stringify(choice) === JSON.stringify(this.choice);
    this.grid = grid;
    this.choice = choice;
    this.form.set(choice);
    this.#explain();
    if (isSame) this.player.setLength(this.events.length, Number(params.s || 1) - 1);
    else await this.#run(Number(params.s || 1) - 1);
  }

  /** Stop playing and asking. */
  close() {
    this.player.pause();
    this.loading.abort();
  }

  #explain() {
    this.chosen = null;
    this.stage.say(`${aboutEngine(this.choice.engine, this.app.about.engines)} ${LEGENDS[this.choice.engine] ?? LEGENDS.search}`);
  }

  async #runNew(choice) {
    this.choice = choice;
    this.events = [];
    this.#explain();
    this.onChange(true);
    await this.#run(0);
  }

  get #body() {
    return { ...this.grid.toBody(), engine: engineName(this.choice), seed: this.choice.seed };
  }

  async #run(index) {
    const { grid, choice } = this;
    this.player.pause();
    this.events = [];
    this.rows.setLength(0);
    this.content.hidden = true;
    this.stage.show({});
    const record = await this.loading.ask("trace", { ...this.#body, most: choice.most }, {
      text: "Searching…", again: () => this.#run(index),
      // The server refuses a board with a clue that cannot hold on its own, and names the clue.
      onError: (text) => this.stage.show({ broken: cellsIn(text) }),
    });
    if (!record || grid !== this.grid || choice !== this.choice) return;
    this.#start(record, index);
  }

  #start({ events, sentences, complete }, index) {
    const { engine } = this.choice;
    const isGenetic = engine === "genetic";
    this.events = events;
    this.sentences = sentences;
    this.replay = new Replay(events, this.grid);
    this.hidden = this.grid.cells.reduce((count, code) => count + (code === HIDDEN ? 1 : 0), 0);
    this.content.hidden = false;
    this.chart.element.hidden = !isGenetic;
    const generations = events.filter(({ event }) => event === "generation");
    this.chart.setValues(generations.map(({ fitness }) => fitness), generations[0]?.clauses ?? 0);
    this.#showBreakpoints();
    this.#showEnding(complete);
    this.rows.setLength(events.length);
    this.player.setLength(events.length, index);
    if (!events.length) this.#showNothing();
  }

  #showNothing() {
    clear(this.text, h("p", {}, "The search ended before its first step."));
    showFacts(this.facts, []);
  }

  #showEnding(isComplete) {
    const steps = counted(this.events.length, "step");
    const isFull = !isComplete && this.events.length >= this.choice.most;
    const more = () => this.#runNew({ ...this.choice, most: this.app.about.trace_steps });
    clear(this.ending, h("h2", {}, "Steps"), h("div", { class: "row" },
      isComplete ? h("span", { class: "quiet" }, steps) : badge(isFull ? `only the first ${steps}` : `time ran out after ${steps}`, "warn"),
      isFull && this.choice.most < this.app.about.trace_steps && button({ label: "List more", kind: "quiet", title: `List up to ${counted(this.app.about.trace_steps, "step")}`, onclick: more })));
  }

  #showBreakpoints() {
    const kinds = new Set(this.events.map(({ event }) => event));
    const shown = Object.entries(BREAKPOINTS).filter(([, { events }]) => events.some((event) => kinds.has(event)));
    this.breakpoints.hidden = !shown.length;
    clear(this.breakpoints, h("span", { class: "label" }, "Stop at"), shown.map(([name, { label, title }]) => {
      const box = h("input", { type: "checkbox", checked: this.stops.has(name), onchange: () => this.#setStop(name, box.checked) });
      return h("label", { class: "check", title }, box, label);
    }));
  }

  #setStop(name, isOn) {
    if (isOn) this.stops.add(name);
    else this.stops.delete(name);
    save("understand.breakpoints", 1, [...this.stops]);
  }

  #stopsAt(index) {
    const { event } = this.events[index];
    return [...this.stops].some((name) => BREAKPOINTS[name]?.events.includes(event));
  }

  #onGo(index, how) {
    this.rows.setCurrent(index);
    const literal = this.events[index].literal && literalOf(this.events[index].literal);
    if (literal && how !== "fast") this.stage.reveal([literal.cell]);
    if (this.choice.engine === "genetic") this.#drawGeneration(index);
    else this.#drawSearch(index);
    if (this.chosen) this.#sayChosen();
    if (how === "hand" || how === "slow") this.onChange(false);
    if (how === "hand") this.app.announce(this.sentences[index]);
  }

  #drawSearch(index) {
    const event = this.events[index];
    this.state = this.replay.after(index);
    this.stage.show(searchLayers(this.grid, this.state, event, this.replay.hasLevels));
    showFacts(this.facts, searchFacts(this.state, this.hidden, this.replay.hasLevels));
    clear(this.text, eventView(event, this.sentences[index], { point: this.stage.point, state: this.state, onGraph: this.#learned && (() => this.#openGraph()) }));
  }

  #drawGeneration(index) {
    const isEnd = !this.events[index].best;
    const shown = isEnd ? index - 1 : index;
    const event = this.events[shown];
    this.chart.setCurrent(Math.max(0, shown));
    clear(this.text, h("p", { class: "understand-sentence" }, this.sentences[index]));
    if (!event?.best) return;
    const layers = generationLayers(this.grid, event.best, isEnd ? null : (this.events[shown - 1]?.best ?? null));
    this.stage.show(layers);
    showFacts(this.facts, [
      ["Generation", event.number.toLocaleString("en")], ["Clauses hold", `${event.fitness} of ${event.clauses}`],
      ["Clues violated", String(layers.broken.length)], ["Cells changed", String(layers.newTraps.length + layers.newGems.length)],
    ]);
  }

  /** The clause that is learned at this step, or from the conflict of this step; null if there is none. */
  get #learned() {
    const { index } = this.player;
    const learned = this.state.counts.Learned;
    const [event, next] = [this.events[index], this.events[index + 1]];
    if (event?.event === "learn") return { ...event, number: learned };
    return event?.event === "conflict" && next?.event === "learn" ? { ...next, number: learned + 1 } : null;
  }

  #openGraph() {
    if (this.choice.engine === "genetic" || !this.#learned) return;
    const { number, clause, scheme } = this.#learned;
    this.player.pause();
    openGraph(this.#body, number, clauseWords(clause), scheme);
  }

  /** Choose a cell; the line below the board then says which value it has at each step. @param {import("../grid.js").Cell} cell */
  choose(cell) {
    if (this.choice.engine === "genetic" || !this.events.length) return;
    this.chosen = cell;
    this.#sayChosen();
  }

  #sayChosen() {
    const name = this.grid.cellName(this.chosen.index);
    const found = this.state.trail.find(({ index }) => index === this.chosen.index);
    if (!found) return this.stage.say(`${name} has no value at this step.`);
    const how = { decide: "decided", flip: "flipped", pure: "pure", forced: "forced by a clue", mark: "marked", changed: "tried", kept: "tried" }[found.kind] ?? "implied";
    const text = `${name} is a ${found.isTrap ? "trap" : "gem"}: ${how}${this.replay.hasLevels ? ` at level ${found.level}` : ""}. `;
    this.stage.say(text, button({ label: `Step ${(found.event + 1).toLocaleString("en")}`, kind: "quiet", onclick: () => this.player.goByHand(found.event) }));
  }

  /** What keys do. */
  get uses() {
    if (!this.events.length) return {};
    return { ...this.player.uses, graph: () => this.#openGraph(), ...(this.chosen && { leave: () => this.#explain() }) };
  }
}

// What mode Watch says about one event: its sentence, its clauses as chips, and the numbers so far.

/** The styles of sentences, by the event. */
const TONES = {
  conflict: "bad", broken: "bad", "no solution": "bad", learn: "info", decide: "strong", flip: "strong", match: "strong",
  solved: "good", stuck: "warn", "too deep": "warn", "gave up": "warn",
};

/** @typedef {import("./cell-text.js").Point} Point */

/** A row of the list of events. @param {any} event @param {string} text @param {number} index */
function eventRow(event, text, index) {
  const number = h("span", { class: "understand-number" }, (index + 1).toLocaleString("en"));
  return { class: `understand-event ${TONES[event.event] ?? ""}`, title: text, children: [number, h("span", { class: "understand-event-line" }, text)] };
}

/**
 * The numbers of a search so far.
 * @param {import("./replay.js").SearchState} state @param {number} hidden how many cells are hidden @param {boolean} hasLevels
 * @returns {[string, string][]}
 */
function searchFacts(state, hidden, hasLevels) {
  const cells = state.trail.reduce((count, { index }) => count + (index >= 0 ? 1 : 0), 0);
  /** @type {[string, string][]} */
  const facts = hasLevels ? [["Level", String(state.level)]] : [];
  facts.push(["Cells", `${cells.toLocaleString("en")} of ${hidden.toLocaleString("en")}`]);
  for (const [label, count] of Object.entries(state.counts)) facts.push([label, count.toLocaleString("en")]);
  return facts;
}

/** Show numbers in a row of small boxes. @param {HTMLElement} host @param {[string, string][]} facts */
function showFacts(host, facts) {
  // Only texts change while playing, so that a hundred steps per second stay smooth.
  if (host.children.length === facts.length && facts.every(([label], at) => host.children[at].getAttribute("data-label") === label)) {
    facts.forEach(([, value], at) => (host.children[at].lastChild.textContent = value));
    return;
  }
  clear(host, facts.map(([label, value]) => h("div", { dataset: { label } }, h("dt", {}, label), h("dd", {}, value))));
}

/**
 * An event: its sentence, and its clauses as chips.
 * @param {any} event @param {string} text @param {{point: Point, state: import("./replay.js").SearchState, onGraph: (() => void)|null}} context `onGraph`: opens the implication graph, if there is one
 */
function eventView(event, text, { point, state, onGraph }) {
  return [h("p", { class: `understand-sentence ${TONES[event.event] ?? ""}` }, sentence(text, point)), details(event, { point, state, onGraph })];
}

function details(event, { point, state, onGraph }) {
  const line = (label, clause) => h("div", { class: "understand-labelled" }, h("span", { class: "label" }, label), clauseChips(clause, point));
  const taken = state.undone ? `This undoes ${counted(state.undone, "cell")}.` : "";
  const graph = onGraph && button({ label: "Implication graph", icon: "eye", action: "graph", onclick: onGraph });
  switch (event.event) {
    case "conflict":
      return [line("False clause", event.clause), graph];
    case "learn":
      return [
        pointing(h("p", {}, `${clauseWords(event.clause)} ${taken}`), cellsOf(event.clause), point),
        graph,
      ];
    case "resolve":
      return [line("Parents", event.left), line("", event.right), line("Resolvent", event.resolvent)];
    case "subsume":
      return [line("Removed", event.removed), line("Implied by", event.kept)];
    case "simplify":
      return [line("Before", event.before), line("After", event.after)];
    default:
      return taken && h("p", { class: "quiet" }, taken);
  }
}
