// Boards with tiny cells: a picture with one pixel per cell, kept until the board changes and drawn enlarged.
import { GEM, HIDDEN, TRAP } from "../grid.js";
import { h } from "../dom.js";
import * as bits from "./layers.js";

/** Cells of at least this size, in device pixels, are separated by lines. */
const LINES_FROM = 5;

/** A picture of the whole board with one pixel per cell. */
export class Overview {
  constructor() {
    this.canvas = h("canvas");
    this.isStale = true;
  }

  /** Paint the board. @param {CanvasRenderingContext2D} ctx @param {import("./paint.js").Scene} scene */
  paint(ctx, scene) {
    const { view, palette } = scene;
    if (this.isStale) this.#refresh(scene);
    const size = view.cell * view.ratio;
    const x = (col) => Math.round(view.x * view.ratio + col * size);
    const y = (row) => Math.round(view.y * view.ratio + row * size);
    const { top, bottom, left, right } = view.visible;
    /** @type {[number, number, number, number]} */
    const box = [x(left), y(top), Math.max(1, x(right) - x(left)), Math.max(1, y(bottom) - y(top))];
    // Cells smaller than a pixel are mixed, so that none is left out.
    ctx.imageSmoothingEnabled = size < 1;
    ctx.drawImage(this.canvas, left, top, right - left, bottom - top, ...box);
    if (size < LINES_FROM) return;
    ctx.fillStyle = palette.stage;
    for (let row = top; row <= bottom; row++) ctx.fillRect(box[0], y(row), box[2], 1);
    for (let col = left; col <= right; col++) ctx.fillRect(x(col), box[1], 1, box[3]);
  }

  #refresh({ grid, layers, palette }) {
    this.canvas.width = grid.cols;
    this.canvas.height = grid.rows;
    const ctx = this.canvas.getContext("2d");
    const image = ctx.createImageData(grid.cols, grid.rows);
    const known = new Map();
    for (let index = 0; index < grid.size; index++) {
      const colour = colourOf(grid, layers, palette, index);
      if (!known.has(colour)) known.set(colour, [...colour.match(/[\d.]+/g).slice(0, 3).map(Number), 255]);
      image.data.set(known.get(colour), index * 4);
    }
    ctx.putImageData(image, 0, 0);
    this.isStale = false;
  }
}

function colourOf(grid, layers, palette, index) {
  const mark = layers.marks[index];
  if (index === layers.exploded) return palette.exploded;
  if (mark & bits.BROKEN) return palette.broken;
  if (mark & bits.OUTLINED) return palette.outline;
  if (mark & bits.NEW_TRAP) return palette.trapInk;
  if (mark & bits.NEW_GEM) return palette.gemInk;
  const code = grid.cells[index];
  if (code === TRAP) return palette.trapGround;
  if (code === GEM) return palette.gemGround;
  return code === HIDDEN ? hiddenColour(grid, layers, palette, index) : palette.clue;
}

function hiddenColour(grid, layers, palette, index) {
  const mark = layers.marks[index];
  if (grid.flags[index]) return palette.flag;
  const percent = palette.isForced ? null : layers.percent(index);
  if (percent !== null) return palette.risk[percent];
  if (mark & bits.DECIDED_TRAP) return palette.trapGround;
  return mark & bits.DECIDED_GEM ? palette.gemGround : palette.hidden;
}
