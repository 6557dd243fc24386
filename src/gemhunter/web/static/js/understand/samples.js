// Boards to begin with: the buttons of the empty tab and the menu of samples.
import { h } from "../dom.js";
import { button, emptyState, menuButton } from "../widgets.js";

const WHY = [
  { name: "sample:what-if", label: "One cell needs a “what if”" },
  { name: "sample:one-two-one", label: "The pattern 1-2-1" },
  { name: "sample:9x9", label: "9×9 with open cells" },
  { name: "sample:no-solution", label: "No solution" },
];
const WATCH = [
  { name: "sample:backjump", label: "CDCL jumps back", e: "cdcl" },
  { name: "sample:learning", label: "CDCL learns", e: "cdcl" },
  { name: "sample:learning", label: "DPLL does not learn", e: "dpll" },
  { name: "sample:stuck", label: "Resolution gets stuck", e: "resolution" },
  // So few individuals need some generations even on a small board.
  { name: "sample:s1-5x5", label: "A genetic algorithm", e: "genetic:population=8", seed: "1" },
];

/** @typedef {(name: string, params: Record<string, string>) => void} Choose loads a sample */
/** @typedef {{useAnalysed: (() => void)|null, goToAnalyse: () => void}} Ways other ways to a board; `useAnalysed` takes the one of Analyse */

/** What the tab shows without a board. @param {"why"|"watch"} mode @param {Choose} choose @param {Ways} ways */
export function startPage(mode, choose, { useAnalysed, goToAnalyse }) {
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
export function boardsMenu(samples, choose, waysNow) {
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
