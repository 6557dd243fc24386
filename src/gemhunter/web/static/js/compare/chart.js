// A bar chart per board: engines on the y axis, the median as a bar, each run as a dot, words where there is no time.
import { svg } from "../dom.js";
import { fastestOn, formatSeconds, keyOf, summaries, timesOf, wordsOf } from "./summary.js";

const ROW = 30;
const BAR = 16;
const FOOT = 26;
const VALUE_ROOM = 76;
const LETTER = 7.2;

/** A chart for each board; `isLog` chooses the scale. @param {import("./summary.js").Results} results @param {boolean} isLog @param {number} width */
export function charts(results, isLog, width) {
  const cells = summaries(results);
  return results.boards.map(({ name }) => chart(results, cells, name, { isLog, width }));
}

function chart(results, cells, board, { isLog, width }) {
  const longest = Math.max(...results.engines.map((engine) => engine.length));
  const left = Math.min(longest * LETTER + 14, width * 0.38);
  const rows = results.engines.map((engine) => ({ engine, cell: cells.get(keyOf(board, engine)) }));
  const times = rows.flatMap(({ cell }) => timesOf(cell));
  const scale = times.length ? (isLog ? logScale : linearScale)(times, left, width - VALUE_ROOM) : null;
  const height = rows.length * ROW + (scale ? FOOT : 4);
  const fastest = fastestOn(results, cells, board);
  const picture = svg("svg", { class: "compare-svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken(board, rows, results.runs) });
  picture.append(...(scale ? axis(scale, rows.length * ROW) : []));
  rows.forEach(({ engine, cell }, at) => picture.append(...row({ engine, cell, left, middle: at * ROW + ROW / 2, width, scale, isFastest: engine === fastest, runs: results.runs })));
  return picture;
}

function row({ engine, cell, left, middle, width, scale, isFastest, runs }) {
  const label = svg("text", { x: left - 8, y: middle + 4, class: "compare-label" });
  const room = Math.floor((left - 12) / LETTER);
  label.textContent = engine.length > room ? `${engine.slice(0, room - 1)}…` : engine;
  label.append(titled(engine));
  if (cell.median === null) return [label, words(left + 2, middle, wordsOf(cell, runs))];
  const end = scale.at(cell.median);
  const bar = svg("rect", { x: left, y: middle - BAR / 2, width: Math.max(2, end - left), height: BAR, rx: 3, class: isFastest ? "compare-bar best" : "compare-bar" });
  const dots = timesOf(cell).map((seconds) => svg("circle", { cx: scale.at(seconds), cy: middle, r: 3.2, class: "compare-dot" }, titled(formatSeconds(seconds))));
  const value = svg("text", { x: width, y: middle + 4, class: isFastest ? "compare-value best" : "compare-value" });
  value.textContent = formatSeconds(cell.median);
  return [label, bar, ...dots, value];
}

function words(x, middle, { main, note }) {
  const text = svg("text", { x, y: middle + 4, class: main === "–" ? "compare-words waiting" : "compare-words" });
  text.textContent = main === "–" ? "not run yet" : [main, note].filter(Boolean).join(": ");
  return text;
}

function titled(text) {
  const title = svg("title");
  title.textContent = text;
  return title;
}

function axis(scale, bottom) {
  return scale.ticks.flatMap((seconds) => {
    const x = scale.at(seconds);
    const text = svg("text", { x, y: bottom + 18, class: "compare-tick" });
    text.textContent = seconds === 0 ? "0" : formatSeconds(seconds).replace(/\.0+ /, " ");
    return [svg("line", { x1: x, x2: x, y1: 0, y2: bottom + 4, class: "compare-rule" }), text];
  });
}

function logScale(times, from, to) {
  const low = Math.floor(Math.log10(Math.max(Math.min(...times), 1e-9)) - 0.02);
  const high = Math.max(Math.log10(Math.max(...times, 1e-9)), low + 1);
  const ticks = [];
  for (let power = low; power <= high; power++) ticks.push(10 ** power);
  return { ticks: thinned(ticks, to - from), at: (seconds) => from + ((Math.log10(Math.max(seconds, 1e-9)) - low) / (high - low)) * (to - from) };
}

function linearScale(times, from, to) {
  const most = Math.max(...times, 1e-9);
  const raw = most / 4;
  const unit = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * unit).find((each) => each >= raw);
  const ticks = [];
  for (let number = 0; number * step <= most; number++) ticks.push(number * step);
  return { ticks: thinned(ticks, to - from), at: (seconds) => from + (seconds / most) * (to - from) };
}

function thinned(ticks, room) {
  const every = Math.max(1, Math.ceil(((ticks.length - 1) * 58) / Math.max(room, 58)));
  return ticks.filter((_, at) => at % every === 0);
}

function spoken(board, rows, runs) {
  const parts = rows.map(({ engine, cell }) => {
    const { main, note } = wordsOf(cell, runs);
    return `${engine} ${main === "–" ? "not run yet" : main}${note ? ` (${note})` : ""}`;
  });
  return `Times on ${board}: ${parts.join("; ")}. The table has the same numbers.`;
}

