// Shapes of the signs on cells: star, diamond, flag, cross, hatching. Each fits a square of side `size`.

/** @typedef {CanvasRenderingContext2D} Context */

/** A rounded square with a small gap around it. @param {Context} ctx @param {number} size @param {number} gap */
export function tile(ctx, size, gap) {
  ctx.beginPath();
  ctx.roundRect(gap, gap, size - 2 * gap, size - 2 * gap, Math.max(0, size * 0.13 - gap));
}

/** A trap: a star of twelve points. @param {Context} ctx @param {number} size @param {string} colour @param {number} [scale] */
export function star(ctx, size, colour, scale = 1) {
  const points = 12;
  const centre = size / 2;
  ctx.beginPath();
  for (let at = 0; at < points * 2; at++) {
    const radius = size * scale * (at % 2 ? 0.185 : 0.335);
    const angle = (Math.PI * at) / points - Math.PI / 2;
    ctx.lineTo(centre + radius * Math.cos(angle), centre + radius * Math.sin(angle));
  }
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
}

/** A gem: a cut diamond. @param {Context} ctx @param {number} size @param {string} colour @param {number} [scale] @param {boolean} [isHollow] */
export function diamond(ctx, size, colour, scale = 1, isHollow = false) {
  const at = (x, y) => [size / 2 + x * size * scale, size / 2 + y * size * scale];
  const outline = [at(-0.17, -0.24), at(0.17, -0.24), at(0.31, -0.06), at(0, 0.3), at(-0.31, -0.06)];
  const path = (points) => {
    ctx.beginPath();
    points.forEach(([x, y]) => ctx.lineTo(x, y));
  };
  path(outline);
  ctx.closePath();
  ctx.lineWidth = Math.max(1, size * 0.055);
  ctx.lineJoin = "round";
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  if (!isHollow) {
    ctx.save();
    ctx.globalAlpha *= 0.28;
    ctx.fill();
    ctx.restore();
  }
  ctx.stroke();
  if (size < 18) return;
  ctx.lineWidth = Math.max(0.8, size * 0.035);
  path([at(-0.31, -0.06), at(0.31, -0.06)]);
  ctx.stroke();
  path([at(-0.11, -0.06), at(0, 0.3), at(0.11, -0.06), at(0, -0.24), at(-0.11, -0.06)]);
  ctx.stroke();
}

/** A flag on its pole. @param {Context} ctx @param {number} size @param {string} colour @param {string} ink */
export function flag(ctx, size, colour, ink) {
  ctx.strokeStyle = ink;
  ctx.lineWidth = Math.max(1, size * 0.065);
  ctx.lineCap = "round";
  line(ctx, size * 0.38, size * 0.22, size * 0.38, size * 0.78);
  line(ctx, size * 0.28, size * 0.78, size * 0.52, size * 0.78);
  ctx.beginPath();
  ctx.moveTo(size * 0.4, size * 0.2);
  ctx.lineTo(size * 0.76, size * 0.355);
  ctx.lineTo(size * 0.4, size * 0.51);
  ctx.closePath();
  ctx.fillStyle = colour;
  ctx.fill();
}

/** Two crossing strokes. @param {Context} ctx @param {number} size @param {string} colour */
export function cross(ctx, size, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.5, size * 0.09);
  ctx.lineCap = "round";
  line(ctx, size * 0.22, size * 0.22, size * 0.78, size * 0.78);
  line(ctx, size * 0.78, size * 0.22, size * 0.22, size * 0.78);
}

/** Slanted lines over the tile; `both` crosses them. @param {Context} ctx @param {number} size @param {string} colour @param {boolean} both */
export function hatch(ctx, size, colour, both) {
  const pattern = ctx.createPattern(hatchTile(size, colour, both), "repeat");
  tile(ctx, size, 1);
  ctx.fillStyle = pattern;
  ctx.fill();
}

function hatchTile(size, colour, both) {
  const step = Math.max(4, Math.round(size / 5));
  const canvas = document.createElement("canvas");
  canvas.width = step;
  canvas.height = step;
  const pen = canvas.getContext("2d");
  pen.strokeStyle = colour;
  pen.lineWidth = Math.max(1, size * 0.03);
  // Three strokes, so that the corners of neighbouring pattern tiles join.
  for (const shift of [-step, 0, step]) {
    line(pen, shift, step, shift + step, 0);
    if (both) line(pen, shift, 0, shift + step, step);
  }
  return canvas;
}

/** A frame along the inside of the tile. @param {Context} ctx @param {number} size @param {string} colour @param {number} width @param {number[]} [dashes] */
export function frame(ctx, size, colour, width, dashes = []) {
  tile(ctx, size, width / 2 + 0.5);
  ctx.setLineDash(dashes);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A text in the middle. @param {Context} ctx @param {string} text @param {number} x @param {number} y @param {string} font @param {string} colour */
export function letter(ctx, text, x, y, font, colour) {
  ctx.font = font;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = ctx.measureText(text);
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y + (up - down) / 2);
}

function line(ctx, x1, y1, x2, y2) {
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x2, y2);
  ctx.stroke();
}
