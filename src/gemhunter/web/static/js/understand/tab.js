// Tab Understand: why cells are what they are, and algorithms at work, both on one board.
import { isAbort } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { boardOfAnalyse, linkTo, pushRoute, replaceRoute } from "../route.js";
import { button, copyAndSay, emptyState, menuButton, notice, segmented } from "../widgets.js";
import { Stage } from "./stage.js";
import { Watch } from "./watch.js";
import { Why } from "./why.js";

const TAB = "understand";

/** The tab; it is made once, when it is first shown. */
class Understand {
  constructor(root, app) {
    this.app = app;
    /** @type {"why"|"watch"} */
    this.mode = "why";
    this.grid = null;
    this.isShown = false;
    this.stage = new Stage((cell) => this.current.choose(cell));
    const context = { app, stage: this.stage, onChange: (isNew) => this.#saveRoute(isNew) };
    this.modes = { why: new Why(context), watch: new Watch(context) };
    this.#build(root);
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

  /** @returns {Record<string, any>} */
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
    this.mode = params.mode === "watch" ? "watch" : "why";
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

  /** @param {Record<string, string>} params */
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

  /** Boards from Analyse. @returns {Ways} */
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

  /** What keys do in this tab. */
  get uses() {
    return this.grid ? this.current.uses : {};
  }

  /** Called when another tab is shown. */
  hide() {
    this.isShown = false;
    this.stage.stop();
    for (const mode of Object.values(this.modes)) mode.close();
  }
}

/** @type {Understand|null} */
let tab = null;

export default {
  title: "Understand",
  mount(root, app) {
    tab = new Understand(root, app);
  },
  show: (params) => tab.show(params),
  hide: () => tab.hide(),
  uses: () => tab.uses,
};

// Boards to begin with: the buttons of the empty tab and the menu of samples.

const WHY = [
  { name: "sample:what-if", label: "One cell needs a “what if”" },
  { name: "sample:one-two-one", label: "The pattern 1-2-1" },
  { name: "sample:9x9", label: "9×9 with undecided cells" },
  { name: "sample:no-solution", label: "No solution" },
];
const WATCH = [
  { name: "sample:backjump", label: "CDCL jumps back", e: "cdcl" },
  { name: "sample:learning", label: "CDCL learns", e: "cdcl" },
  { name: "sample:learning", label: "DPLL does not learn", e: "dpll" },
  { name: "sample:stuck", label: "Resolution gets stuck", e: "resolution" },
  // With so few individuals, even a small board takes several generations.
  { name: "sample:s1-5x5", label: "A genetic algorithm", e: "genetic:population=8", seed: "1" },
];

/** @typedef {(name: string, params: Record<string, string>) => void} Choose loads a sample */
/** @typedef {{useAnalysed: (() => void)|null, goToAnalyse: () => void}} Ways other ways to a board; `useAnalysed` loads the one shown in Analyse */

/** What the tab shows without a board. @param {"why"|"watch"} mode @param {Choose} choose @param {Ways} ways */
function startPage(mode, choose, { useAnalysed, goToAnalyse }) {
  const [text, samples] = mode === "why"
    ? ["See why each cell is a trap or a gem: one step at a time, with the clues it rests on.", WHY]
    : ["Watch an algorithm search: each decision, implication and conflict on the board.", WATCH];
  const buttons = samples.map(({ name, label, ...params }, at) =>
    button({ label, title: name, kind: at || useAnalysed ? "" : "primary", onclick: () => choose(name, { mode, ...params }) }));
  const own = [
    ...(useAnalysed ? [button({ label: "Use the board from Analyse", icon: "analyse", kind: "primary", onclick: useAnalysed })] : []),
    button({ label: "Paste or open a board", icon: "paste", title: "In the tab Analyse, which brings it here with “Explain this board”", onclick: goToAnalyse }),
  ];
  const start = emptyState(text, ...own);
  start.append(h("p", {}, "Or begin with a sample:"), h("div", { class: "row" }, buttons));
  return h("div", { class: "card understand-empty" }, start);
}

/** A menu of other boards: all samples, and those of Analyse. @param {any[]} samples @param {(name: string) => void} choose @param {() => Ways} waysNow */
function boardsMenu(samples, choose, waysNow) {
  const sampleItem = ({ name, rows, cols, about }) => ({ label: name.replace("sample:", ""), note: about ?? `${rows}×${cols}`, onclick: () => choose(name) });
  return menuButton({
    label: "Another board", icon: "grid", title: "Load another board",
    items: () => {
      const { useAnalysed, goToAnalyse } = waysNow();
      const analysed = useAnalysed ? [{ label: "The board from Analyse", icon: "analyse", onclick: useAnalysed }] : [];
      return [...analysed, { label: "Paste or open a board", note: "in Analyse", icon: "paste", onclick: goToAnalyse }, { heading: "Samples" }, ...samples.map(sampleItem)];
    },
  });
}
