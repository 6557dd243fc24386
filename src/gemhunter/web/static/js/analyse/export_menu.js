// The menu that saves the board as a file.
import { fetchFile, isAbort } from "../api.js";
import { download } from "../dom.js";
import { copyAndSay, menuButton, toast } from "../widgets.js";

const KINDS = {
  text: ["Text", ".txt"], compact: ["Compact text", ".txt"], json: ["JSON", ".json"], mine: ["Position for other programs", ".mine"], dimacs: ["DIMACS CNF", ".cnf"],
  svg: ["Board only", ".svg"], png: ["Board only", ".png"], "heat-svg": ["With risks", ".svg"], "heat-png": ["With risks", ".png"],
};

/**
 * The menu button. `solution` gives the solution that is browsed, or null.
 * @param {{kinds: string[], board: import("../board/board.js").Board, grid: () => import("../grid.js").Grid, question: () => any, solution: () => import("../grid.js").Grid|null}} options
 */
export function exportMenu({ kinds, board, grid, question, solution }) {
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
