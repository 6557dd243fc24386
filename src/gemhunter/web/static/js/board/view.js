// Where cells are on the screen: size of a cell, pan, zoom, and the visible window. All in CSS pixels.

export const RULER_LEFT = 26;
export const RULER_TOP = 22;
/** Below this size cells are plain squares of colour, and need not be a whole number of pixels. */
export const SIGNS_FROM = 11;
const MARGIN = 10;
const LARGEST_CELL = 96;
/** Cells that are enlarged to be seen get this size. */
const ENLARGED = 30;
/** Fitting makes cells at most this large; on small boards up to LARGEST_SMALL, as long as the longer side of the board is at most SMALL_SIDE. */
const LARGEST_FITTED = 56;
const LARGEST_SMALL = 88;
const SMALL_SIDE = 528;
/** On touch screens, cells that can be clicked start at least this large. */
const TOUCH_CELL = 34;

/** Geometry of one board on one stage. */
export class View {
  constructor() {
    this.rows = 0;
    this.cols = 0;
    this.width = 0;
    this.height = 0;
    this.ratio = 1;
    this.largest = LARGEST_FITTED;
    this.size = LARGEST_FITTED;
    this.x = 0;
    this.y = 0;
  }

  /** The size of a cell; with signs, a whole number of device pixels, so that lines are crisp. */
  get cell() {
    if (this.size < SIGNS_FROM) return this.size;
    return Math.max(1, Math.round(this.size * this.ratio)) / this.ratio;
  }

  /** @param {number} rows @param {number} cols */
  setBoard(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    this.largest = Math.max(LARGEST_FITTED, Math.min(LARGEST_SMALL, SMALL_SIDE / Math.max(rows, cols)));
  }

  /** The size of cells at which all columns fit into a width. @param {number} width */
  sizeIn(width) {
    return Math.min(this.largest, (width - RULER_LEFT - MARGIN) / this.cols);
  }

  /** The height a stage of this width should have for the whole board. @param {number} width @param {boolean} isTouched whether fingers act on its cells */
  heightFor(width, isTouched) {
    const fitted = this.sizeIn(width);
    const size = isTouched ? Math.max(TOUCH_CELL, fitted) : fitted;
    return Math.ceil(size * this.rows + RULER_TOP + MARGIN);
  }

  /** The size at which the whole board is visible. */
  get fitted() {
    const across = (this.width - RULER_LEFT - MARGIN) / this.cols;
    const down = (this.height - RULER_TOP - MARGIN) / this.rows;
    // A stage without room, for example one that is not laid out yet, still needs a size above 0.
    return Math.max(0.001, Math.min(this.largest, across, down));
  }

  /** Show the whole board. */
  fit() {
    // Rounded down, so that the snapped cells do not overflow the stage.
    const { fitted } = this;
    this.size = fitted < SIGNS_FROM ? fitted : Math.floor(fitted * this.ratio) / this.ratio;
    this.clamp();
  }

  /** Show the whole board, or its top left corner if its cells would be too small for fingers. @param {boolean} isTouched whether fingers act on its cells */
  home(isTouched) {
    this.fit();
    if (isTouched && this.size < TOUCH_CELL) {
      this.size = TOUCH_CELL;
      this.x = RULER_LEFT;
      this.y = RULER_TOP;
      this.clamp();
    }
  }

  /** Whether the board is larger than the stage. */
  get overflows() {
    return this.cell * this.cols > this.width - RULER_LEFT + 1 || this.cell * this.rows > this.height - RULER_TOP + 1;
  }

  /** Zoom and keep the point under the pointer in place. @param {number} factor @param {number} x @param {number} y */
  zoomAt(factor, x, y) {
    const before = this.cell;
    const least = Math.min(this.fitted, this.size);
    this.size = Math.min(LARGEST_CELL, Math.max(least, this.size * factor));
    const scale = this.cell / before;
    this.x = x - (x - this.x) * scale;
    this.y = y - (y - this.y) * scale;
    this.clamp();
  }

  /** Move the board; true if it moved. @param {number} dx @param {number} dy */
  panBy(dx, dy) {
    const [x, y] = [this.x, this.y];
    this.x += dx;
    this.y += dy;
    this.clamp();
    return Math.abs(this.x - x) > 0.01 || Math.abs(this.y - y) > 0.01;
  }

  /** Keep the board on the stage: centred where it is smaller, without a gap where it is larger. */
  clamp() {
    this.x = this.#clampAxis(this.x, RULER_LEFT, this.width, this.cell * this.cols);
    this.y = this.#clampAxis(this.y, RULER_TOP, this.height, this.cell * this.rows);
  }

  #clampAxis(offset, ruler, room, length) {
    const free = room - ruler - length;
    // A board that fits is centred on the stage with its ruler, and a gap as wide as the ruler balances it if there is room.
    const low = free >= 0 ? ruler + Math.max(0, (free - Math.min(ruler, free)) / 2) : room - MARGIN - length;
    const high = free >= 0 ? low : ruler;
    const kept = Math.min(high, Math.max(Math.min(low, high), offset));
    return Math.round(kept * this.ratio) / this.ratio;
  }

  /**
   * Show some cells together: zoom in if they are smaller than `least`, out if they have no room, and pan just enough. Signs stay
   * legible: of cells too far apart for that, the first is shown. True if the view changed.
   * @param {{row: number, col: number}[]} cells @param {number} [least]
   */
  show(cells, least = SIGNS_FROM) {
    const box = { top: Infinity, bottom: 0, left: Infinity, right: 0 };
    for (const { row, col } of cells) {
      Object.assign(box, { top: Math.min(box.top, row), bottom: Math.max(box.bottom, row), left: Math.min(box.left, col), right: Math.max(box.right, col) });
    }
    // The cells and half a cell around them.
    const room = Math.min((this.width - RULER_LEFT) / (box.right - box.left + 2), (this.height - RULER_TOP) / (box.bottom - box.top + 2));
    const size = Math.max(SIGNS_FROM, Math.min(this.cell < least ? ENLARGED : this.cell, Math.floor(room)));
    const isZoomed = size !== this.cell;
    if (isZoomed) this.zoomAt(size / this.size, this.width / 2, this.height / 2);
    const [{ row, col }] = cells;
    const isPanned = this.#reveal(room < SIGNS_FROM ? { top: row, bottom: row, left: col, right: col } : box);
    return isZoomed || isPanned;
  }

  /** Pan just enough to show a cell. @param {number} row @param {number} col */
  reveal(row, col) {
    return this.#reveal({ top: row, bottom: row, left: col, right: col });
  }

  #reveal({ top, bottom, left, right }) {
    const { x, y, cell } = this;
    const edge = cell * 0.5;
    const dx = Math.max(0, RULER_LEFT + edge - x - left * cell) - Math.max(0, x + (right + 1) * cell + edge - this.width);
    const dy = Math.max(0, RULER_TOP + edge - y - top * cell) - Math.max(0, y + (bottom + 1) * cell + edge - this.height);
    return (dx !== 0 || dy !== 0) && this.overflows && this.panBy(dx, dy);
  }

  /** The cell under a point, or null. @param {number} x @param {number} y @returns {import("../grid.js").Cell|null} */
  cellAt(x, y) {
    if (x < RULER_LEFT || y < RULER_TOP || x > this.width || y > this.height) return null;
    const row = Math.floor((y - this.y) / this.cell);
    const col = Math.floor((x - this.x) / this.cell);
    if (row < 0 || col < 0 || row >= this.rows || col >= this.cols) return null;
    return { row, col, index: row * this.cols + col };
  }

  /** Rows and columns that can be seen; ends are exclusive. */
  get visible() {
    const { cell } = this;
    return {
      top: Math.max(0, Math.floor((RULER_TOP - this.y) / cell)),
      bottom: Math.min(this.rows, Math.ceil((this.height - this.y) / cell)),
      left: Math.max(0, Math.floor((RULER_LEFT - this.x) / cell)),
      right: Math.min(this.cols, Math.ceil((this.width - this.x) / cell)),
    };
  }
}
