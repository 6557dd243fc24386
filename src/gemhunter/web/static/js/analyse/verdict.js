// The card that says what is true of all solutions: verdict, number of solutions, forced cells.
import { clear, h } from "../dom.js";
import { HIDDEN } from "../grid.js";
import { badge, button, card, copyAndSay, facts, notice, working } from "../widgets.js";
import { counted, grouped, percent, sentence } from "../words.js";
import { shortened } from "./words.js";

const BADGES = { solved: ["solvable", "good"], refuted: ["no solution", "bad"], "gave-up": ["not decided", "warn"] };
const LONGEST_REASON = 260;

/** The card; `showAnswer`, `showError`, `setStale` and `showWorking` fill it. */
export class VerdictCard {
  /** @param {(name: string) => void} onCell called when the name of a cell is clicked */
  constructor(onCell) {
    this.onCell = onCell;
    this.badge = h("span", { class: "card-tools" });
    this.body = h("div", { class: "column" });
    this.element = card("Verdict", { tools: [this.badge], class: "analyse-verdict" }, this.body);
  }

  /** Dim the card if its answer is about the board before an edit. @param {boolean} isStale */
  setStale(isStale) {
    this.element.classList.toggle("is-stale", isStale);
  }

  /** Show only that the answer is being computed. */
  showWorking() {
    this.#fill([], working());
  }

  #fill(badges, ...children) {
    this.setStale(false);
    clear(this.badge, ...badges);
    clear(this.body, ...children);
  }

  /** @param {any} record the answer of analyse @param {import("../grid.js").Grid} grid */
  showAnswer(record, grid) {
    const [word, kind] = BADGES[record.verdict];
    const isCounted = record.verdict === "solved" && record.unique !== null;
    const badges = [badge(word, kind), isCounted && (record.unique ? badge("unique", "info") : badge("not unique"))];
    this.#fill(badges, h("p", { class: "analyse-sentence" }, cellLinks(verdictSentence(record), this.onCell)), this.#facts(record, grid), this.#gaps(record));
  }

  /** @param {Error} error @param {() => void} retry */
  showError(error, retry) {
    this.#fill([], notice(error.message, { retry }));
  }

  #facts(record, grid) {
    if (record.verdict !== "solved") return null;
    const hidden = grid.cells.filter((code) => code === HIDDEN).length;
    const forced = record.forced ?? record.decided;
    const pairs = [];
    if (record.count !== null) pairs.push(["Solutions", countText(record.count)]);
    if (forced) pairs.push(["Forced cells", forcedText(forced, hidden, record.forced !== null)]);
    if (record.safest?.length && !record.unique) pairs.push(["Safest", safestText(record, grid)]);
    return facts(pairs);
  }

  #gaps(record) {
    const gaps = Object.entries(record.gave_up ?? {});
    if (!gaps.length) return null;
    const texts = [...new Set(gaps.map(([, reason]) => reason))];
    return notice(`Not known: ${gaps.map(([name]) => name).join(", ")} (${texts.join("; ")})`, { kind: "warn" });
  }
}

/** The verdict as a sentence. @param {any} record */
export function verdictSentence(record) {
  if (record.verdict === "refuted") return sentence(cut(record.reason ?? "the clues conflict"));
  if (record.verdict === "gave-up") return "Time ran out before it was decided whether this board has a solution.";
  if (record.unique) return "This board has exactly one solution.";
  if (record.count !== null) return `This board has ${counted(record.count, "solution").replace(/^[\d,]+/, shortened(record.count))}.`;
  return record.unique === false ? "This board has more than one solution." : "This board has a solution.";
}

/** A text in which the names of cells are buttons. @param {string} text @param {(name: string) => void} onCell */
export function cellLinks(text, onCell) {
  const parts = text.split(/\b(r\d+c\d+)\b/);
  return parts.map((part, at) => (at % 2 ? h("button", { type: "button", class: "analyse-cell", title: "Show it on the board", onclick: () => onCell(part) }, part) : part));
}

function cut(text) {
  return text.length > LONGEST_REASON ? `${text.slice(0, LONGEST_REASON)} …` : text;
}

function countText(count) {
  const copy = button({ label: "Copy the number", icon: "copy", compact: true, kind: "quiet", onclick: () => copyAndSay(count, "Number copied") });
  copy.classList.add("analyse-copy");
  return h("span", { class: "analyse-count" }, h("span", { title: grouped(count) }, shortened(count)), shortened(count) !== grouped(count) && copy);
}

function forcedText({ traps, gems }, hidden, isComplete) {
  const number = traps.length + gems.length;
  const text = isComplete ? `${grouped(String(number))} of ${grouped(String(hidden))}` : `at least ${grouped(String(number))}`;
  return [text, number > 0 && h("small", { class: "analyse-split" }, `${counted(traps.length, "trap")}, ${counted(gems.length, "gem")}`)];
}

function safestText(record, grid) {
  const { index } = grid.named(record.safest[0]);
  const risk = record.probability?.[Math.floor(index / grid.cols)]?.[index % grid.cols];
  const cells = record.safest.length === 1 ? record.safest[0] : counted(record.safest.length, "cell");
  return `${cells}${risk === undefined || risk === null ? "" : `, risk ${percent(risk)}`}`;
}
