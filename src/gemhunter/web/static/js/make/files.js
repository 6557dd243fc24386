// Puzzles as files: a sheet as PDF, JSON lines, one text, or a folder of texts in a ZIP archive.
import { ask } from "../api.js";
import { download } from "../dom.js";
import { Grid } from "../grid.js";
import { copyAndSay, toast } from "../widgets.js";

/** @typedef {import("./puzzles.js").PuzzleRecord} PuzzleRecord */

/** Entries of a menu that saves puzzles. @param {() => PuzzleRecord[]} puzzles */
export function fileItems(puzzles) {
  return [
    { label: "Worksheet", note: "puzzles.pdf", icon: "download", onclick: () => saveSheet(puzzles()) },
    { label: "JSON lines", note: "puzzles.jsonl", icon: "download", onclick: () => saveLines(puzzles()) },
    { label: "Text files", note: "puzzles.zip", icon: "download", onclick: () => saveTexts(puzzles()) },
    { label: "Copy all as text", icon: "copy", onclick: () => copyAndSay(puzzles().map((puzzle) => textOf(puzzle.grid)).join("\n"), "Puzzles copied") },
  ];
}

/** The body of the request for a sheet. @param {PuzzleRecord[]} puzzles @param {{title?: string, hasSolutions?: boolean}} [options] */
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

// ZIP archives of small texts, stored without compression.

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8_NAMES = 0x0800;
/** The earliest date of the format, used for every file so that equal texts give equal archives. */
const FIRST_DAY = 0x21;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function crc32(bytes) {
  let rest = 0xffffffff;
  for (const byte of bytes) rest = (rest >>> 8) ^ TABLE[(rest ^ byte) & 0xff];
  return (rest ^ 0xffffffff) >>> 0;
}

/** Numbers as little-endian bytes. @param {[number, 2|4][]} fields */
function packed(fields) {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

/** An archive of texts. @param {{name: string, text: string}[]} files @returns {Blob} */
function zipOf(files) {
  const encoder = new TextEncoder();
  const parts = [];
  const index = [];
  let offset = 0;
  for (const file of files) {
    const [name, text] = [encoder.encode(file.name), encoder.encode(file.text)];
    /** @type {[number, 2|4][]} */
    const common = [[VERSION, 2], [UTF8_NAMES, 2], [0, 2], [0, 2], [FIRST_DAY, 2], [crc32(text), 4], [text.length, 4], [text.length, 4], [name.length, 2], [0, 2]];
    const head = packed([[LOCAL, 4], ...common]);
    parts.push(head, name, text);
    index.push(packed([[CENTRAL, 4], [VERSION, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), name);
    offset += head.length + name.length + text.length;
  }
  const size = index.reduce((sum, part) => sum + part.length, 0);
  const end = packed([[END, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]]);
  return new Blob([...parts, ...index, end], { type: "application/zip" });
}
