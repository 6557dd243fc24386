// The form for no-guess games: a level, what the player may use, and a seed.
import { ask, isAbort } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { linkTo } from "../route.js";
import { button, card, copyAndSay, facts, field, notice, segmented, working } from "../widgets.js";

const USING = [
  { value: "clues+total", label: "Clues and total", title: "The player may count the traps that are left" },
  { value: "clues", label: "Clues only", title: "The clues alone decide every step" },
];
const CUSTOM = "custom";

/** "row 3, column 4" for "r3c4". */
function inWords(cell) {
  const { row, col } = Grid.parseCell(cell);
  return `row ${row + 1}, column ${col + 1}`;
}

/** The form of a no-guess game, and the game that was made. */
export class GameForm {
  /** @param {any} app @param {() => void} onChange */
  constructor(app, onChange) {
    this.app = app;
    this.onChange = onChange;
    /** Shows the game that was made. @type {((made: HTMLElement) => void)|null} */
    this.onMade = null;
    const levels = app.about.levels.map(({ name, rows, cols, traps }) => h("option", { value: name }, `${name}: ${rows}×${cols}, ${traps} traps`));
    this.level = h("select", { onchange: () => this.#edited() }, levels, h("option", { value: CUSTOM }, "custom size"));
    this.size = ["Rows", "Columns", "Traps"].map((label, at) => this.#number(label, [9, 9, 12][at]));
    this.custom = h("div", { class: "fields make-custom" }, this.size.map(({ element }) => element));
    this.using = segmented({ label: "What the player may use", options: USING, value: USING[0].value, small: true, onChange: () => this.#edited() });
    this.seed = h("input", { type: "number", min: 0, inputmode: "numeric", placeholder: "random", onchange: () => this.#edited() });
    this.said = h("div", { class: "make-said", "aria-live": "polite" });
    this.start = button({ label: "Make the game", icon: "make", kind: "primary", onclick: () => this.make() });
    this.form = h("div", { class: "column" }, field("Level", this.level), this.custom,
      h("div", { class: "field" }, h("span", { class: "label" }, "What the player may use"), this.using),
      field("Seed", this.seed, "Leave it empty for a random seed. The same seed makes the same game."), h("div", { class: "row" }, this.start), this.said);
    this.#refresh();
  }

  #number(label, value) {
    const input = h("input", { type: "number", min: 1, max: 200, value: String(value), inputmode: "numeric", onchange: () => this.#edited() });
    if (label === "Traps") input.removeAttribute("max");
    return { input, element: field(label, input) };
  }

  #edited() {
    clear(this.said);
    this.#refresh();
    this.onChange();
  }

  #refresh() {
    this.custom.hidden = this.level.value !== CUSTOM;
  }

  get #levelName() {
    const [rows, cols, traps] = this.size.map(({ input }) => input.value);
    return this.level.value === CUSTOM ? `${rows}x${cols}n${traps}` : this.level.value;
  }

  /** The parameters of the route. */
  get params() {
    const level = this.#levelName;
    return { kind: "game", level: level === "beginner" ? null : level, using: this.using.value === "clues" ? "clues" : null, seed: this.seed.value };
  }

  /** Apply a route. @param {Record<string, string>} params */
  setParams({ level = "beginner", using, seed = "" }) {
    const own = /^(\d+)x(\d+)n(\d+)$/.exec(level);
    if (own) this.size.forEach(({ input }, at) => (input.value = own[at + 1]));
    const isListed = [...this.level.options].some((option) => option.value === level);
    this.level.value = own ? CUSTOM : isListed ? level : "beginner";
    this.using.value = using === "clues" ? "clues" : USING[0].value;
    this.seed.value = seed;
    this.#refresh();
  }

  /** Make a game and show it on a stage. */
  async make() {
    this.leaving?.abort();
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.start.disabled = true;
    clear(this.said, working("Looking for a game that needs no guess…"));
    try {
      const body = { level: this.#levelName, using: this.using.value, seed: this.seed.value === "" ? null : Number(this.seed.value) };
      const made = await ask("generate/game", body, { signal });
      clear(this.said);
      this.onMade?.(this.#madeCard(made));
      this.app.announce(`The game ${made.id} is ready. Begin at ${made.first}.`);
    } catch (error) {
      if (!isAbort(error)) clear(this.said, notice(error.message, error.code === "offline" ? { retry: () => this.make() } : {}));
    } finally {
      this.start.disabled = false;
    }
  }

  #madeCard({ id, first, level, seed }) {
    return card("A game that needs no guess", {},
      h("p", {}, "Begin at ", h("b", {}, inWords(first)), ". From there on, every step follows by logic."),
      facts([["Id of the game", h("code", {}, id)], ["Level", level], ["Seed", seed], ["First cell", first]]),
      h("div", { class: "row" }, button({ label: "Play", icon: "play", kind: "primary", onclick: () => this.app.go("play", { id }) }),
        button({ label: "Copy link", icon: "link", onclick: () => copyAndSay(linkTo("play", { id }), "Link copied") }),
        button({ label: "Copy id", icon: "copy", kind: "quiet", onclick: () => copyAndSay(id, "Id copied") })));
  }
}
