// The details of one cell: every run with its stages, counters and memory.
import { h } from "../dom.js";
import { badge, facts, openDialog, table } from "../widgets.js";
import { counted, formatBytes, formatSeconds, verdictWord } from "./format.js";
import { median, summarise } from "./summary.js";

const STAGES = { read: "read the board", encode: "encode", solve: "solve", check: "check the answer" };

/** Open the details of an engine on a board. @param {import("./summary.js").Results} results @param {string} board @param {string} engine */
export function openDetails(results, board, engine) {
  const runs = results.items.filter((item) => item.board === board && item.engine === engine);
  const cell = summarise(runs);
  openDialog({ title: `${engine} on ${board}`, wide: true },
    h("div", { class: "row" }, badge(verdictWord(cell.verdict), cell.median === null ? "warn" : "good"), cell.reason && h("span", { class: "quiet" }, cell.reason)),
    facts([["Median time", cell.median === null ? "none, because no run has an answer to time" : formatSeconds(cell.median)],
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
  return table(heads, rows, { numeric: heads.map((_, at) => at).filter((at) => at > 1), caption: "Runs. The time does not count reading the board." });
}

function countersTable(runs) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run.counters)))];
  if (!names.length) return h("p", { class: "quiet" }, "This engine keeps no counters.");
  const values = (name) => runs.map((run) => run.counters[name]).filter((value) => value !== undefined);
  const measures = (found) => [median(found), Math.min(...found), Math.max(...found)].map((value) => value.toLocaleString("en"));
  const rows = names.map((name) => [name.replaceAll("_", " "), ...measures(values(name))]);
  return table(["Counter", "Median", "Least", "Most"], rows, { numeric: [1, 2, 3], caption: "Counters over all runs" });
}
