// What mode Watch says about one event: its sentence, its clauses as chips, and the numbers so far.
import { clear, h } from "../dom.js";
import { button } from "../widgets.js";
import { cellsOf, clauseChips, clauseWords, counted, pointing, sentence } from "./cell-text.js";

/** How the first words of sentences are shown, by the event. */
const TONES = {
  conflict: "bad", broken: "bad", "no solution": "bad", learn: "info", decide: "strong", flip: "strong", match: "strong",
  solved: "good", stuck: "warn", "too deep": "warn", "gave up": "warn",
};

/** @typedef {import("./cell-text.js").Point} Point */

/** A row of the list of events. @param {any} event @param {string} text @param {number} index */
export function eventRow(event, text, index) {
  const number = h("span", { class: "understand-number" }, (index + 1).toLocaleString("en"));
  return { class: `understand-event ${TONES[event.event] ?? ""}`, title: text, children: [number, h("span", { class: "understand-event-line" }, text)] };
}

/**
 * The numbers of a search so far.
 * @param {import("./replay.js").SearchState} state @param {number} hidden how many cells are hidden @param {boolean} hasLevels
 * @returns {[string, string][]}
 */
export function searchFacts(state, hidden, hasLevels) {
  const cells = state.trail.reduce((count, { index }) => count + (index >= 0 ? 1 : 0), 0);
  /** @type {[string, string][]} */
  const facts = hasLevels ? [["Level", String(state.level)]] : [];
  facts.push(["Cells", `${cells.toLocaleString("en")} of ${hidden.toLocaleString("en")}`]);
  for (const [label, count] of Object.entries(state.counts)) facts.push([label, count.toLocaleString("en")]);
  return facts;
}

/** Show numbers in a row of small boxes. @param {HTMLElement} host @param {[string, string][]} facts */
export function showFacts(host, facts) {
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
export function eventView(event, text, { point, state, onGraph }) {
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
