// The tab Compare: boards and engines chosen at one side, what they come to at the other.
import { isAbort, stream } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { boardOfAnalyse, formatRoute, linkTo, replaceRoute } from "../route.js";
import { bringIntoView, sayIfHidden } from "../make/stage.js";
import { load, save } from "../store.js";
import { button, copyAndSay, emptyState, field, notice } from "../widgets.js";
import { BoardsCard } from "./boards.js";
import { choiceOfParams, emptyChoice, paramsOfChoice, QUICK_ENGINES, QUICK_SAMPLES } from "./choice.js";
import { EnginesCard } from "./engines.js";
import { counted, roughly } from "./format.js";
import { openReport } from "./report.js";
import { ResultsView } from "./results.js";

/** @type {[string, number]} */
const STORED = ["compare.results", 1];
const QUICK = { s: QUICK_SAMPLES.map((name) => name.slice(7)).join("|"), e: QUICK_ENGINES.join("|") };

/** Runs of each engine on each board in a report. */
const REPORT_RUNS = 3;

/** The state of the tab and its elements. */
class CompareTab {
  constructor(root, app) {
    this.app = app;
    this.choice = emptyChoice();
    this.route = null;
    this.running = null;
    /** @type {Record<string, HTMLInputElement>} */
    this.inputs = {};
    const changed = () => this.#changed();
    this.boards = new BoardsCard(app, () => this.choice, changed);
    this.engines = new EnginesCard(app, () => this.choice, changed, this.#numbers());
    this.stage = h("div", { class: "stage" });
    this.side = h("div", { class: "side" }, this.boards.element, this.engines.element, this.#startCard());
    root.append(h("div", { class: "workspace compare-space" }, this.side, this.stage));
  }

  #numbers() {
    const number = (label, name, props) => {
      const input = h("input", { type: "number", inputmode: "decimal", ...props, onchange: () => this.#setNumber(name, input) });
      this.inputs[name] = input;
      return field(label, input);
    };
    return h("div", { class: "fields" }, number("Runs per engine", "runs", { min: 1, max: 10, step: 1 }), number("Seconds per run", "seconds", { min: 0.1, max: 60, step: "any" }));
  }

  #startCard() {
    this.start = button({ label: "Compare", icon: "play", kind: "primary", onclick: () => this.run() });
    this.most = h("small", { class: "quiet" });
    this.said = h("div", { class: "compare-said" });
    const link = () => copyAndSay(linkTo("compare", paramsOfChoice(this.choice)), "Link copied");
    return h("section", { class: "card compare-start", "aria-label": "Start" }, this.said,
      h("div", { class: "row" }, this.start, button({ label: "Copy link", icon: "link", kind: "quiet", title: "Copy a link to these boards and engines", onclick: link })), this.most);
  }

  #setNumber(name, input) {
    const value = Math.min(Math.max(Number(input.value) || 1, Number(input.min)), Number(input.max));
    this.choice[name] = name === "runs" ? Math.round(value) : value;
    this.#changed();
  }

  #changed() {
    const params = paramsOfChoice(this.choice);
    this.route = formatRoute("compare", params);
    replaceRoute("compare", params);
    clear(this.said);
    this.#refresh();
  }

  #refresh() {
    const { boards, engines, runs, seconds } = this.choice;
    const number = boards.length * engines.length * runs;
    this.inputs.runs.value = String(runs);
    this.inputs.seconds.value = String(seconds);
    this.start.disabled = !number || this.running !== null;
    clear(this.most, number ? `${counted(number, "run")}, at most ${roughly(number * seconds)}` : "Choose at least one board and one engine.");
    if (!this.view) this.#introduce();
    this.#markOutdated();
  }

  #markOutdated() {
    this.outdated?.remove();
    this.outdated = null;
    if (!this.view || this.running || formatRoute("compare", this.view.results.params) === this.route) return;
    this.outdated = notice("The choice has changed since these runs. Compare again to bring them up to date.", { kind: "info" });
    this.view.element.prepend(this.outdated);
  }

  /** @param {Record<string, string>} params */
  async show(params) {
    const stored = this.view || this.running ? null : load(...STORED);
    const wanted = Object.keys(params).length || this.view || !stored ? params : stored.params;
    if (this.route === null || (Object.keys(wanted).length && formatRoute("compare", wanted) !== this.route)) await this.#take(wanted);
    if (stored && !this.view && !this.running) this.#present({ ...stored, status: stored.status === "running" ? "stopped" : stored.status });
    this.#refresh();
  }

  async #take(params) {
    const { choice, faults } = await choiceOfParams(params, this.choice, (name) => this.app.sample(name));
    this.choice = choice;
    this.boards.refresh();
    this.engines.refresh();
    this.#changed();
    faults.forEach((fault) => this.boards.say(fault));
  }

  #introduce() {
    this.stage.classList.add("first");
    const { boards, engines } = this.choice;
    const isReady = boards.length > 0 && engines.length > 0;
    clear(this.stage, h("div", { class: "card" }, isReady ? this.#readyState(boards, engines) : this.#emptyState()));
  }

  #readyState(boards, engines) {
    const start = button({ label: "Compare", icon: "play", kind: "primary", onclick: () => this.run() });
    const chosen = `${counted(engines.length, "engine")} and ${counted(boards.length, "board")} are chosen.`;
    return emptyState(`${chosen} Each engine gets its own process, and every answer is checked.`, start);
  }

  #emptyState() {
    const title = `${QUICK_ENGINES.join(", ")} on ${QUICK_SAMPLES.join(", ")}`;
    const label = `Compare ${QUICK_ENGINES.length} engines on ${QUICK_SAMPLES.length} samples`;
    const text = "See which engine is fastest, and where a simple one gets lost: choose boards and engines, or begin with Glucose, CDCL, DPLL and backtracking on three samples. On the largest, backtracking finds no answer in time.";
    const analysed = boardOfAnalyse();
    return emptyState(text, button({ label, icon: "compare", kind: "primary", title, onclick: () => this.#quick() }),
      analysed && button({ label: "Use the board from Analyse", icon: "analyse", onclick: () => this.app.go("compare", { b: analysed }) }));
  }

  async #quick() {
    await this.#take(QUICK);
    await this.run();
  }

  /** Compare what is chosen. */
  async run() {
    const { boards, engines, runs, seconds } = this.choice;
    const listed = boards.map(({ name, grid }) => ({ name, code: grid.code() }));
    const results = { boards: listed, engines: [...engines], runs, seconds, items: [], status: "running", csv: "", params: paramsOfChoice(this.choice) };
    const before = this.view?.results;
    this.running = new AbortController();
    clear(this.said);
    const view = this.#present(results);
    this.#refresh();
    this.app.announce(`Comparing ${counted(engines.length, "engine")} on ${counted(boards.length, "board")}`);
    bringIntoView(this.stage);
    const fault = await this.#follow(view);
    this.running = null;
    if (results.items.length) save(...STORED, results);
    else this.#goBack(before);
    this.#refresh();
    if (fault) clear(this.said, notice(fault.message, fault.code === "bad-request" ? {} : { retry: () => this.run(), byHand: true }));
    else this.#sayEnd(results);
  }

  #sayEnd({ status, items }) {
    const text = `The comparison ${status === "done" ? "is finished" : "was stopped"} after ${counted(items.length, "run")}`;
    this.app.announce(text);
    sayIfHidden(this.stage, text);
  }

  /** Show the runs as they come; the answer is the error that ended them early, or null. */
  async #follow(view) {
    let fault = null;
    try {
      const options = { signal: this.running.signal, onItem: (item) => this.#came(view, item), onProgress: ({ note }) => note && view.show(note) };
      const { csv } = await stream("compare", bodyOf(this.choice.boards, this.choice), options);
      Object.assign(view.results, { csv, status: "done" });
    } catch (error) {
      fault = isAbort(error) ? null : error;
      view.results.status = fault ? "failed" : "stopped";
    }
    view.update();
    return fault;
  }

  /** A comparison without a single run leaves what was shown before. */
  #goBack(before) {
    if (before) return this.#present(before);
    this.view.destroy();
    this.view = null;
    return null;
  }

  #came(view, item) {
    view.add(item);
    const { items } = view.results;
    if (items.length === 1) bringIntoView(this.stage);
    const quarters = (runs) => Math.floor((4 * runs) / view.bar.max);
    const isNews = quarters(items.length) !== quarters(items.length - 1) && items.length < view.bar.max;
    if (isNews) this.app.announce(`${items.length} of ${view.bar.max} runs`);
  }

  #present(results) {
    this.view?.destroy();
    this.stage.classList.remove("first");
    const askReport = () => {
      const boards = results.boards.map(({ name, code }) => ({ name, grid: Grid.fromCode(code) }));
      openReport(bodyOf(boards, results), reportTime(results), this.app.announce);
    };
    const report = button({ label: "HTML report", icon: "print", title: "A page with charts and tables; it measures everything again", onclick: askReport });
    this.view = new ResultsView(results, { onStop: () => this.running?.abort(), tools: [report] });
    clear(this.stage, this.view.element);
    return this.view;
  }
}

/** How long a report may take: about a minute for games and charts, and its runs. @param {import("./summary.js").Results} results */
function reportTime({ boards, engines, seconds }) {
  const most = roughly(boards.length * engines.length * REPORT_RUNS * seconds);
  return `It takes a minute or two, and up to ${most} more if engines reach their time limit.`;
}

/** What the server is asked. @param {{name: string, grid: Grid}[]} boards @param {{engines: string[], runs: number, seconds: number}} how */
function bodyOf(boards, { engines, runs, seconds }) {
  return { boards: boards.map(({ name, grid }) => ({ name, ...grid.toBody() })), engines, runs, seconds };
}

/** @type {CompareTab} */
let tab;

export default {
  title: "Compare",
  mount(root, app) {
    tab = new CompareTab(root, app);
  },
  show: (params) => tab.show(params),
  // A comparison can take minutes; it goes on while another tab is shown.
  hide() {},
  uses: () => ({}),
};
