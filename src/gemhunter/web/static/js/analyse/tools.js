// The drawing tools: what a click puts on a cell.
import { h } from "../dom.js";
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { icon } from "../icons.js";
import { shortcutOf } from "../keys.js";
import { newId } from "../widgets.js";

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
export function toolBar(onChange) {
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
