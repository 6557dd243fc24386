// The parts of the tab Analyse and where they stand.
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { shortcutOf } from "../keys.js";
import { button, card, emptyState, menuButton, toast, toggle } from "../widgets.js";
import { AdviceCard } from "./advice.js";
import { BoardCard } from "./board_card.js";
import { exportMenu } from "./export_menu.js";
import { Overlay } from "./overlay.js";
import { SolutionsCard } from "./solutions.js";
import { toolBar } from "./tools.js";
import { TrapsCard } from "./traps_card.js";
import { VerdictCard } from "./verdict.js";
import { percent } from "./words.js";

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
    label: sample.name.replace("sample:", ""), note: withoutOptions(sample.about), onclick: () => tab.sample(sample.name),
  }));
  return [
    button({ label: "New", icon: "plus", action: "fresh", title: "New blank board", onclick: () => tab.newBoard() }),
    button({ label: "Text", icon: "paste", title: "Paste or type a board (Ctrl+V pastes anywhere)", onclick: () => tab.editText() }),
    button({ label: "Open", icon: "open", title: "Open a board file, or drop one on the page", onclick: () => tab.chooseFile() }),
    menuButton({ label: "Samples", icon: "grid", title: "Boards that come with Gem Hunter", items: samples }),
  ];
}

/** What is special about a sample, without options of the command line. */
function withoutOptions(text) {
  return text.replace(/--traps (\d+)/, "$1 traps");
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
  const risks = make("risks", "Risks", `How likely each cell is a trap (${shortcutOf("risks")})`);
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
  board.focus();
}

/** A board without clues teaches how to draw one. */
function showLesson(host, grid, tab) {
  const isBare = !grid.cells.some((code) => code >= 0);
  host.hidden = !isBare;
  if (!isBare) return;
  const buttons = LESSON_SAMPLES.map((name) => button({ label: name.replace("sample:", "").replace("x", "×"), onclick: () => tab.sample(name) }));
  clear(host, card(null, {}, emptyState("Choose a number above the board and click cells, or point at cells and type digits. Or begin with a sample:", ...buttons)));
}
