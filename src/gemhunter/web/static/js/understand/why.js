// Mode Why: the explanation of a board, or of one cell, step by step.
import { clear, h } from "../dom.js";
import { badge, button, card, segmented } from "../widgets.js";
import { counted } from "../words.js";
import { sentence } from "./cell-text.js";
import { Loading } from "./loading.js";
import { Player } from "./player.js";
import { Rows } from "./rows.js";
import { isCounted, layersOf, scenesOfBoard, scenesOfCell } from "./scenes.js";

const ROW_HEIGHT = 62;
const SPEEDS = { least: 0.1, most: 10, start: 0.4 };
const HELP = "Choose a hidden cell to ask why it is what it is, or a clue to see its clauses.";

/** @typedef {{cell: string, isOpposite: boolean}} Asked a question about one cell */

/** The explanation player. */
export class Why {
  /** @param {{app: any, stage: import("./stage.js").Stage, onChange: (isNew: boolean) => void}} context `onChange`: called when the route has changed */
  constructor({ app, stage, onChange }) {
    this.app = app;
    this.stage = stage;
    this.onChange = onChange;
    this.scenes = [];
    this.loading = new Loading();
    this.player = new Player({
      name: "why", label: "Explanation", noun: "step", speeds: SPEEDS, onGo: (index, how) => this.#onGo(index, how), place: (index) => placeOf(this.scenes, index),
    });
    this.rows = new Rows({ label: "Steps", height: ROW_HEIGHT, draw: (index) => sceneRow(this.scenes, index), onPick: (index) => this.player.goByHand(index) });
    this.head = h("div", { class: "understand-question" });
    this.text = h("div", { class: "understand-now", role: "group", tabindex: "0", "aria-label": "This step" });
    this.summary = h("div", { class: "row" });
    const list = h("section", { class: "card understand-list", "aria-label": "All steps" },
      h("header", { class: "card-head" }, h("h2", {}, "Steps"), this.summary), this.rows.element);
    this.content = h("div", { class: "column understand-content" }, card(null, { class: "understand-player-card" }, this.player.element, this.text), list);
    /** What stands above the board: nothing. */
    this.above = null;
    this.element = h("div", { class: "column understand-mode" }, this.loading.element, this.head, this.content);
  }

  /** The parameters of the route for a board. @param {import("../grid.js").Grid} grid */
  params(grid) {
    if (!grid.equals(this.grid ?? null)) return {};
    return { s: this.scenes.length ? this.player.index + 1 : null, cell: this.asked?.cell, not: this.asked?.isOpposite ? 1 : null };
  }

  /** Show a board. @param {import("../grid.js").Grid} grid @param {Record<string, string>} params */
  async open(grid, params) {
    this.stage.say(HELP);
    const asked = params.cell ? { cell: params.cell, isOpposite: Boolean(params.not) } : null;
    const isSame = this.whole && grid.equals(this.grid);
    if (isSame && sameQuestion(asked, this.asked) && this.scenes.length) return this.player.setLength(this.scenes.length, Number(params.s || 1) - 1);
    this.grid = grid;
    if (!isSame) await this.#explain(params, asked);
    else if (asked) await this.#ask(asked, params.s);
    else this.#showWhole(Number(params.s || 1) - 1);
  }

  /** Stop playing and asking. */
  close() {
    this.player.pause();
    this.loading.abort();
  }

  async #explain(params, asked) {
    this.whole = null;
    this.asked = null;
    this.#reset();
    const grid = this.grid;
    const record = await this.loading.ask("explain", grid.toBody(), { text: "Looking for steps…", again: () => this.#explain(params, asked) });
    if (!record || grid !== this.grid) return;
    this.whole = { record, scenes: scenesOfBoard(record, grid) };
    if (asked) await this.#ask(asked, params.s);
    else this.#showWhole(Number(params.s || 1) - 1);
  }

  #reset() {
    this.scenes = [];
    this.rows.setLength(0);
    this.content.hidden = true;
    clear(this.head);
    this.stage.show({});
  }

  #showWhole(index) {
    this.asked = null;
    this.#start(this.whole.scenes, index);
    const { difficulty } = this.whole.record;
    clear(this.head);
    const tone = { "no solution": "bad", "needs a guess": "warn" }[difficulty.word] ?? "info";
    const numbers = `score ${difficulty.score.toLocaleString("en")} · ${this.#stepsText}`;
    clear(this.summary, badge(difficulty.word, tone), h("span", { class: "quiet" }, numbers));
  }

  get #stepsText() {
    return counted(this.scenes.filter(isCounted).length, "step");
  }

  #start(scenes, index) {
    this.scenes = scenes;
    this.example = null;
    this.content.hidden = false;
    this.rows.setLength(scenes.length);
    this.player.setLength(scenes.length, index);
  }

  /** Ask about a hidden cell of the board. @param {import("../grid.js").Cell} cell */
  async choose(cell) {
    if (!this.whole) return;
    await this.#askNew({ cell: this.grid.cellName(cell.index), isOpposite: false });
  }

  async #askNew(asked) {
    if (await this.#ask(asked, "1")) this.onChange(true);
  }

  async #ask(asked, step) {
    const { cell, isOpposite } = asked;
    const again = () => this.#askNew(asked);
    const record = await this.loading.ask("explain-cell", { ...this.grid.toBody(), cell, opposite: isOpposite }, { text: `Asking about ${cell}…`, again });
    if (!record) {
      if (!this.scenes.length && this.whole) this.#showWhole(0);
      return false;
    }
    if (!this.asked) this.returnTo = this.player.index;
    this.asked = asked;
    this.#start(scenesOfCell(record, this.grid), Number(step || 1) - 1);
    this.#showQuestion(record);
    clear(this.summary, h("span", { class: "quiet" }, this.#stepsText));
    this.app.announce(`${this.question} ${this.scenes[this.player.index].sentence}`);
    return true;
  }

  #showQuestion({ cell, value, supposed }) {
    const other = value === "trap" ? "gem" : "trap";
    this.question = supposed ? `What if ${cell} were a ${supposed}?` : value ? `Why is ${cell} a ${value}?` : `Is ${cell} a trap or a gem?`;
    const buttons = [button({ label: "Whole board", icon: "left", action: "leave", onclick: () => this.#back() })];
    if (supposed) buttons.push(button({ label: `Why is it a ${value}?`, onclick: () => this.#askNew({ cell, isOpposite: false }) }));
    else if (value) buttons.push(button({ label: `What if it were a ${other}?`, icon: "bulb", onclick: () => this.#askNew({ cell, isOpposite: true }) }));
    const hadFocus = this.head.contains(document.activeElement);
    clear(this.head, h("div", { class: "card understand-asked" }, h("h2", {}, this.question), h("div", { class: "row" }, buttons)));
    if (hadFocus) buttons.at(-1).focus();
  }

  #back() {
    const { cell } = this.asked;
    const deciding = this.whole.scenes.findIndex(({ traps, gems }) => traps.includes(cell) || gems.includes(cell));
    this.#showWhole(this.returnTo ?? Math.max(0, deciding));
    this.returnTo = null;
    this.onChange(true);
  }

  #onGo(index, how) {
    const scene = this.scenes[index];
    this.example = null;
    this.rows.setCurrent(index);
    this.#draw();
    this.stage.reveal([...scene.traps, ...scene.gems, scene.broken, ...scene.clues].filter(Boolean));
    if (how === "hand" || how === "slow") this.onChange(false);
    if (how === "hand") this.app.announce(scene.note ? `${scene.sentence} ${scene.note}` : scene.sentence);
  }

  #draw() {
    const { index } = this.player;
    const scene = this.scenes[index];
    this.stage.show({ ...layersOf(this.scenes, index, this.example), cursorHint: this.asked?.cell ?? null });
    const onExample = (example) => {
      this.example = example;
      this.stage.show({ ...layersOf(this.scenes, index, example), cursorHint: this.asked?.cell ?? null });
    };
    clear(this.text, sceneView(scene, { rules: this.app.about.rules ?? [], point: this.stage.point, example: this.example, onExample }));
  }

  /** What keys do. */
  get uses() {
    return { ...(this.scenes.length && this.player.uses), ...(this.asked && { leave: () => this.#back() }) };
  }
}

function placeOf(scenes, index) {
  if (!isCounted(scenes[index])) return "end";
  return `${(index + 1).toLocaleString("en")} / ${scenes.filter(isCounted).length.toLocaleString("en")}`;
}

function sameQuestion(one, other) {
  return one?.cell === other?.cell && Boolean(one?.isOpposite) === Boolean(other?.isOpposite);
}

// What mode Why says about one scene: rule, sentence, thoughts, notes and the example solutions.

const MANY_THOUGHTS = 16;
/** @type {Record<string, Parameters<typeof badge>>} */
const ENDS = { suppose: ["assumption", "info"], conflict: ["conflict", "bad"], open: ["undecided", "warn"], done: ["done", "good"], "gave-up": ["gave up", "warn"] };

/** @typedef {import("./scenes.js").Scene} Scene */

/** The badges of a scene: its rule and level, or how the explanation ends. @param {Scene} scene @param {{name: string, level: number, about: string}[]} rules */
function sceneBadges(scene, rules) {
  if (scene.kind !== "step") return [badge(...ENDS[scene.kind])];
  const rule = badge(scene.rule, "info");
  const about = rules.find(({ name }) => name === scene.rule)?.about;
  if (about) rule.title = `Decided by ${about}`;
  return [rule, badge(`level ${scene.level}`), scene.total ? badge("uses the number of traps") : null];
}

/** A row of the list of scenes. @param {Scene[]} scenes @param {number} index */
function sceneRow(scenes, index) {
  const scene = scenes[index];
  const isStep = scene.kind === "step";
  const level = isStep && h("span", { class: `understand-level level-${scene.level}` }, `level ${scene.level}`);
  const head = h("span", { class: "understand-scene-head" }, h("b", {}, isStep ? scene.rule : ENDS[scene.kind][0]), level);
  return {
    class: `understand-scene ${scene.kind}`,
    children: [
      h("span", { class: "understand-number" }, isCounted(scene) ? String(index + 1) : "•"),
      h("span", { class: "understand-scene-text" }, head, h("span", { class: "understand-scene-line" }, scene.sentence)),
    ],
  };
}

/**
 * The view of a scene: badges, sentence, note, line of thought and example solutions.
 * @param {Scene} scene @param {{rules: any[], point: import("./cell-text.js").Point, example: number|null, onExample: (example: number|null) => void}} context
 */
function sceneView(scene, { rules, point, example, onExample }) {
  return [
    h("div", { class: "row" }, sceneBadges(scene, rules)),
    h("p", { class: "understand-sentence" }, sentence(scene.sentence, point)),
    scene.note && h("p", {}, sentence(scene.note, point)),
    scene.thoughts.length > 0 && thoughtsView(scene.thoughts, point),
    scene.examples?.length > 0 && examplesView(scene.examples, example, onExample),
  ];
}

function examplesView(examples, example, onExample) {
  const options = [{ value: "", label: "Undecided cells" }, ...examples.map((_, at) => ({ value: String(at), label: `Solution ${at + 1}` }))];
  return segmented({
    label: "What the undecided cells show", small: true, options, value: example === null ? "" : String(example),
    onChange: (value) => onExample(value === "" ? null : Number(value)),
  });
}

function thoughtsView(thoughts, point) {
  const isLong = thoughts.length > MANY_THOUGHTS;
  return h("details", { class: "understand-thoughts", open: true },
    h("summary", {}, h("b", {}, "Line of thought"), h("span", { class: "quiet" }, ` · ${counted(thoughts.length, "thought")}`)),
    h("div", { class: "understand-thoughts-body" }, branches(thoughts, point, isLong)));
}

/** Thoughts as nested lists: those that follow at a greater depth fold into the one before. */
function branches(thoughts, point, isLong) {
  const items = [];
  for (let at = 0; at < thoughts.length; ) {
    let end = at + 1;
    while (end < thoughts.length && thoughts[end].depth > thoughts[at].depth) end += 1;
    const text = sentence(thoughts[at].sentence, point);
    const inner = thoughts.slice(at + 1, end);
    items.push(inner.length
      ? h("li", {}, h("details", { open: !isLong || thoughts[at].depth < 1 }, h("summary", {}, text), branches(inner, point, isLong)))
      : h("li", { class: "understand-leaf" }, text));
    at = end;
  }
  return h("ul", {}, items);
}
