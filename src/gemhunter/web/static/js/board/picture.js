// Small still pictures of boards, for lists and cards; they follow the theme.
import { Sprites } from "./sprites.js";
import { readPalette } from "./palette.js";
import { h } from "../dom.js";
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { theme } from "../theme.js";

/** @type {WeakMap<Element, () => void>} how to draw a picture again */
const redraw = new WeakMap();
/** @type {Map<number, Sprites>} pictures of cells by size, for the present theme */
const sprites = new Map();
/** Smaller cells, in device pixels, are drawn as plain squares. */
const LEAST_SPRITE = 5;

theme.onChange(() => {
  sprites.clear();
  for (const canvas of document.querySelectorAll(".picture")) redraw.get(canvas)();
});

/**
 * A picture of a board that fits into `width` by `height` pixels.
 * @param {import("../grid.js").Grid} grid @param {{label: string, width: number, height?: number, largest?: number}} options `largest` is the largest cell
 * @returns {HTMLCanvasElement}
 */
export function picture(grid, { label, width, height = width, largest = 34 }) {
  const ratio = window.devicePixelRatio || 1;
  const cell = Math.max(1, Math.floor(Math.min(largest, width / grid.cols, height / grid.rows) * ratio));
  const canvas = h("canvas", { class: "picture", role: "img", "aria-label": label, width: cell * grid.cols, height: cell * grid.rows });
  canvas.style.width = `${Math.min(width, (height * grid.cols) / grid.rows, (cell * grid.cols) / ratio)}px`;
  const draw = () => drawCells(canvas, grid, cell);
  redraw.set(canvas, draw);
  draw();
  return canvas;
}

function drawCells(canvas, grid, size) {
  if (!sprites.has(size)) sprites.set(size, new Sprites(size, readPalette()));
  const cells = sprites.get(size);
  const ctx = canvas.getContext("2d");
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  for (let index = 0; index < grid.size; index++) {
    const { row, col } = grid.cellAt(index);
    if (size < LEAST_SPRITE) {
      ctx.fillStyle = colourAt(grid, index, cells.palette);
      ctx.fillRect(col * size, row * size, size, size);
    } else {
      for (const name of namesAt(grid, index)) ctx.drawImage(cells.get(name), col * size, row * size);
    }
  }
}

function colourAt(grid, index, palette) {
  const code = grid.cells[index];
  if (code === HIDDEN) return grid.flags[index] ? palette.flag : palette.hidden;
  if (code === TRAP) return palette.trapInk;
  return code === GEM ? palette.gemInk : palette.clue;
}

function namesAt(grid, index) {
  const code = grid.cells[index];
  if (code === HIDDEN) return grid.flags[index] ? ["hidden", "flag"] : ["hidden"];
  if (code === TRAP) return ["trap"];
  return code === GEM ? ["gem"] : [`clue:${code}`];
}
