// Draws the visible part of a board: grounds and signs, layers, texts, rulers.
import { GEM, HIDDEN, TRAP } from "../grid.js";
import * as bits from "./layers.js";
import { RULER_LEFT, RULER_TOP, SIGNS_FROM } from "./view.js";

/** Cells of at least this size show risks as numbers. */
const NUMBERS_FROM = 22;
// Names of pictures are made once, not per cell.
const CLUES = Array.from({ length: 10 }, (_, clue) => `clue:${clue}`);
const RISKS = Array.from({ length: 101 }, (_, percent) => `risk:${percent}`);
const NUMBERS = Array.from({ length: 101 }, (_, percent) => `risk-text:${percent}`);
/** A suffix for names of pictures: the sign is drawn smaller, clear of texts in the corners. */
const BESIDE_TEXT = ":1";
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000];

/**
 * @typedef {{grid: import("../grid.js").Grid, layers: bits.Layers, view: import("./view.js").View, palette: any, blankZeros: boolean,
 *   sprites: import("./sprites.js").Sprites, overview: import("./overview.js").Overview}} Scene
 */

/** Paint a scene; this replaces the transform of the context. @param {CanvasRenderingContext2D} ctx @param {Scene} scene */
export function paint(ctx, scene) {
  const { view, palette } = scene;
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.fillStyle = palette.stage;
  ctx.fillRect(0, 0, Math.ceil(view.width * view.ratio), Math.ceil(view.height * view.ratio));
  if (view.cell < SIGNS_FROM) scene.overview.paint(ctx, scene);
  else paintCells(ctx, scene);
  paintRulers(ctx, scene);
}

function paintCells(ctx, scene) {
  const { grid, layers, view } = scene;
  const { top, bottom, left, right } = view.visible;
  const size = Math.round(view.cell * view.ratio);
  const [x0, y0] = [Math.round(view.x * view.ratio), Math.round(view.y * view.ratio)];
  const hasNumbers = view.cell >= NUMBERS_FROM;
  let [x, y] = [0, 0];
  const put = (name) => ctx.drawImage(scene.sprites.get(name), x, y, size, size);
  for (let row = top; row < bottom; row++) {
    for (let col = left; col < right; col++) {
      const index = row * grid.cols + col;
      x = x0 + col * size;
      y = y0 + row * size;
      paintGround(put, scene, index, hasNumbers);
      if (layers.marks[index]) paintMarks(put, layers.marks[index]);
      if (index === layers.cursorHint) put("hint");
      const ghost = layers.ghosts.get(index);
      const level = layers.trail.get(index);
      if (ghost !== undefined || level !== undefined) paintTexts(ctx, scene, x, y, ghost, level);
    }
  }
}

function paintGround(put, { grid, layers, blankZeros }, index, hasNumbers) {
  const code = grid.cells[index];
  if (index === layers.exploded) put("exploded");
  else if (code === TRAP) put("trap");
  else if (code === GEM) put("gem");
  else if (code === 0 && blankZeros) put("blank");
  else if (code !== HIDDEN) put(CLUES[code]);
  else paintHidden(put, layers, index, hasNumbers);
  if (grid.flags[index]) put(layers.saysSomething(index) ? "corner-flag" : "flag");
}

function paintHidden(put, layers, index, hasNumbers) {
  const mark = layers.marks[index];
  const room = layers.ghosts.has(index) || layers.trail.has(index) ? BESIDE_TEXT : "";
  if (mark & bits.NEW_TRAP) return put(`new-trap${room}`);
  if (mark & bits.NEW_GEM) return put(`new-gem${room}`);
  const percent = layers.percent(index);
  if (percent === null) {
    const strength = layers.isSolved ? "" : "decided-";
    if (mark & bits.DECIDED_TRAP) return put(`${strength}trap${room}`);
    return put(mark & bits.DECIDED_GEM ? `${strength}gem${room}` : "hidden");
  }
  put(RISKS[percent]);
  if (mark & bits.DECIDED_TRAP) return put("sign-trap");
  if (mark & bits.DECIDED_GEM) return put("sign-gem");
  if (hasNumbers && !(mark & bits.UNSURE)) put(NUMBERS[percent]);
}

function paintMarks(put, mark) {
  if (mark & bits.WRONG_FLAG) put("wrong-flag");
  if (mark & bits.UNSURE) put("unsure");
  if (mark & bits.BROKEN) put("broken");
  else if (mark & bits.OUTLINED) put("outlined");
}

function paintTexts(ctx, { palette, view }, x, y, ghost, level) {
  const size = Math.round(view.cell * view.ratio);
  if (view.cell < 16) return;
  ctx.fillStyle = palette.ink;
  ctx.textBaseline = "alphabetic";
  ctx.font = `600 ${Math.round(size * 0.25)}px ${palette.font}`;
  if (ghost !== undefined) {
    ctx.textAlign = "left";
    // Clear of a frame around the cell.
    ctx.fillText(ghost, x + size * 0.14, y + size * 0.34, size * 0.72);
  }
  if (level !== undefined) {
    ctx.textAlign = "right";
    ctx.fillText(level, x + size * 0.86, y + size * 0.85, size * 0.72);
  }
}

function paintRulers(ctx, { view, palette }) {
  const { ratio, cell } = view;
  const { top, bottom, left, right } = view.visible;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = palette.stage;
  ctx.fillRect(0, 0, view.width, RULER_TOP);
  ctx.fillRect(0, 0, RULER_LEFT, view.height);
  ctx.fillStyle = palette.quiet;
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "center";
  const headY = Math.max(RULER_TOP, view.y) - 9;
  const headX = Math.max(RULER_LEFT, view.x) - 6;
  const across = STEPS.find((step) => step * cell >= (view.cols > 99 ? 26 : 20)) ?? 50_000;
  for (const col of labels(left, right, across)) placeLabel(ctx, col + 1, view.x + (col + 0.5) * cell, headY);
  ctx.textAlign = "right";
  const down = STEPS.find((step) => step * cell >= 15) ?? 50_000;
  for (const row of labels(top, bottom, down)) placeLabel(ctx, row + 1, headX, view.y + (row + 0.5) * cell + 0.5);
}

/** Write a number of a ruler, unless its cell is hidden behind the other ruler. */
function placeLabel(ctx, number, x, y) {
  if (x >= RULER_LEFT - 6 && y >= RULER_TOP - 9) ctx.fillText(String(number), x, y);
}

/** The rows or columns to label: those whose number, counted from 1, is a multiple of `step` (5, 10, 15, …). */
function labels(from, to, step) {
  const places = [];
  for (let place = Math.ceil((from + 1) / step) * step - 1; place < to; place += step) places.push(place);
  return places;
}
