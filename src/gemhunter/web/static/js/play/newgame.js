// The form for a new game: level or size, the rule of the first click, a seed; as a dialog and on the start page.
import { clear, h } from "../dom.js";
import { load, save } from "../store.js";
import { button, field, notice, openDialog } from "../widgets.js";
import { capital, counted } from "../words.js";
import { gameId, newSeed, readId, RULES, sizeText } from "./games.js";

const KEY = "play.rule";
const MOST_SIDE = 500;
const MOST_CELLS = 40_000;
const MOST_DIGITS = 15;

/** The rule that was chosen last. */
export function chosenRule() {
  return load(KEY, 1, "opening");
}

/** A list of the rules of the first click; the choice is remembered. @param {(rule: string) => void} [onChange] */
function ruleField(onChange) {
  const select = h("select", {}, RULES.map(({ value, label }) => h("option", { value, selected: value === chosenRule() }, label)));
  const element = field("First click", select, " ");
  const help = element.querySelector("small");
  const explain = () => (help.textContent = `${capital(RULES.find((rule) => rule.value === select.value).about)}.`);
  select.addEventListener("change", () => {
    save(KEY, 1, select.value);
    explain();
    onChange?.(select.value);
  });
  explain();
  return { element, get value() { return select.value; } };
}

/** Open the dialog for another game. @param {any} app @param {import("./games.js").GameId} game the present one */
export function openNewGame(app, game) {
  const dialog = openDialog({ title: "New game" }, newGameForm(app, { game, onStart: (id) => {
    dialog.close();
    app.go("play", { id });
  } }));
}

/** The form. @param {any} app @param {{game?: {rows: number, cols: number, traps: number}, onStart: (id: string) => void}} options */
export function newGameForm(app, { game = { rows: 16, cols: 16, traps: 40 }, onStart }) {
  const number = (value, most) => h("input", { type: "number", min: "1", max: String(most), value: String(value), required: true, inputmode: "numeric" });
  const [rows, cols, traps] = [number(game.rows, MOST_SIDE), number(game.cols, MOST_SIDE), number(game.traps, MOST_CELLS)];
  traps.min = "0";
  const rule = ruleField();
  const seed = h("input", { type: "text", placeholder: "random", inputmode: "numeric", autocomplete: "off" });
  const errors = h("div", {});
  const fill = (level) => [[rows, level.rows], [cols, level.cols], [traps, level.traps]].forEach(([input, value]) => (input.value = String(value)));
  const levels = h("div", { class: "row" }, app.about.levels.map((level) =>
    button({ label: capital(level.name), title: `${level.rows}×${level.cols}, ${counted(level.traps, "trap")}`, onclick: () => fill(level) })));
  const start = (event) => {
    event.preventDefault();
    try {
      onStart(idOf({ rows: Number(rows.value), cols: Number(cols.value), traps: Number(traps.value) }, seed.value, rule.value, app.about.levels));
    } catch (error) {
      clear(errors, notice(error.message));
    }
  };
  return h("form", { class: "column", onsubmit: start, novalidate: true }, levels,
    h("div", { class: "fields" }, field("Rows", rows), field("Columns", cols), field("Traps", traps)), rule.element,
    field("Seed", seed, "The same seed deals the same board again; leave it empty for a random one."), errors,
    h("div", { class: "row" }, h("button", { type: "submit", class: "button primary" }, "Start")));
}

function idOf(level, seed, rule, levels) {
  const { rows, cols, traps } = level;
  const isWhole = [rows, cols, traps].every(Number.isInteger);
  if (!isWhole || rows < 1 || cols < 1 || rows * cols > MOST_CELLS)
    throw new RangeError(`a game has from 1 to ${MOST_CELLS.toLocaleString("en")} cells`);
  if (traps < 0 || traps >= rows * cols) throw new RangeError(`a ${rows}×${cols} game can have from 0 to ${counted(rows * cols - 1, "trap")}`);
  const text = seed.trim();
  if (text && !new RegExp(`^\\d{1,${MOST_DIGITS}}$`).test(text)) throw new RangeError(`a seed is a whole number of at most ${MOST_DIGITS} digits`);
  return readId(gameId(sizeText(level), text ? String(Number(text)) : newSeed(), rule), levels).id;
}
