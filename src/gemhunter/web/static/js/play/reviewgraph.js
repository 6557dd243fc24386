// The graph of a review: the chance of winning before each risky move, with its interval.
import { h, svg } from "../dom.js";
import { percent } from "../words.js";

const WIDTH = 340;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 12;
const TOP = 10;
const BOTTOM = 24;
const MOST_LABELS = 9;
const SIGNS = { guess: "guess", "needless-risk": "needless risk", "proven-trap": "shown to be a trap" };

/** @typedef {{number: number, verdict: string, chance: {value: number, low: number, high: number, exact: boolean}}} Point */

/**
 * Draw the graph. The risky moves are evenly spaced, as many of them are often close together at the end of a game.
 * @param {Point[]} points @param {{status: string, chosen: number|null, onChoose: (number: number) => void}} options
 */
export function reviewGraph(points, { status, chosen, onChoose }) {
  const ends = { won: 1, lost: 0 };
  const places = points.length + (status in ends ? 1 : 0);
  const x = (at) => LEFT + ((at + 0.5) / places) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + (1 - value) * (HEIGHT - TOP - BOTTOM);
  const half = Math.min(11, (WIDTH - LEFT - RIGHT) / places / 2);
  const name = { role: "group", "aria-label": "Chance of winning before each risky move" };
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "play-graph", ...name }, ...axes(y));
  const path = points.map(({ chance }, at) => [x(at), y(chance.value)]);
  if (status in ends) path.push([x(points.length), y(ends[status])]);
  picture.append(svg("polyline", { points: path.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join(" "), class: "play-graph-line" }));
  picture.append(...labels(points, x));
  if (status in ends) picture.append(text(status, { x: x(points.length), y: HEIGHT - 8, "text-anchor": "middle" }));
  points.forEach((point, at) => picture.append(mark(point, { x: x(at), y, half, isChosen: point.number === chosen, onChoose })));
  return h("div", { class: "play-graph-host" }, picture, legend(points));
}

/** The legend of the signs that the graph shows. */
function legend(points) {
  const shown = Object.entries(SIGNS).filter(([verdict]) => points.some((point) => point.verdict === verdict));
  const drawn = shown.map(([verdict, words]) => legendEntry(words, svg("g", { class: `play-graph-mark ${verdict}` }, sign(verdict, 8, 8))));
  if (points.some(({ chance }) => !chance.exact)) {
    drawn.push(legendEntry("range of an estimate", svg("g", { class: "play-graph-mark" }, svg("line", { x1: 8, x2: 8, y1: 4, y2: 12, class: "play-graph-interval" }))));
  }
  return h("div", { class: "play-graph-legend" }, drawn);
}

function legendEntry(words, drawing) {
  return h("span", {}, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, drawing), words);
}

function axes(y) {
  return [0, 0.5, 1].flatMap((value) => [
    svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value), class: "play-graph-grid" }),
    text(`${value * 100} %`, { x: LEFT - 5, y: y(value) + 3.5, "text-anchor": "end" }),
  ]);
}

/** Numbers of moves below their marks, as many as fit. */
function labels(points, x) {
  const step = Math.ceil(points.length / MOST_LABELS);
  return points.flatMap(({ number }, at) => (at % step ? [] : [text(String(number), { x: x(at), y: HEIGHT - 8, "text-anchor": "middle" })]));
}

function text(words, attributes) {
  const element = svg("text", { class: "play-graph-text", ...attributes });
  element.textContent = words;
  return element;
}

function mark({ number, verdict, chance }, { x, y, half, isChosen, onChoose }) {
  const interval = chance.exact ? "" : `, between ${percent(chance.low)} and ${percent(chance.high)}`;
  const label = `move ${number}: chance of winning ${percent(chance.value)}${interval}`;
  const title = svg("title", {});
  title.textContent = label;
  const spoken = { role: "button", tabindex: "0", "aria-label": label, "aria-pressed": isChosen };
  const group = svg("g", { class: `play-graph-mark ${verdict}${isChosen ? " chosen" : ""}`, ...spoken }, title,
    svg("rect", { x: x - half, y: TOP, width: 2 * half, height: HEIGHT - TOP - BOTTOM, class: "play-graph-hit" }),
    svg("line", { x1: x, x2: x, y1: y(chance.low), y2: y(chance.high), class: "play-graph-interval" }), sign(verdict, x, y(chance.value)));
  group.addEventListener("click", () => onChoose(number));
  group.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onChoose(number);
  });
  return group;
}

/** A circle for a guess, a triangle for a needless risk, a cross for a cell that was shown to be a trap. */
function sign(verdict, x, y) {
  if (verdict === "needless-risk") return svg("path", { d: `M${x} ${y - 6}l5.500 9.500h-11z` });
  if (verdict === "proven-trap") return svg("path", { d: `M${x - 4.500} ${y - 4.500}l9 9m0-9l-9 9`, class: "stroke" });
  return svg("circle", { cx: x, cy: y, r: 4.5 });
}
