// The form for making puzzles; what the server refuses is shown beside the field.
import { clear, h } from "../dom.js";
import { button, field, notice, segmented } from "../widgets.js";
import { LARGEST_SIDE, MOST_PUZZLES, numberFor, possible, randomSeed, trapsOf, USUAL } from "./request.js";

const EASY_FIRST = ["easy", "medium", "hard", "expert"];
/** Options that are folded away until one of them is used. */
const EXTRA = ["rule", "solutions", "symmetry", "clues", "given"];

/** The form of a request. */
export class PuzzleForm {
  /** @param {any} about @param {import("./request.js").PuzzleRequest} request @param {() => void} onChange */
  constructor(about, request, onChange) {
    this.about = about;
    this.request = request;
    this.onChange = onChange;
    /** @type {Record<string, HTMLElement>} where the faults of fields are shown */
    this.faults = {};
    this.readers = [];
    this.element = h("div", { class: "column make-form" }, this.#size(), this.#density(), this.#difficulty(), this.#many(), this.#more());
    this.setRequest(request);
  }

  /** Show another request. @param {import("./request.js").PuzzleRequest} request */
  setRequest(request) {
    this.request = request;
    this.readers.forEach((read) => read());
    this.clearFaults();
    if (EXTRA.some((name) => request[name] !== USUAL[name])) this.extra.open = true;
  }

  #set(changes) {
    Object.assign(this.request, possible({ ...this.request, ...changes }));
    this.clearFaults();
    this.readers.forEach((read) => read());
    this.onChange();
  }

  /** Show an error beside the field to correct; false if there is none. @param {{message: string, field?: string|null}} error */
  showFault({ message, field: name }) {
    if (!name || !this.faults[name]) return false;
    if (EXTRA.includes(name)) this.extra.open = true;
    clear(this.faults[name], notice(message));
    this.faults[name].scrollIntoView({ block: "nearest" });
    return true;
  }

  clearFaults() {
    Object.values(this.faults).forEach((place) => clear(place));
  }

  #withFault(name, element) {
    this.faults[name] = h("div", { class: "make-fault", "aria-live": "polite" });
    return h("div", { class: "make-field" }, element, this.faults[name]);
  }

  #number(label, name, most, help) {
    const input = h("input", { type: "number", inputmode: "numeric", min: name === "seed" ? 0 : 1, max: most, step: 1 });
    input.addEventListener("change", () => this.#set({ [name]: numberFor(name, input.value, this.request[name]) }));
    this.readers.push(() => (input.value = String(this.request[name])));
    return field(label, input, help);
  }

  #choice(label, name, options) {
    const bar = segmented({ label, options, value: String(this.request[name] ?? ""), small: true, onChange: (value) => this.#set({ [name]: value || null }) });
    this.readers.push(() => (bar.value = String(this.request[name] ?? "")));
    return this.#withFault(name, h("div", { class: "field" }, h("span", { class: "label" }, label), bar));
  }

  #select(label, name, options, help) {
    const select = h("select", { onchange: () => this.#set({ [name]: select.value || null }) }, options.map(([value, text]) => h("option", { value }, text)));
    this.readers.push(() => (select.value = String(this.request[name] ?? "")));
    return this.#withFault(name, field(label, select, help));
  }

  /** A field that is disabled, with the reason, unless puzzles have one solution. */
  #onlyWithOne(made) {
    const note = h("small", { class: "quiet" }, "Only for puzzles with one solution.");
    made.append(note);
    this.readers.push(() => {
      note.hidden = this.request.solutions === "one";
      made.querySelectorAll("input, select").forEach((control) => (control.disabled = !note.hidden));
    });
    return made;
  }

  #size() {
    return this.#withFault("rows", h("div", { class: "fields" }, this.#number("Rows", "rows", LARGEST_SIDE), this.#number("Columns", "cols", LARGEST_SIDE)));
  }

  /** A slider for a share of all cells; `words` returns its value as text. */
  #share(label, name, words) {
    const input = h("input", { type: "range", min: 0, max: 100, step: 1 });
    const amount = h("output", { class: "make-amount" });
    input.addEventListener("input", () => this.#set({ [name]: Number(input.value) / 100 }));
    this.readers.push(() => {
      input.value = String(Math.round((this.request[name] ?? 0) * 100));
      amount.textContent = words();
      input.setAttribute("aria-valuetext", words());
    });
    const made = field(label, input);
    made.querySelector("label").after(amount);
    made.classList.add("make-share");
    return made;
  }

  #density() {
    const words = () => `${trapsOf(this.request)} of ${this.request.rows * this.request.cols} cells, ${Math.round(this.request.density * 100)} %`;
    return this.#withFault("density", this.#share("Traps", "density", words));
  }

  #difficulty() {
    const words = this.about.difficulties ?? EASY_FIRST;
    const options = [{ value: "", label: "Any" }, ...words.filter((word) => EASY_FIRST.includes(word)).map((word) => ({ value: word, label: capital(word) }))];
    return this.#onlyWithOne(this.#choice("Difficulty", "difficulty", options));
  }

  #more() {
    const rules = (this.about.rules ?? []).map((rule) => [rule.name, rule.about ? `${rule.name} (${rule.about})` : rule.name]);
    const symmetries = (this.about.symmetries ?? ["none"]).map((name) => [name, name]);
    const solutions = ["one", "many", "none"].map((value) => ({ value, label: capital(value) }));
    this.extra = h("details", { class: "panel" }, h("summary", {}, "More options"), h("div", { class: "column" },
      this.#onlyWithOne(this.#select("Hardest rule needed", "rule", [["", "any rule"], ...rules])),
      this.#choice("Solutions", "solutions", solutions), this.#select("Symmetry of the clues", "symmetry", symmetries), this.#clues(),
      this.#withFault("given", this.#share("Cells already filled in", "given", () => this.#cellsOf(this.request.given)))));
    return this.extra;
  }

  #cellsOf(share) {
    return `${Math.round(share * this.request.rows * this.request.cols)} cells, ${Math.round(share * 100)} %`;
  }

  #clues() {
    const share = this.#share("Cells with a clue", "clues", () => this.#cellsOf(this.request.clues ?? 0));
    const options = [{ value: "few", label: "As few as possible" }, { value: "share", label: "A percentage" }];
    const bar = segmented({ label: "Clues", options, value: "few", small: true, onChange: (value) => this.#set({ clues: value === "few" ? null : 0.45 }) });
    this.readers.push(() => {
      bar.value = this.request.clues === null ? "few" : "share";
      share.hidden = this.request.clues === null;
    });
    return this.#withFault("clues", h("div", { class: "field" }, h("span", { class: "label" }, "Clues"), bar, share));
  }

  #many() {
    const seed = this.#number("Seed", "seed", null);
    const shuffle = button({ label: "Shuffle", icon: "shuffle", compact: true, title: "Use a random seed", onclick: () => this.#set({ seed: randomSeed() }) });
    return h("div", { class: "make-many" }, this.#withFault("count", this.#number("Number of puzzles", "count", MOST_PUZZLES)), this.#withFault("seed", seed), shuffle);
  }
}

function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
