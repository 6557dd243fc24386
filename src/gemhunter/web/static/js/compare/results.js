// What a comparison found: progress, alarms, the table, the charts and the files to save.
import { clear, download, h } from "../dom.js";
import { badge, button, card, notice, segmented } from "../widgets.js";
import { charts } from "./chart.js";
import { openDetails } from "./details.js";
import { counted, verdictWord } from "./format.js";
import { disagreements } from "./summary.js";
import { ResultTable } from "./table.js";

/** While runs come in quickly, the charts are drawn at most this often. */
const CHART_MS = 200;
/** @type {Record<string, Parameters<typeof badge>>} */
const BADGES = { running: ["comparing", "info"], done: ["finished", "good"], stopped: ["stopped", "warn"], failed: ["not finished", "bad"] };

/** @typedef {import("./summary.js").Results} Results */

/** The results of one comparison, while it runs and afterwards. */
export class ResultsView {
  /** @param {Results} results @param {{onStop: () => void, tools: HTMLElement[]}} options `tools` stand beside the files to save */
  constructor(results, { onStop, tools }) {
    this.results = results;
    this.isLog = true;
    this.bar = h("progress", { max: results.boards.length * results.engines.length * results.runs, value: 0, "aria-label": "Runs done" });
    this.words = h("span", { class: "quiet compare-latest" });
    this.now = h("p", { class: "quiet compare-now" });
    this.state = h("span", {});
    this.stop = button({ label: "Stop", icon: "stop", kind: "danger", onclick: onStop });
    this.alarms = h("div", { class: "column compare-said", "aria-live": "assertive" });
    this.table = new ResultTable(results, (board, engine) => openDetails(results, board, engine));
    this.plots = h("div", { class: "compare-charts" });
    this.chartCard = this.#chartCard();
    this.element = h("div", { class: "column" }, this.#head(tools), this.alarms, this.table.element, this.chartCard);
    this.sizes = new ResizeObserver(() => this.#drawCharts());
    this.sizes.observe(this.plots);
    this.update();
  }

  #head(tools) {
    const { boards, engines, runs, seconds } = this.results;
    const size = `${counted(engines.length, "engine")} on ${counted(boards.length, "board")}, ${counted(runs, "run")} each, at most ${seconds} s per run`;
    this.doing = h("div", { class: "row between" }, this.words, this.stop);
    this.files = h("div", { class: "row" },
      button({ label: "CSV", icon: "download", title: "Save all runs as CSV", onclick: () => this.#saveCsv() }),
      button({ label: "JSON", icon: "download", title: "Save all runs as JSON", onclick: () => this.#saveJson() }), tools);
    return card("Results", { tools: this.state }, h("p", { class: "quiet" }, size), this.bar, this.doing, this.now, this.files);
  }

  #chartCard() {
    const scale = segmented({
      label: "Scale", small: true, value: "log", options: [{ value: "log", label: "Logarithmic" }, { value: "linear", label: "Linear" }],
      onChange: (value) => {
        this.isLog = value === "log";
        this.#drawCharts();
      },
    });
    return card("Charts", { tools: scale }, h("p", { class: "quiet" }, "A bar and the number at its right are the median; each dot is a run."), this.plots);
  }

  /** A run has come in. @param {import("./summary.js").RunRecord} item */
  add(item) {
    this.results.items.push(item);
    this.show(null);
    clear(this.words, `${this.results.items.length} of ${this.bar.max}: ${item.engine} on ${item.board}, ${verdictWord(item.verdict)}`);
    this.update();
  }

  /** Show which run is made now, what is compiled for it, and since when. @param {string|null} text null when a run has ended */
  show(text) {
    if (!text) this.since = null;
    else this.since ??= Date.now();
    this.running = text;
    clearInterval(this.clock);
    if (text) this.clock = setInterval(() => this.#showNow(), 1000);
    this.#showNow();
  }

  #showNow() {
    clear(this.now, this.running && `Now, for ${Math.round((Date.now() - this.since) / 1000)} s: ${this.running}`);
  }

  /** Bring everything up to date, also after the status has changed. */
  update() {
    const { status, items } = this.results;
    const isRunning = status === "running";
    this.bar.value = items.length;
    this.bar.hidden = !isRunning;
    this.stop.hidden = !isRunning;
    this.doing.hidden = status === "done";
    this.chartCard.hidden = !items.length;
    this.files.hidden = !items.length || isRunning;
    if (!isRunning) this.show(null);
    if (!isRunning) clear(this.words, `${items.length} of ${this.bar.max} runs`);
    else if (!items.length) clear(this.words, "Waiting for the first run…");
    clear(this.state, badge(...BADGES[status]));
    this.#alarm();
    this.table.update();
    this.#drawSoon();
  }

  #alarm() {
    const found = disagreements(this.results);
    if (this.alarms.childElementCount === found.length) return;
    clear(this.alarms, found.map(({ board, solved, refuted }) =>
      notice(`Disagreement! On ${board}, ${solved.join(", ")} found a solution, but ${refuted.join(", ")} says that there is none.`)));
  }

  #drawSoon() {
    if (this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = 0;
      this.#drawCharts();
    }, CHART_MS);
  }

  #drawCharts() {
    const column = this.plots.clientWidth;
    if (!column) return;
    const isWide = column >= 860 && this.results.boards.length > 1;
    const shown = `${column} ${this.isLog} ${this.results.items.length}`;
    if (this.shown === shown) return;
    this.shown = shown;
    clear(this.plots, charts(this.results, this.isLog, isWide ? Math.floor((column - 32) / 2) : column));
  }

  #saveCsv() {
    download(new Blob([this.results.csv || csvOf(this.results.items)], { type: "text/csv" }), "comparison.csv");
  }

  #saveJson() {
    const { boards, engines, runs, seconds, items } = this.results;
    download(new Blob([JSON.stringify({ boards, engines, runs, seconds, items }, null, 1)], { type: "application/json" }), "comparison.json");
  }

  /** Stop following sizes. */
  destroy() {
    this.sizes.disconnect();
    clearTimeout(this.timer);
    clearInterval(this.clock);
  }
}

/** The runs of a comparison that was stopped, as the server writes them. @param {import("./summary.js").RunRecord[]} items */
function csvOf(items) {
  const columns = ["board", "engine", "run", "verdict", "reason", "total", "memory"];
  const quoted = (value) => (/[",\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  return [columns, ...items.map((item) => columns.map((name) => item[name]))].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}
