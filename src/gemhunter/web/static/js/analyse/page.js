// The parts of the tab Analyse and their layout.
import { fetchFile, isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { clear, download, h } from "../dom.js";
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { icon } from "../icons.js";
import { shortcutOf } from "../keys.js";
import { button, card, copyAndSay, emptyState, field, menuButton, newId, notice, segmented, toast, toggle } from "../widgets.js";
import { percent } from "../words.js";
import { AdviceCard } from "./advice.js";
import { isPossible } from "./new_dialog.js";
import { Overlay } from "./overlay.js";
import { zero } from "./reading.js";
import { SolutionsCard } from "./solutions.js";
import { VerdictCard } from "./verdict.js";

const LESSON_SAMPLES = ["sample:3x4", "sample:9x9", "sample:16x30"];

/** Build the page in `root`; `tab` is what its buttons call. @param {HTMLElement} root @param {any} tab */
export function buildPage(root, tab) {
  const host = h("div", { class: "board-host" });
  const board = new Board(host, {
    label: "Board", onAct: (act) => tab.act(act), onHover: (cell) => tab.showCell(cell), onCursor: (cell) => tab.showCell(cell),
    onRelease: () => tab.editor.endStroke(),
  });
  const page = {
    board, overlay: new Overlay(board), verdict: new VerdictCard((name) => showOn(board, name)),
    lines: h("div", { class: "column analyse-lines" }), cellLine: h("span", { class: "analyse-cell-line" }),
  };
  page.tools = toolBar((tool) => {
    const isDrawing = tool.ink !== undefined;
    board.setMode(isDrawing ? "edit" : "view");
    board.brush = isDrawing;
    board.draw();
  });
  const getGrid = () => tab.grid;
  page.solutions = new SolutionsCard({ grid: getGrid, onShow: (solution) => showSolution(page, tab, solution), announce: (text) => tab.app.announce(text) });
  const question = () => tab.question();
  const usual = tab.app.about.usual_density;
  page.trapsCard = new TrapsCard({ grid: getGrid, usual, onEdit: (grid) => tab.editor.edit(grid), onAssume: (isAssuming) => tab.assume(isAssuming) });
  page.advice = new AdviceCard({ grid: getGrid, question, usual, onAssume: () => assumeForAdvice(tab, usual), onAdvice: (advice) => page.overlay.setAdvice(advice), onCell: (name) => showOn(board, name) });
  page.boardCard = new BoardCard({ grid: getGrid, most: tab.app.about.limits.cells, onEdit: (grid) => tab.editor.edit(grid) });
  addHistory(page, tab);
  addSwitches(page);
  page.lesson = h("div", { hidden: true });
  page.showLesson = (grid) => showLesson(page.lesson, grid, tab);
  const fileTools = h("div", { class: "toolbar" }, openTools(tab), h("span", { class: "spring" }), page.history, h("span", { class: "divider" }),
    button({ label: "Copy link", icon: "link", title: "Copy a link that holds the whole board", onclick: () => tab.copyLink() }),
    exportMenu({ kinds: tab.app.about.export_kinds, board, grid: getGrid, question, solution: () => page.overlay.solution }));
  page.stage = h("div", { class: "stage analyse-stage" }, fileTools, page.tools, page.lines, host, h("div", { class: "analyse-foot" }, page.cellLine, page.view));
  const side = h("div", { class: "side" }, page.lesson, page.trapsCard.element, page.verdict.element, nextSteps(page, tab), page.solutions.element, page.advice.element, page.boardCard.element);
  clear(root, h("div", { class: "workspace" }, page.stage, side));
  return page;
}

function openTools(tab) {
  const samples = () => tab.app.about.samples.map((sample) => ({
    label: sample.name.replace("sample:", ""), note: sample.about, onclick: () => tab.sample(sample.name),
  }));
  return [
    button({ label: "New", icon: "plus", action: "fresh", title: "New blank board", onclick: () => tab.newBoard() }),
    button({ label: "Text", icon: "paste", title: "Paste or type a board (Ctrl+V pastes anywhere)", onclick: () => tab.editText() }),
    button({ label: "Open", icon: "open", title: "Open a board file, or drop one on the page", onclick: () => tab.chooseFile() }),
    menuButton({ label: "Samples", icon: "grid", title: "Boards that come with Gem Hunter", items: samples }),
  ];
}

function addHistory(page, tab) {
  const undo = button({ label: "Undo", icon: "undo", action: "undo", compact: true, kind: "quiet", onclick: () => tab.editor.undo() });
  const redo = button({ label: "Redo", icon: "redo", action: "redo", compact: true, kind: "quiet", onclick: () => tab.editor.redo() });
  page.history = [undo, redo];
  page.showHistory = ({ canUndo, canRedo }) => {
    undo.disabled = !canUndo;
    redo.disabled = !canRedo;
  };
}

function addSwitches(page) {
  const { overlay } = page;
  const make = (name, label, title) => toggle({ label, title, checked: overlay.wants[name], onChange: (isOn) => overlay.want(name, isOn) });
  const risks = make("risks", "Risks", `The probability that each cell is a trap (${shortcutOf("risks")})`);
  const forced = make("forced", "Forced cells", `Cells that are the same in every solution (${shortcutOf("forced")})`);
  page.switches = { risks: risks.querySelector("input"), forced: forced.querySelector("input") };
  forced.append(icon("trap"), icon("gem"));
  page.assumed = h("small", { class: "quiet analyse-assumed" });
  risks.append(h("span", { class: "analyse-scale", "aria-hidden": "true" }, "0 %", h("i", { class: "analyse-ramp" }), "100 %"), page.assumed);
  page.view = h("div", { class: "analyse-view", role: "group", "aria-label": "Show on the board" }, forced, risks);
}

function nextSteps(page, tab) {
  page.fillIn = button({ label: "Fill it in", icon: "pencil", title: "Solve it yourself in the tab Play", onclick: () => tab.app.go("play", { b: tab.grid.code() }) });
  return h("div", { class: "analyse-next" },
    button({ label: "Explain this board", icon: "understand", kind: "primary", action: "explain", onclick: () => tab.app.openBoard("understand", tab.grid) }),
    page.fillIn,
    button({ label: "Compare engines", icon: "compare", title: "See how fast engines solve this board", onclick: () => tab.app.go("compare", { b: tab.grid.code() }) }));
}

function assumeForAdvice(tab, usual) {
  tab.assume(true);
  toast(`The risks now assume ${percent(usual)} traps; “Number of traps” changes that`);
}

function showSolution(page, tab, solution) {
  page.overlay.setSolution(solution);
  if (tab.grid) tab.showCell();
}

function showOn(board, name) {
  board.pointAt(board.grid.named(name));
  board.show([name]);
  board.focus();
}

/** If the board has no clues, show how to draw them. */
function showLesson(host, grid, tab) {
  const isBare = !grid.cells.some((code) => code >= 0);
  host.hidden = !isBare;
  if (!isBare) return;
  const buttons = LESSON_SAMPLES.map((name) => button({ label: name.replace("sample:", "").replace("x", "×"), onclick: () => tab.sample(name) }));
  clear(host, card(null, {}, emptyState("Choose a number above the board and click cells, or point at cells and type digits. Or begin with a sample:", ...buttons)));
}

// The card with the size of the board, and how 0 is read.

/** Shows and changes rows and columns. */
class BoardCard {
  /** @param {{grid: () => import("../grid.js").Grid, most: number, onEdit: (grid: import("../grid.js").Grid) => void}} options */
  constructor({ grid, most, onEdit }) {
    this.options = { grid, most, onEdit };
    // Disabled until there is a board whose size they show.
    const number = () => h("input", { type: "number", inputmode: "numeric", min: "1", disabled: true, onchange: () => this.#resize() });
    this.rows = number();
    this.cols = number();
    this.fault = h("div", { class: "analyse-fault" });
    this.zero = h("div", {});
    this.element = card("Board", {}, h("div", { class: "fields" }, field("Rows", this.rows), field("Columns", this.cols)), this.fault, this.zero);
    this.showZero();
  }

  /** Build the switch again, as the text dialog can change its value too. */
  showZero() {
    clear(this.zero, toggle({
      label: "Treat 0 as a hidden cell", title: "Applies when you paste or open a board that uses 0 for a hidden cell", checked: zero.value === "unknown",
      onChange: (isOn) => (zero.value = isOn ? "unknown" : "clue"),
    }));
  }

  /** @param {import("../grid.js").Grid} grid */
  show(grid) {
    clear(this.fault);
    this.rows.value = String(grid.rows);
    this.cols.value = String(grid.cols);
    this.rows.disabled = this.cols.disabled = false;
  }

  #resize() {
    const [rows, cols] = [Number(this.rows.value), Number(this.cols.value)];
    if (isPossible(rows, cols, this.options.most)) this.options.onEdit(this.options.grid().resized(rows, cols));
    else clear(this.fault, notice(`A board has 1 to ${this.options.most.toLocaleString("en")} cells.`));
  }
}

// The card with what is assumed about the number of traps. Verdict, risks and the best move all depend on it.

/** Shows and changes the number of traps, and how solutions count while it is unknown. */
class TrapsCard {
  /** @param {{grid: () => import("../grid.js").Grid, usual: number, onEdit: (grid: import("../grid.js").Grid) => void, onAssume: (isAssuming: boolean) => void}} options */
  constructor({ grid, usual, onEdit, onAssume }) {
    this.options = { grid, onEdit };
    // Disabled until there is a board to which the number belongs.
    this.total = h("input", { type: "number", inputmode: "numeric", min: "0", placeholder: "unknown", "aria-label": "Number of traps", disabled: true, oninput: () => this.#retotal() });
    this.weights = segmented({
      label: "While the number of traps is unknown", small: true, value: "same", onChange: (value) => onAssume(value === "assumed"),
      options: [
        { value: "same", label: "Weight all solutions equally" },
        { value: "assumed", label: `Assume ${percent(usual)}`, title: `Each cell is a trap with a probability of ${percent(usual)} before the clues are known` },
      ],
    });
    this.fault = h("div", { class: "analyse-fault" });
    this.element = card("Number of traps", { class: "analyse-traps", tools: this.total }, this.weights, this.fault);
  }

  /** @param {import("../grid.js").Grid} grid @param {boolean} isAssuming whether the usual density is assumed */
  show(grid, isAssuming) {
    clear(this.fault);
    this.total.disabled = false;
    // Leave a field alone while someone types in it, unless its number has changed.
    const total = grid.total === null ? "" : String(grid.total);
    if (document.activeElement !== this.total || Number(this.total.value) !== grid.total) this.total.value = total;
    this.weights.hidden = grid.total !== null;
    this.weights.value = isAssuming ? "assumed" : "same";
  }

  #retotal() {
    const text = this.total.value.trim();
    const total = text === "" ? null : Number(text);
    if (this.total.validity.badInput || (total !== null && (!Number.isInteger(total) || total < 0))) {
      const { total: kept } = this.options.grid();
      const still = kept === null ? "It is still unknown" : `It is still ${kept}`;
      clear(this.fault, notice(`The number of traps must be a whole number; leave it empty if it is unknown. ${still}.`));
      return;
    }
    clear(this.fault);
    this.options.onEdit(this.options.grid().withTotal(total));
  }
}

// The drawing tools: what a click puts on a cell.

const CLUES = Array.from({ length: 9 }, (_, clue) => ({ value: String(clue), label: `clue ${clue}`, action: "clue", ink: clue, sign: String(clue) }));

/** @typedef {{value: string, label: string, sign: SVGElement|string, text?: string, action?: string, ink?: number|string}} Tool */

/** The tools in their order; `ink` is undefined for the tool that only looks. @type {Tool[]} */
const TOOLS = [
  { value: "look", label: "look and move", sign: icon("hand"), text: "Look" },
  ...CLUES,
  { value: "trap", label: "trap", action: "trap", ink: TRAP, sign: icon("trap") },
  { value: "gem", label: "gem", action: "gem", ink: GEM, sign: icon("gem") },
  { value: "flag", label: "flag", action: "flag", ink: "flag", sign: icon("flag") },
  { value: "hidden", label: "hidden: erase", action: "erase", ink: HIDDEN, sign: icon("eraser") },
];

/** The bar of tools. `element.tool` is the chosen one. @param {(tool: Tool) => void} onChange @returns {HTMLElement & {tool: Tool}} */
function toolBar(onChange) {
  const name = newId("tool");
  const bar = Object.assign(h("div", { class: "analyse-tools segmented", role: "radiogroup", "aria-label": "Drawing tool" },
    TOOLS.map((tool) => {
      const choose = () => {
        bar.tool = tool;
        onChange(tool);
      };
      const input = h("input", { type: "radio", name, value: tool.value, checked: tool.value === "look", "aria-label": tool.label, onchange: choose });
      const title = tool.action ? `Draw ${tool.label} (${tool.action === "clue" ? tool.ink : shortcutOf(tool.action)})` : "Look at cells and move the board";
      return h("label", { title, dataset: { tool: tool.value } }, input, h("span", {}, tool.sign, tool.text));
    })), { tool: TOOLS[0] });
  return bar;
}

// The menu that saves the board as a file.

const KINDS = {
  text: ["Text", ".txt"], compact: ["Compact text", ".txt"], json: ["JSON", ".json"], mine: ["Position for other programs", ".mine"], dimacs: ["DIMACS CNF", ".cnf"],
  svg: ["Board only", ".svg"], png: ["Board only", ".png"], "heat-svg": ["With risks", ".svg"], "heat-png": ["With risks", ".png"],
};

/**
 * The menu button. `solution` gives the solution that is browsed, or null.
 * @param {{kinds: string[], board: import("../board/board.js").Board, grid: () => import("../grid.js").Grid, question: () => any, solution: () => import("../grid.js").Grid|null}} options
 */
function exportMenu({ kinds, board, grid, question, solution }) {
  const offered = Object.keys(KINDS).filter((kind) => kinds.includes(kind));
  const entries = (chosen) => chosen.map((kind) => entry(kind, grid(), question));
  const isPicture = (kind) => kind.endsWith("svg") || kind.endsWith("png");
  return menuButton({
    label: "Export", icon: "export", title: "Save the board as a file",
    items: () => [
      { label: "Copy as text", icon: "copy", onclick: () => copyAndSay(grid().toText(), "Board copied as text") },
      ...solutionEntries(solution()),
      { heading: "Files" }, ...entries(offered.filter((kind) => !isPicture(kind))),
      { heading: "Pictures" }, { label: "As shown", note: ".png", onclick: () => saveShown(board) }, ...entries(offered.filter(isPicture)),
    ],
  });
}

function solutionEntries(solution) {
  if (!solution) return [];
  const text = solution.toText();
  return [
    { heading: "This solution" },
    { label: "Copy the solution", icon: "copy", onclick: () => copyAndSay(text, "Solution copied as text") },
    { label: "Solution as text", note: ".txt", onclick: () => download(new Blob([`${text}\n`], { type: "text/plain" }), "solution.txt") },
  ];
}

function entry(kind, grid, question) {
  const [label, ending] = KINDS[kind];
  const isWithoutTotal = kind === "mine" && grid.total === null;
  const refuse = () => toast("A .mine file holds the number of traps: fill in the field “Number of traps” first", "error");
  return { label, note: isWithoutTotal ? `${ending}, needs the number of traps` : ending, onclick: isWithoutTotal ? refuse : () => save(kind, question()) };
}

async function save(kind, question) {
  try {
    const { blob, name } = await fetchFile("export", { ...question, to: kind });
    download(blob, name.includes(".") ? name : `board${KINDS[kind][1]}`);
  } catch (error) {
    if (!isAbort(error)) toast(`Not exported: ${error.message}`, "error");
  }
}

async function saveShown(board) {
  try {
    download(await board.toBlob(), "board.png");
  } catch (error) {
    toast(`Not exported: ${error.message}`, "error");
  }
}
