// Pictures of whole cells, drawn once per size and theme, so that painting a board is copying.

/** The scale of signs that leave the corners free for texts. */
const BESIDE_TEXT = 0.68;

/** Pictures by name, for cells of `size` device pixels; they are drawn when first asked for. */
export class Sprites {
  /** @param {number} size @param {ReturnType<typeof import("./palette.js").readPalette>} palette */
  constructor(size, palette) {
    this.size = size;
    this.palette = palette;
    this.known = new Map();
  }

  /** @param {string} name such as "hidden", "clue:3", "risk:40" @returns {HTMLCanvasElement} */
  get(name) {
    let picture = this.known.get(name);
    if (!picture) {
      picture = this.#draw(name);
      this.known.set(name, picture);
    }
    return picture;
  }

  #draw(name) {
    const canvas = document.createElement("canvas");
    canvas.width = this.size;
    canvas.height = this.size;
    const [kind, value] = name.split(":");
    DRAWERS[kind](canvas.getContext("2d"), this.size, this.palette, Number(value));
    return canvas;
  }
}

function fillTile(ctx, size, colour) {
  tile(ctx, size, Math.max(0.5, Math.min(1.5, size * 0.025)));
  ctx.fillStyle = colour;
  ctx.fill();
}

function hiddenTile(ctx, size, palette) {
  fillTile(ctx, size, palette.hidden);
  if (size >= 16) frame(ctx, size, palette.hiddenEdge, Math.max(1, size * 0.03));
}

function clueTile(ctx, size, palette, clue) {
  fillTile(ctx, size, palette.clue);
  if (size < 9) return;
  const weight = clue === 0 ? 400 : 700;
  letter(ctx, String(clue), size / 2, size / 2, `${weight} ${Math.round(size * 0.56)}px ${palette.font}`, palette.clues[clue]);
}

function riskTile(ctx, size, palette, percent) {
  if (palette.isForced) {
    hiddenTile(ctx, size, palette);
    ctx.fillStyle = palette.accent;
    ctx.fillRect(2, size - 2 - (size - 4) * (percent / 100), Math.max(2, size * 0.14), (size - 4) * (percent / 100));
    return;
  }
  fillTile(ctx, size, palette.risk[percent]);
  ctx.globalAlpha = 0.22;
  if (size >= 16) frame(ctx, size, palette.ink, Math.max(1, size * 0.03));
  ctx.globalAlpha = 1;
}

function riskText(ctx, size, palette, percent) {
  const ink = palette.isForced ? palette.ink : palette.riskInk[percent];
  letter(ctx, String(percent), size / 2, size / 2, `600 ${Math.round(size * (percent === 100 ? 0.33 : 0.38))}px ${palette.font}`, ink);
}

function unsure(ctx, size, palette) {
  const width = Math.max(1.5, size * 0.06);
  frame(ctx, size, palette.quiet, width, [width, width * 1.6]);
  letter(ctx, "?", size / 2, size / 2, `700 ${Math.round(size * 0.5)}px ${palette.font}`, palette.ink);
}

/** The width of an outline: a tenth of a small cell, less of a large one. */
function thickLine(size) {
  return Math.max(2, Math.min(size * 0.1, 2 + size * 0.04));
}

const DRAWERS = {
  hidden: hiddenTile,
  clue: clueTile,
  blank: (ctx, size, palette) => fillTile(ctx, size, palette.clue),
  trap(ctx, size, palette, room) {
    fillTile(ctx, size, palette.trapGround);
    star(ctx, size, palette.trapInk, room ? BESIDE_TEXT : 1.08);
  },
  gem(ctx, size, palette, room) {
    fillTile(ctx, size, palette.gemGround);
    diamond(ctx, size, palette.gemInk, room ? BESIDE_TEXT : 1.05);
  },
  "decided-trap"(ctx, size, palette, room) {
    hiddenTile(ctx, size, palette);
    fillTile(ctx, size, palette.decidedTrap);
    star(ctx, size, palette.trapInk, room ? BESIDE_TEXT : 0.82);
  },
  "decided-gem"(ctx, size, palette, room) {
    hiddenTile(ctx, size, palette);
    fillTile(ctx, size, palette.decidedGem);
    diamond(ctx, size, palette.gemInk, room ? BESIDE_TEXT : 0.82, true);
  },
  "new-trap"(ctx, size, palette, room) {
    fillTile(ctx, size, palette.trapGround);
    ctx.globalAlpha = 0.4;
    hatch(ctx, size, palette.trapInk, false);
    ctx.globalAlpha = 1;
    frame(ctx, size, palette.trapInk, Math.max(1.5, size * 0.06));
    star(ctx, size, palette.trapInk, room ? BESIDE_TEXT : 1.12);
  },
  "new-gem"(ctx, size, palette, room) {
    fillTile(ctx, size, palette.gemGround);
    ctx.globalAlpha = 0.4;
    hatch(ctx, size, palette.gemInk, false);
    ctx.globalAlpha = 1;
    frame(ctx, size, palette.gemInk, Math.max(1.5, size * 0.06));
    diamond(ctx, size, palette.gemInk, room ? BESIDE_TEXT : 1.12);
  },
  exploded(ctx, size, palette) {
    fillTile(ctx, size, palette.exploded);
    star(ctx, size, "#10151d", 1.25);
    frame(ctx, size, palette.trapInk, Math.max(2, size * 0.09));
  },
  flag: (ctx, size, palette) => flag(ctx, size, palette.flag, palette.ink),
  "corner-flag"(ctx, size, palette) {
    ctx.translate(size * 0.58, 0);
    flag(ctx, size * 0.44, palette.flag, palette.ink);
  },
  "wrong-flag": (ctx, size, palette) => cross(ctx, size, palette.broken),
  "sign-trap": (ctx, size, palette) => star(ctx, size, palette.isForced ? palette.ink : palette.riskInk[100], 0.86),
  "sign-gem": (ctx, size, palette) => diamond(ctx, size, palette.isForced ? palette.ink : palette.riskInk[0], 0.86, true),
  risk: riskTile,
  "risk-text": riskText,
  unsure,
  outlined: (ctx, size, palette) => frame(ctx, size, palette.outline, thickLine(size)),
  broken(ctx, size, palette) {
    ctx.globalAlpha = 0.45;
    hatch(ctx, size, palette.broken, true);
    ctx.globalAlpha = 1;
    frame(ctx, size, palette.broken, thickLine(size));
  },
  hint(ctx, size, palette) {
    const width = Math.max(2, size * 0.08);
    frame(ctx, size, palette.accent, width, [width * 2, width * 1.5]);
  },
};

// Shapes of the signs on cells: star, diamond, flag, cross, hatching. Each fits a square of side `size`.

/** @typedef {CanvasRenderingContext2D} Context */

/** A rounded square with a small gap around it. @param {Context} ctx @param {number} size @param {number} gap */
function tile(ctx, size, gap) {
  ctx.beginPath();
  ctx.roundRect(gap, gap, size - 2 * gap, size - 2 * gap, Math.max(0, size * 0.13 - gap));
}

/** A trap: a star of twelve points. @param {Context} ctx @param {number} size @param {string} colour @param {number} [scale] */
function star(ctx, size, colour, scale = 1) {
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
function diamond(ctx, size, colour, scale = 1, isHollow = false) {
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
function flag(ctx, size, colour, ink) {
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
function cross(ctx, size, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.5, size * 0.09);
  ctx.lineCap = "round";
  line(ctx, size * 0.22, size * 0.22, size * 0.78, size * 0.78);
  line(ctx, size * 0.78, size * 0.22, size * 0.22, size * 0.78);
}

/** Slanted lines over the tile; `both` crosses them. @param {Context} ctx @param {number} size @param {string} colour @param {boolean} both */
function hatch(ctx, size, colour, both) {
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
function frame(ctx, size, colour, width, dashes = []) {
  tile(ctx, size, width / 2 + 0.5);
  ctx.setLineDash(dashes);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A text in the middle. @param {Context} ctx @param {string} text @param {number} x @param {number} y @param {string} font @param {string} colour */
function letter(ctx, text, x, y, font, colour) {
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
