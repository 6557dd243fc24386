// The drawing tools: what a click puts on a cell.
import { h } from "../dom.js";
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { icon } from "../icons.js";
import { newId } from "../widgets.js";

const CLUES = Array.from({ length: 9 }, (_, clue) => ({ value: String(clue), label: `clue ${clue}`, key: String(clue), ink: clue, sign: String(clue) }));

/** The tools in their order; `ink` is undefined for the tool that only looks. */
export const TOOLS = [
  { value: "look", label: "look and move", sign: icon("hand"), text: "Look" },
  ...CLUES,
  { value: "trap", label: "trap", key: "t", ink: TRAP, sign: icon("trap") },
  { value: "gem", label: "gem", key: "g", ink: GEM, sign: icon("gem") },
  { value: "flag", label: "flag", key: "f", ink: "flag", sign: icon("flag") },
  { value: "hidden", label: "hidden: erase", key: "x", ink: HIDDEN, sign: icon("eraser") },
];

/** What a key puts on the cell under the cursor, or undefined. @param {string} key */
export function inkOfKey(key) {
  if (key === "Delete" || key === "Backspace") return HIDDEN;
  return TOOLS.find((tool) => tool.key === key)?.ink;
}

/** The bar of tools. `element.tool` is the chosen one. @param {(tool: any) => void} onChange */
export function toolBar(onChange) {
  const name = newId("tool");
  const bar = h("div", { class: "analyse-tools segmented", role: "radiogroup", "aria-label": "Drawing tool" },
    TOOLS.map((tool) => {
      const choose = () => {
        bar.tool = tool;
        onChange(tool);
      };
      const input = h("input", { type: "radio", name, value: tool.value, checked: tool.value === "look", "aria-label": tool.label, onchange: choose });
      const title = tool.key ? `Draw ${tool.label} (${tool.key})` : "Look at cells and move the board";
      return h("label", { title, dataset: { tool: tool.value } }, input, h("span", {}, tool.sign, tool.text));
    }));
  bar.tool = TOOLS[0];
  return bar;
}
