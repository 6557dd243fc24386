// Boards from files and from typed text, read by the server in any format that it knows.
import { ask } from "../api.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { button, field, notice, openDialog, toggle } from "../widgets.js";

/** The board in a file. @param {File} file @returns {Promise<import("./choice.js").NamedBoard>} */
export async function readFile(file) {
  const { grid, traps } = await ask("read", { base64: await base64Of(file), name: file.name });
  return { name: file.name.replace(/\.[^.]+$/, ""), grid: Grid.fromRows(grid, traps), sample: null };
}

function base64Of(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(new Error("the file could not be read"));
    reader.readAsDataURL(file);
  });
}

/** Ask for the text of a board. @param {(board: import("./choice.js").NamedBoard) => void} onRead */
export function openPasteDialog(onRead) {
  const text = h("textarea", { rows: 9, placeholder: "3, _, 2, _\n_, _, 2, _\n_, 3, 1, _", spellcheck: "false" });
  const name = h("input", { value: "pasted", maxlength: 80 });
  const said = h("div", {});
  let zero = "clue";
  const read = async () => {
    try {
      const { grid, traps } = await ask("read", { text: text.value, zero });
      onRead({ name: name.value, grid: Grid.fromRows(grid, traps), sample: null });
      dialog.close();
    } catch (error) {
      clear(said, notice(error.faults?.[0]?.line ? `line ${error.faults[0].line}: ${error.faults[0].message}` : error.message));
      text.focus();
    }
  };
  const dialog = openDialog({ title: "Paste a board" },
    field("Board", text, "One row per line, with or without commas; _ is a hidden cell. Other formats of boards work too."),
    toggle({ label: "Treat 0 as a hidden cell", checked: false, onChange: (isOn) => (zero = isOn ? "unknown" : "clue") }),
    field("Name", name), said, h("div", { class: "row" }, button({ label: "Add the board", kind: "primary", onclick: read })));
  text.focus();
}
