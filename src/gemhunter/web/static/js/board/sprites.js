// Pictures of whole cells, drawn once per size and theme, so that painting a board is copying.
import { cross, diamond, flag, frame, hatch, letter, star, tile } from "./signs.js";

/** How large signs are that leave the corners to texts. */
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
