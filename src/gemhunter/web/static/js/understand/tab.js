// Tab Understand: why cells are what they are, and algorithms at work, both on one board.
import { isAbort } from "../api.js";
import { clear, h, isTyping, on } from "../dom.js";
import { Grid } from "../grid.js";
import { boardOfAnalyse, linkTo, pushRoute, replaceRoute } from "../route.js";
import { button, copyAndSay, notice, segmented } from "../widgets.js";
import { boardsMenu, startPage } from "./samples.js";
import { Stage } from "./stage.js";
import { Watch } from "./watch.js";
import { Why } from "./why.js";

const TAB = "understand";
const MODES = ["why", "watch"];

/** Everything the tab holds; there is one, made when the tab is first shown. */
class Understand {
  constructor(root, app) {
    this.app = app;
    this.mode = "why";
    this.grid = null;
    this.isShown = false;
    this.stage = new Stage({ onHidden: (cell) => this.current.choose(cell), onKey: (event) => this.current.onKey(event) });
    const context = { app, stage: this.stage, onChange: (isNew) => this.#saveRoute(isNew) };
    this.modes = { why: new Why(context), watch: new Watch(context) };
    this.#build(root);
    on(document, "keydown", (event) => this.#onKey(event));
  }

  #build(root) {
    this.switch = segmented({
      label: "Mode", value: this.mode, onChange: (mode) => this.#setMode(mode),
      options: [
        { value: "why", label: "Why", title: "Why each cell is a trap or a gem", icon: "bulb" },
        { value: "watch", label: "Watch", title: "Watch an algorithm work", icon: "eye" },
      ],
    });
    this.problem = h("div", { class: "understand-problem", hidden: true });
    this.boardTools = h("span", { class: "understand-tools" },
      button({ label: "Edit in Analyse", icon: "pencil", onclick: () => this.app.openBoard("analyse", this.grid) }),
      button({ label: "Copy link", icon: "link", compact: true, onclick: () => copyAndSay(linkTo(TAB, this.#params()), "Link copied") }));
    const boards = boardsMenu(this.app.about.samples, (name) => this.#loadSample(name, { mode: this.mode }), () => this.#ways);
    const tools = h("div", { class: "toolbar understand-toolbar" }, this.switch, h("span", { class: "spring" }), boards, this.boardTools);
    this.side = h("div", { class: "side" });
    this.above = h("div", { class: "understand-above" });
    this.work = h("div", { class: "workspace" }, h("div", { class: "stage" }, this.above, this.stage.element), this.side);
    this.start = h("div", {});
    clear(root, h("div", { class: "page understand" }, tools, this.problem, this.start, this.work));
  }

  get current() {
    return this.modes[this.mode];
  }

  #params() {
    return this.grid ? { b: this.grid.code(), mode: this.mode, ...this.current.params(this.grid) } : { mode: this.mode };
  }

  #saveRoute(isNew) {
    if (!this.isShown) return;
    if (isNew) pushRoute(TAB, this.#params());
    else replaceRoute(TAB, this.#params());
  }

  /** Show the state of a route. @param {Record<string, string>} params */
  async show(params) {
    this.isShown = true;
    if (MODES.includes(params.mode)) this.mode = params.mode;
    this.switch.value = this.mode;
    this.#say(null);
    if (!this.#readBoard(params)) return this.#showStart();
    this.start.hidden = true;
    this.work.hidden = this.boardTools.hidden = false;
    const other = this.modes[this.mode === "why" ? "watch" : "why"];
    other.close();
    if (this.side.firstChild !== this.current.element) {
      clear(this.side, this.current.element, this.stage.clue.element);
      clear(this.above, this.current.above);
    }
    this.stage.setGrid(this.grid);
    await this.current.open(this.grid, params);
  }

  #readBoard({ b }) {
    if (!b) return this.grid !== null;
    try {
      const grid = Grid.fromCode(b);
      if (!grid.equals(this.grid)) this.grid = grid;
      return true;
    } catch (error) {
      this.grid = null;
      this.#say(error.message);
      return false;
    }
  }

  #showStart() {
    this.current.close();
    this.stage.stop();
    this.start.hidden = false;
    this.work.hidden = this.boardTools.hidden = true;
    clear(this.start, startPage(this.mode, (name, params) => this.#loadSample(name, params), this.#ways));
  }

  /** Boards from Analyse. @returns {import("./samples.js").Ways} */
  get #ways() {
    const b = boardOfAnalyse();
    const isOther = b !== null && b !== this.grid?.code();
    return { useAnalysed: isOther ? () => this.app.go(TAB, { b, mode: this.mode }) : null, goToAnalyse: () => this.app.go("analyse") };
  }

  #setMode(mode) {
    this.mode = mode;
    if (!this.grid) {
      pushRoute(TAB, { mode });
      return this.#showStart();
    }
    const params = this.#params();
    pushRoute(TAB, params);
    return this.show(params);
  }

  async #loadSample(name, params) {
    this.#say(null);
    try {
      const grid = await this.app.sample(name);
      await this.app.go(TAB, { b: grid.code(), ...params });
    } catch (error) {
      if (!isAbort(error)) this.#say(error.message, error.code === "offline" ? () => this.#loadSample(name, params) : undefined);
    }
  }

  #say(text, retry) {
    this.problem.hidden = !text;
    clear(this.problem, text && notice(text, retry ? { retry } : {}));
  }

  #onKey(event) {
    if (!this.isShown || !this.grid || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { key, target } = event;
    if (isTyping(target) || document.querySelector("dialog[open]") || !(target instanceof Element) || target.closest("[role=grid], [role=menu]")) return;
    if (key === " " && target.closest("button, summary, a, input")) return;
    if (key.startsWith("Arrow") && target.closest("[role=radiogroup]")) return;
    if (this.current.onKey(event)) event.preventDefault();
  }

  /** Another tab is shown. */
  hide() {
    this.isShown = false;
    this.stage.stop();
    for (const mode of MODES) this.modes[mode].close();
  }
}

/** @type {Understand|null} */
let tab = null;

export default {
  title: "Understand",
  keys: [
    ["n, →", "next step"], ["b, ←", "step back"], ["Home, End", "first and last step"], ["Space", "play or pause"],
    ["Shift+→, Shift+←", "to the next place to stop at"], ["Enter on a cell", "ask about a hidden cell, list the clauses of a clue"],
    ["Escape", "back from a cell to the whole board"], ["g", "implication graph of a learned clause"],
  ],
  mount(root, app) {
    tab = new Understand(root, app);
  },
  show: (params) => tab.show(params),
  hide: () => tab.hide(),
};
