// The tab Compare: boards and engines on one side, their results on the other.
import { isAbort, stream } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { boardOfAnalyse, formatRoute, linkTo, replaceRoute } from "../route.js";
import { effect, signal } from "../signal.js";
import { load, save } from "../store.js";
import { bringIntoView, button, copyAndSay, emptyState, field, notice, sayIfHidden } from "../widgets.js";
import { counted } from "../words.js";
import { BoardsCard } from "./boards.js";
import { choiceOfParams, emptyChoice, paramsOfChoice } from "./choice.js";
import { EnginesCard } from "./engines.js";
import { openReport } from "./report.js";
import { ResultsView } from "./results.js";
import { roughly, summaries } from "./summary.js";

/** @type {[string, number]} */
const STORED = ["compare.results", 1];

/** Runs of each engine on each board in a report, and about how long its solutions and charts take. */
const REPORT_RUNS = 3;
const CHART_SECONDS = 4;

const NOTHING_CHOSEN = emptyChoice();

/** The tab. Its state is three signals, from which everything else is derived. */
class CompareTab {
  /** @type {import("./choice.js").ChoiceSignal} */
  choice = signal(NOTHING_CHOSEN);
  /** The comparison that is running. @type {{value: AbortController|null}} */
  running = signal(null);
  /** The results that are shown. @type {{value: ResultsView|null}} */
  view = signal(null);

  constructor(root, app) {
    this.app = app;
    this.boards = new BoardsCard(app, this.choice);
    this.engines = new EnginesCard(app, this.choice, this.#numbers());
    this.stage = h("div", { class: "stage" });
    this.side = h("div", { class: "side" }, this.boards.element, this.engines.element, this.#startCard());
    root.append(h("div", { class: "workspace compare-space" }, this.side, this.stage));
    effect(() => this.choice.value !== NOTHING_CHOSEN && replaceRoute("compare", paramsOfChoice(this.choice.value)));
    effect(() => (this.view.value ? this.stage.classList.remove("first") : this.#introduce()));
    effect(() => this.#markOutdated());
  }

  #numbers() {
    const number = (label, name, props) => {
      const input = h("input", { type: "number", inputmode: "decimal", ...props, onchange: () => this.#setNumber(name, input) });
      effect(() => (input.value = String(this.choice.value[name])));
      return field(label, input);
    };
    return h("div", { class: "fields" }, number("Runs per engine", "runs", { min: 1, max: 10, step: 1 }), number("Seconds per run", "seconds", { min: 0.1, max: 60, step: "any" }));
  }

  #startCard() {
    const start = button({ label: "Compare", icon: "play", kind: "primary", onclick: () => this.run() });
    const most = h("small", { class: "quiet" });
    this.said = h("div", { class: "compare-said" });
    effect(() => {
      clear(this.said); // it was about another choice or comparison
      const { boards, engines, runs, seconds } = this.choice.value;
      const number = boards.length * engines.length * runs;
      start.disabled = !number || this.running.value !== null;
      clear(most, number ? `${counted(number, "run")}, at most ${roughly(number * seconds)}` : "Choose at least one board and one engine.");
    });
    const link = () => copyAndSay(linkTo("compare", paramsOfChoice(this.choice.value)), "Link copied");
    return h("section", { class: "card compare-start", "aria-label": "Start" }, this.said,
      h("div", { class: "row" }, start, button({ label: "Copy link", icon: "link", kind: "quiet", title: "Copy a link to these boards and engines", onclick: link })), most);
  }

  #setNumber(name, input) {
    const value = Math.min(Math.max(Number(input.value) || 1, Number(input.min)), Number(input.max));
    this.choice.value = { ...this.choice.value, [name]: name === "runs" ? Math.round(value) : value };
  }

  get #route() {
    return formatRoute("compare", paramsOfChoice(this.choice.value));
  }

  #markOutdated() {
    this.outdated?.remove();
    if (!this.view.value || this.running.value || formatRoute("compare", this.view.value.results.params) === this.#route) return;
    this.outdated = notice("The choice has changed since these runs. Compare again to bring them up to date.", { kind: "info" });
    this.view.value.element.prepend(this.outdated);
  }

  /** @param {Record<string, string>} params */
  async show(params) {
    const stored = this.view.value || this.running.value ? null : load(...STORED);
    const wanted = Object.keys(params).length || !stored ? params : stored.params;
    const isNew = Object.keys(wanted).length > 0 && formatRoute("compare", wanted) !== this.#route;
    if (isNew || this.choice.value === NOTHING_CHOSEN) await this.#take(wanted);
    if (stored && !this.view.value && !this.running.value) this.#present({ ...stored, status: stored.status === "running" ? "stopped" : stored.status });
  }

  async #take(params) {
    const { choice, faults } = await choiceOfParams(params, this.choice.value, this.app);
    this.choice.value = choice;
    faults.forEach((fault) => this.boards.say(fault));
  }

  #introduce() {
    this.stage.classList.add("first");
    const { boards, engines } = this.choice.value;
    const isReady = boards.length > 0 && engines.length > 0;
    clear(this.stage, h("div", { class: "card" }, isReady ? this.#readyState(boards, engines) : this.#emptyState()));
  }

  #readyState(boards, engines) {
    const start = button({ label: "Compare", icon: "play", kind: "primary", onclick: () => this.run() });
    const chosen = `${counted(engines.length, "engine")} and ${counted(boards.length, "board")} are chosen.`;
    return emptyState(`${chosen} Each engine gets its own process, and every answer is checked.`, start);
  }

  #emptyState() {
    const { engines, samples } = this.app.about.comparison.first;
    const title = `${engines.join(", ")} on ${samples.join(", ")}`;
    const label = `Compare ${engines.length} engines on ${samples.length} samples`;
    const start = async () => {
      await this.#take({ s: samples.map((name) => name.replace("sample:", "")).join("|"), e: engines.join("|") });
      await this.run();
    };
    const text = "See which engine is fastest, and where a simple one fails: choose boards and engines, or begin with Glucose, CDCL, DPLL and backtracking on three samples. On the largest, backtracking finds no answer in time.";
    const analysed = boardOfAnalyse();
    return emptyState(text, button({ label, icon: "compare", kind: "primary", title, onclick: start }),
      analysed && button({ label: "Use the board from Analyse", icon: "analyse", onclick: () => this.app.go("compare", { b: analysed }) }));
  }

  /** Compare what is chosen. */
  async run() {
    const choice = this.choice.value;
    const { boards, engines, runs, seconds } = choice;
    const listed = boards.map(({ name, grid }) => ({ name, code: grid.code() }));
    const results = { boards: listed, engines, runs, seconds, items: [], status: "running", csv: "", params: paramsOfChoice(choice) };
    const before = this.view.value?.results;
    this.running.value = new AbortController();
    const view = this.#present(results);
    this.app.announce(`Comparing ${counted(engines.length, "engine")} on ${counted(boards.length, "board")}`);
    bringIntoView(this.stage);
    const fault = await this.#follow(view, choice);
    if (results.items.length) save(...STORED, results);
    else this.#goBack(before);
    this.running.value = null;
    if (fault) clear(this.said, notice(fault.message, fault.code === "bad-request" ? {} : { retry: () => this.run(), byHand: true }));
    else this.#sayEnd(results);
  }

  #sayEnd({ status, items }) {
    const text = `The comparison ${status === "done" ? "is finished" : "was stopped"} after ${counted(items.length, "run")}`;
    this.app.announce(text);
    sayIfHidden(this.stage, text);
  }

  /** Show the runs as they come; resolves to the error that ended them early, or null. */
  async #follow(view, choice) {
    let fault = null;
    try {
      const options = { signal: this.running.value.signal, onItem: (item) => this.#came(view, item), onProgress: ({ note }) => note && view.show(note) };
      const { csv } = await stream("compare", bodyOf(choice.boards, choice), options);
      Object.assign(view.results, { csv, status: "done" });
    } catch (error) {
      fault = isAbort(error) ? null : error;
      view.results.status = fault ? "failed" : "stopped";
    }
    view.update();
    return fault;
  }

  /** After a comparison without a single run, show again what was shown before. */
  #goBack(before) {
    if (before) return this.#present(before);
    this.view.value.destroy();
    this.view.value = null;
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
    this.view.value?.destroy();
    const askReport = () => {
      const boards = results.boards.map(({ name, code }) => ({ name, grid: Grid.fromCode(code) }));
      openReport(bodyOf(boards, results), reportTime(results), this.app.announce);
    };
    const report = button({ label: "HTML report", icon: "print", title: "A page with charts and tables; it measures everything again", onclick: askReport });
    const view = new ResultsView(results, { onStop: () => this.running.value?.abort(), tools: [report] });
    clear(this.stage, view.element);
    this.view.value = view;
    return view;
  }
}

/** About how long a report takes: its runs, as they went here, and the charts. @param {import("./summary.js").Results} results */
function reportTime(results) {
  const runs = [...summaries(results).values()].map((cell) => cell.median ?? results.seconds);
  const seconds = REPORT_RUNS * runs.reduce((sum, each) => sum + each, 0);
  return `It takes about ${roughly(seconds + CHART_SECONDS)}.`;
}

/** The body of the request. @param {{name: string, grid: Grid}[]} boards @param {{engines: string[], runs: number, seconds: number}} how */
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
  // A comparison can take minutes; it continues while another tab is shown.
  hide() {},
  uses: () => ({}),
};
