// The results of a comparison: progress, disagreements, the table, the charts and the files to save.
import { clear, download, h } from "../dom.js";
import { badge, button, card, facts, notice, openDialog, segmented, table } from "../widgets.js";
import { counted } from "../words.js";
import { charts } from "./chart.js";
import { disagreements, fastestOn, formatBytes, formatSeconds, keyOf, median, summaries, summarise, verdictWord, wordsOf } from "./summary.js";

/** While runs come in quickly, the charts are drawn at most once in this time. */
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

  /** Add a run. @param {import("./summary.js").RunRecord} item */
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

  /** Show the current runs and status. */
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
      notice(`Disagreement! On ${board}, ${solved.join(", ")} found a solution, but ${refuted.join(", ")} ${refuted.length > 1 ? "say" : "says"} that there is none.`)));
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
    const shown = `${column} ${this.isLog} ${this.results.items.length}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const figures = this.results.boards.map(({ name }) => h("figure", { class: "compare-chart" }, h("figcaption", {}, name)));
    clear(this.plots, figures);
    // The style sheet decides how many stand beside each other, so their width is measured.
    const { clientWidth } = figures[0];
    charts(this.results, this.isLog, clientWidth).forEach((chart, at) => figures[at].append(chart));
  }

  #saveCsv() {
    download(new Blob([this.results.csv || csvOf(this.results.items)], { type: "text/csv" }), "comparison.csv");
  }

  #saveJson() {
    const { boards, engines, runs, seconds, items } = this.results;
    download(new Blob([JSON.stringify({ boards, engines, runs, seconds, items }, null, 1)], { type: "application/json" }), "comparison.json");
  }

  /** Stop the timers and the observer. */
  destroy() {
    this.sizes.disconnect();
    clearTimeout(this.timer);
    clearInterval(this.clock);
  }
}

/** The runs of a comparison that did not finish, as CSV; for a finished one, the server writes it. @param {import("./summary.js").RunRecord[]} items */
function csvOf(items) {
  const columns = { board: "board", engine: "engine", run: "run", verdict: "verdict", reason: "reason", seconds: "total", memory_bytes: "memory" };
  const quoted = (value) => (/[",\n]/.test(String(value ?? "")) ? `"${String(value).replaceAll('"', '""')}"` : String(value ?? ""));
  return [Object.keys(columns), ...items.map((item) => Object.values(columns).map((name) => item[name]))].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

// The table of a comparison: engines down, boards across, a button per cell that opens its details.

/** A table that can be brought up to date while runs come in. */
class ResultTable {
  /** @param {Results} results @param {(board: string, engine: string) => void} onOpen */
  constructor(results, onOpen) {
    this.results = results;
    this.cells = new Map();
    const heads = results.boards.map(({ name }) => h("th", { scope: "col", class: "number", title: name }, name));
    const rows = results.engines.map((engine) => h("tr", {}, h("th", { scope: "row" }, engine), results.boards.map(({ name }) => this.#cell(name, engine, onOpen))));
    const caption = "Median time per engine and board. Click a cell to see its runs and counters.";
    this.element = h("div", { class: "table-wrap compare-table", role: "region", "aria-label": "Results" },
      h("p", { class: "quiet compare-caption", id: "compare-caption" }, caption), h("table", { class: "table", "aria-describedby": "compare-caption" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Engine"), heads)), h("tbody", {}, rows)));
    this.update();
  }

  #cell(board, engine, onOpen) {
    const opener = h("button", { type: "button", class: "compare-cell", disabled: true, onclick: () => onOpen(board, engine) });
    this.cells.set(keyOf(board, engine), opener);
    return h("td", { class: "number" }, opener);
  }

  /** Show the results so far. */
  update() {
    const found = summaries(this.results);
    for (const { name: board } of this.results.boards) {
      const fastest = fastestOn(this.results, found, board);
      for (const engine of this.results.engines) this.#show(board, engine, found.get(keyOf(board, engine)), engine === fastest);
    }
  }

  #show(board, engine, cell, isFastest) {
    const opener = this.cells.get(keyOf(board, engine));
    const { main, note } = wordsOf(cell, this.results.runs);
    const text = [main, note, isFastest].join();
    if (opener.dataset.text === text) return;
    opener.dataset.text = text;
    opener.disabled = cell.verdict === null;
    opener.className = `compare-cell ${kindOf(cell)}`;
    opener.setAttribute("aria-label", `${engine} on ${board}: ${main}${note ? `, ${note}` : ""}${isFastest ? ", fastest" : ""}. Details`);
    clear(opener, h("span", { class: "compare-main" }, isFastest && h("span", { class: "compare-fastest" }, "fastest"), main), note && h("small", {}, note));
  }
}

function kindOf(cell) {
  if (cell.verdict === null) return "waiting";
  if (cell.median !== null) return "timed";
  return cell.verdict === "gave-up" ? "gave-up" : "failed";
}

// The details of one cell: every run with its stages, counters and memory.

const STAGES = { read: "read the board", encode: "encode", solve: "solve", check: "check the answer" };

/** Open the details of an engine on a board. @param {import("./summary.js").Results} results @param {string} board @param {string} engine */
function openDetails(results, board, engine) {
  const runs = results.items.filter((item) => item.board === board && item.engine === engine);
  const cell = summarise(runs);
  openDialog({ title: `${engine} on ${board}`, wide: true },
    h("div", { class: "row" }, badge(verdictWord(cell.verdict), cell.median === null ? "warn" : "good"), cell.reason && h("span", { class: "quiet" }, cell.reason)),
    facts([["Median time", cell.median === null ? "none: no run gave an answer" : formatSeconds(cell.median)],
      ["Runs with an answer", `${cell.answered} of ${counted(runs.length, "run")}`], ["Time limit per run", `${results.seconds} s`]]),
    runsTable(runs), countersTable(runs));
}

function runsTable(runs) {
  const stages = [...new Set(runs.flatMap((run) => Object.keys(run.seconds)))];
  const heads = ["Run", "Verdict", "Time", ...stages.map((stage) => STAGES[stage] ?? stage), "Memory"];
  const rows = runs.map((run) => [
    run.run, [verdictWord(run.verdict), run.reason].filter(Boolean).join(": "), run.total === null ? "–" : formatSeconds(run.total),
    ...stages.map((stage) => (stage in run.seconds ? formatSeconds(run.seconds[stage]) : "–")), formatBytes(run.memory),
  ]);
  return table(heads, rows, { numeric: heads.map((_, at) => at).filter((at) => at > 1), caption: "Runs. Times exclude reading the board." });
}

function countersTable(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.counters)))];
  if (!names.length) return h("p", { class: "quiet" }, "This engine keeps no counters.");
  const values = (name) => runs.map((run) => run.counters[name]).filter((value) => value !== undefined);
  const measures = (found) => [median(found), Math.min(...found), Math.max(...found)].map((value) => value.toLocaleString("en"));
  const rows = names.map((name) => [name.replaceAll("_", " "), ...measures(values(name))]);
  return table(["Counter", "Median", "Least", "Most"], rows, { numeric: [1, 2, 3], caption: "Counters over all runs" });
}
