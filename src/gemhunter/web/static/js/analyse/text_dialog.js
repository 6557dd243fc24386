// The dialog in which a board is pasted or typed; faults are listed beside the text, with line and column.
import { clear, h } from "../dom.js";
import { button, notice, openDialog, prose, segmented, working } from "../widgets.js";
import { counted } from "../words.js";
import { Latest } from "./latest.js";
import { readText, zero } from "./reading.js";

const EXAMPLE = "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _";

/** Open the dialog. @param {{text?: string, present: string, onBoard: (reading: import("./reading.js").Reading) => void}} options */
export function openTextDialog({ text = "", present, onBoard }) {
  const area = h("textarea", { rows: "13", spellcheck: "false", autocomplete: "off", wrap: "off", placeholder: EXAMPLE, value: text, "aria-label": "Board as text" });
  const report = h("div", { class: "analyse-report", "aria-live": "polite" });
  const use = button({ label: "Use this board", kind: "primary", title: "Use this board (Ctrl+Enter)", disabled: true, onclick: () => accept() });
  let reading = null;
  const accept = () => {
    if (!reading) return;
    close();
    onBoard(reading);
  };
  const latest = new Latest({
    pause: 180,
    ask: (typed, signal) => readText(typed, signal),
    onSlow: () => clear(report, working("Reading…")),
    onAnswer: (answer) => settle(answer, goodReport(answer)),
    onError: (error) => settle(null, faultList(error, area)),
  });
  const settle = (answer, shown) => {
    reading = answer;
    use.disabled = !answer;
    area.setAttribute("aria-invalid", String(!answer && area.value.trim() !== ""));
    clear(report, shown);
  };
  const check = () => {
    latest.cancel();
    if (area.value.trim()) latest.request(area.value);
    else settle(null, null);
  };
  area.addEventListener("input", check);
  area.addEventListener("keydown", (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && accept());
  const { element, close } = openDialog({ title: "Board as text", wide: true, onClose: () => latest.cancel() },
    h("div", { class: "analyse-text" }, area, h("div", { class: "column" }, report, formatHelp())), h("div", { class: "row between" }, zeroChoice(check), h("div", { class: "row" }, startButton(area, present, check), use)));
  element.querySelector("textarea").focus();
  check();
}

function zeroChoice(onChange) {
  const options = [{ value: "clue", label: "a clue" }, { value: "unknown", label: "a hidden cell" }];
  const choose = (value) => {
    zero.value = value;
    onChange();
  };
  return h("div", { class: "row" }, h("span", { class: "label" }, "0 means"), segmented({ label: "0 means", small: true, options, value: zero.value, onChange: choose }));
}

function startButton(area, present, check) {
  const start = () => {
    area.value = present;
    check();
    area.focus();
  };
  return button({ label: "Load the current board", icon: "pencil", onclick: start });
}

function goodReport({ grid, game }) {
  const hidden = grid.cells.filter((code) => code === -1).length;
  return [
    notice(`A board of ${grid.rows}×${grid.cols} cells${grid.size === 1 ? "" : `, ${hidden.toLocaleString("en")} of them hidden`}.`, { kind: "info" }),
    game && h("p", {}, `It is a game with ${counted(game.moves.length, "move")}; you can open it in Play.`),
  ];
}

function faultList(error, area) {
  if (!error.faults?.length) return notice(error.message);
  return [
    h("strong", {}, counted(error.faults.length, "error")),
    h("ol", { class: "analyse-faults" }, error.faults.map((fault) => faultLine(fault, area))),
  ];
}

function faultLine({ line, column, message }, area) {
  const place = [line && `line ${line}`, column && `column ${column}`].filter(Boolean).join(", ");
  const select = () => selectIn(area, line ?? 1, column ?? 1);
  return h("li", {}, h("button", { type: "button", onclick: select, title: "Show it in the text" }, place && h("b", {}, place), h("span", {}, prose(message))));
}

function selectIn(area, line, column) {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(start, Math.min(start + 1, area.value.length));
  area.scrollTop = Math.max(0, (line - 4) * 21);
}

function formatHelp() {
  const sign = (name, meaning) => h("div", {}, h("dt", {}, h("kbd", {}, name)), h("dd", {}, meaning));
  return h("div", { class: "column" },
    h("p", { class: "quiet" }, "One row per line, with or without commas. Game files such as .mine and .json can be pasted as well."),
    h("dl", { class: "keys" }, sign("0 … 8", "a clue"), sign("_", "a hidden cell"), sign("T", "a trap"), sign("G", "a gem"), sign("F", "a flag")));
}
