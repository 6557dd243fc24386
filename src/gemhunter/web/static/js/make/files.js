// Made puzzles as files: a sheet as PDF, JSON lines, one text, or a folder of texts in a ZIP archive.
import { ask } from "../api.js";
import { download } from "../dom.js";
import { Grid } from "../grid.js";
import { copyAndSay, toast } from "../widgets.js";
import { zipOf } from "./zip.js";

/** @typedef {import("./cards.js").PuzzleRecord} PuzzleRecord */

/** Entries of a menu that saves puzzles. @param {() => PuzzleRecord[]} puzzles */
export function fileItems(puzzles) {
  return [
    { label: "Worksheet", note: "puzzles.pdf", icon: "download", onclick: () => saveSheet(puzzles()) },
    { label: "JSON lines", note: "puzzles.jsonl", icon: "download", onclick: () => saveLines(puzzles()) },
    { label: "Text files", note: "puzzles.zip", icon: "download", onclick: () => saveTexts(puzzles()) },
    { label: "Copy all as text", icon: "copy", onclick: () => copyAndSay(puzzles().map((puzzle) => textOf(puzzle.grid)).join("\n"), "Puzzles copied") },
  ];
}

/** What the server is asked for a sheet. @param {PuzzleRecord[]} puzzles @param {{title?: string, hasSolutions?: boolean}} [options] */
export function sheetBody(puzzles, { title = "Puzzles", hasSolutions = true } = {}) {
  const listed = puzzles.map(({ grid, solution, difficulty, conflict }) => ({ grid, solution: hasSolutions ? solution : null, label: conflict ? "" : difficulty.word }));
  return { title, puzzles: listed };
}

/** Save a sheet as PDF. @param {ReturnType<typeof sheetBody>} body @param {AbortSignal} [signal] */
export async function savePdf(body, signal) {
  const { pdf } = await ask("generate/sheet", { ...body, format: "pdf" }, { signal });
  download(new Blob([Uint8Array.from(atob(pdf), (sign) => sign.charCodeAt(0))], { type: "application/pdf" }), "puzzles.pdf");
}

async function saveSheet(puzzles) {
  try {
    await savePdf(sheetBody(puzzles));
  } catch (error) {
    toast(error.message, "error");
  }
}

function saveLines(puzzles) {
  download(new Blob(puzzles.map((puzzle) => `${JSON.stringify(puzzle)}\n`), { type: "application/x-ndjson" }), "puzzles.jsonl");
}

function saveTexts(puzzles) {
  const files = puzzles.flatMap(({ grid, solution, seed }) => [
    { name: `puzzle-${seed}.txt`, text: textOf(grid) },
    ...(solution ? [{ name: `puzzle-${seed}-solution.txt`, text: textOf(solution) }] : []),
  ]);
  download(zipOf(files), "puzzles.zip");
}

function textOf(rows) {
  return `${Grid.fromRows(rows).toText()}\n`;
}
