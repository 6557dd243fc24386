// The board component: a canvas with pan and zoom, layers, pointer, keyboard and a grid for screen readers.
import { h, on } from "../dom.js";
import { Grid } from "../grid.js";
import { theme } from "../theme.js";
import { button } from "../widgets.js";
import { AriaWindow, describe } from "./aria.js";
import { onKey, Pointers } from "./input.js";
import { Layers } from "./layers.js";
import { Overview } from "./overview.js";
import { paint } from "./paint.js";
import { readPalette } from "./palette.js";
import { Sprites } from "./sprites.js";
import { RULER_LEFT, RULER_TOP, View } from "./view.js";

const ZOOM = 1.25;
/** While zooming, pictures of cells are stretched; they are redrawn this many milliseconds after the last step. */
const REST_MS = 110;
const PICTURE_CELL = 48;
const PICTURE_SIDE = 8000;
/** On touch screens, a board wider than a thumbnail starts enlarged if its cells would be smaller than this. */
const LEGIBLE = 16;
const PHONE = 300;
const coarse = matchMedia("(pointer: coarse)");

/** @typedef {import("../grid.js").Cell} Cell */
/**
 * "middle" is also left and right together on a board to play on.
 * @typedef {{kind: "primary"|"secondary"|"middle"|"longpress"|"drag", cell: Cell, event: PointerEvent|KeyboardEvent}} Act
 */

/** A board on the page. */
export class Board {
  /**
   * @param {HTMLElement} host
   * @param {{label: string, mode?: "view"|"edit"|"play", onAct?: (act: Act) => void, onHover?: (cell: Cell|null) => void,
   *   onCursor?: (cell: Cell) => void, onRelease?: () => void, blankZeros?: boolean}} options `onRelease` is called when a pressed pointer is
   *   released; `blankZeros` draws a clue 0 as an empty opened cell
   */
  constructor(host, { label, mode = "view", onAct, onHover, onCursor, onRelease, blankZeros = mode === "play" }) {
    this.host = host;
    this.mode = mode;
    this.blankZeros = blankZeros;
    this.listeners = { onAct, onHover, onCursor, onRelease };
    /** Whether moving a finger draws (mode edit) instead of panning. */
    this.brush = false;
    this.grid = Grid.blank(1, 1);
    this.layers = new Layers(1, 1);
    this.cursor = this.grid.cell(0, 0);
    /** The cell under the pointer, until the cursor moves. @type {Cell|null} */
    this.hovered = null;
    this.under = null;
    this.view = new View();
    this.overview = new Overview();
    this.#build(label);
    this.aria = new AriaWindow(this.surface);
    this.pointers = new Pointers(this, this.surface);
    this.palette = readPalette();
    this.#follow();
    this.setGrid(this.grid);
  }

  #build(label) {
    this.canvas = h("canvas", { "aria-hidden": "true" });
    this.hoverBox = h("div", { class: "board-hover", hidden: true });
    this.cursorBox = h("div", { class: "board-cursor" });
    this.marks = h("div", { class: "board-marks", "aria-hidden": "true" }, this.hoverBox, this.cursorBox);
    // No box may cover the rulers, whose size only the view knows.
    this.marks.style.inset = `${RULER_TOP}px 0 0 ${RULER_LEFT}px`;
    this.surface = h("div", { class: "board-surface", role: "grid", tabindex: "0", "aria-label": label });
    this.tools = h("div", { class: "board-zoom" },
      button({ label: "Zoom out", icon: "minus", action: "zoomOut", compact: true, kind: "quiet", onclick: () => this.zoom(1 / ZOOM) }),
      button({ label: "Fit the board", icon: "fit", action: "fit", compact: true, kind: "quiet", onclick: () => this.fit() }),
      button({ label: "Zoom in", icon: "plus", action: "zoomIn", compact: true, kind: "quiet", onclick: () => this.zoom(ZOOM) }));
    this.element = h("div", { class: `board ${this.mode}` }, this.canvas, this.marks, this.surface, this.tools);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.host.append(this.element);
  }

  #follow() {
    this.sizes = new ResizeObserver(() => this.#layout());
    this.sizes.observe(this.host);
    this.stops = [
      on(window, "resize", () => this.#layout()),
      on(this.surface, "keydown", (event) => onKey(this, event)),
      theme.onChange(() => this.#repaint()),
    ];
  }

  #repaint() {
    this.palette = readPalette();
    this.sprites = null;
    this.overview.isStale = true;
    this.draw();
  }

  /** Show a grid. Pan, zoom and layers stay when its size is unchanged; otherwise the board is fitted and the layers are cleared. @param {Grid} grid */
  setGrid(grid) {
    const isSameSize = grid.rows === this.grid.rows && grid.cols === this.grid.cols && this.layers.marks.length === grid.size && this.view.rows > 0;
    this.grid = grid;
    this.overview.isStale = true;
    if (!isSameSize) {
      this.layers = new Layers(grid.rows, grid.cols);
      this.view.setBoard(grid.rows, grid.cols);
      this.cursor = grid.cell(Math.min(this.cursor.row, grid.rows - 1), Math.min(this.cursor.col, grid.cols - 1));
      this.under = this.hovered = null;
      this.element.classList.toggle("large", grid.size > 400);
      this.isFitted = true;
      this.showsAll = false;
      this.#layout();
    }
    this.draw();
  }

  /** Replace some layers; the others stay. Cells are `{row, col, index}` or names such as "r3c4". @param {Record<string, any>} changes */
  setLayers(changes) {
    this.layers.set(changes);
    this.overview.isStale = true;
    this.draw();
  }

  /** @param {"view"|"edit"|"play"} mode */
  setMode(mode) {
    this.element.classList.replace(this.mode, mode);
    this.mode = mode;
    // On touch screens, the modes edit and play have larger cells.
    this.showsAll = false;
    if (this.isFitted) this.#layout();
  }

  #layout() {
    const width = this.element.clientWidth;
    if (!width) return;
    const { view } = this;
    const isTouched = coarse.matches && (this.mode !== "view" || (width > PHONE && view.sizeIn(width) < LEGIBLE));
    // The style sheet limits the height, so it is measured: a canvas of another size would be stretched.
    this.element.style.height = `${view.heightFor(width, isTouched) + this.element.offsetWidth - width}px`;
    const height = this.element.clientHeight;
    const ratio = window.devicePixelRatio || 1;
    if (width === view.width && height === view.height && ratio === view.ratio && !this.isFitted) return;
    Object.assign(view, { width, height, ratio });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    if (!this.isFitted) view.clamp();
    else if (this.showsAll) view.fit();
    else view.home(isTouched);
    this.#draw();
  }

  /** Draw again in the next frame. */
  draw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const { view } = this;
    if (!view.width) return;
    this.#prepareSprites(Math.round(view.cell * view.ratio));
    paint(this.context, this);
    this.aria.update(this.grid, this.layers, this.cursor);
    this.aria.place(view);
    this.#placeBox(this.cursorBox, this.cursor);
    this.#placeBox(this.hoverBox, this.hovered);
    this.element.classList.toggle("overflows", view.overflows);
    this.surface.style.touchAction = view.overflows || this.brush ? "none" : "pan-x pan-y";
  }

  #prepareSprites(size) {
    if (this.sprites?.size === size) return;
    clearTimeout(this.rest);
    if (this.sprites && this.isZooming) {
      this.rest = setTimeout(() => {
        this.isZooming = false;
        this.draw();
      }, REST_MS);
    } else this.sprites = new Sprites(size, this.palette);
  }

  #placeBox(box, cell) {
    box.hidden = !cell;
    if (!cell) return;
    const { view } = this;
    box.style.width = `${view.cell}px`;
    box.style.height = `${view.cell}px`;
    box.style.transform = `translate(${view.x + cell.col * view.cell - RULER_LEFT}px, ${view.y + cell.row * view.cell - RULER_TOP}px)`;
  }

  /** The cell under a point of the stage, or null. @param {number} x @param {number} y */
  cellAt(x, y) {
    return this.view.cellAt(x, y);
  }

  /** Note the cell under the pointer. This only moves a box; nothing is painted. @param {Cell|null} cell */
  hover(cell) {
    if (cell?.index === this.under?.index) return;
    this.under = cell;
    this.#setHovered(cell);
  }

  #setHovered(cell) {
    if (cell === this.hovered) return;
    this.hovered = cell;
    this.#placeBox(this.hoverBox, cell);
    this.listeners.onHover?.(cell);
  }

  /** The cell on which a key acts: the one under the pointer or the one at the cursor, whichever was moved last. @returns {Cell} */
  get target() {
    return this.hovered ?? this.cursor;
  }

  /** Report an act on a cell. @param {Act["kind"]} kind @param {Cell} cell @param {Act["event"]} event */
  act(kind, cell, event) {
    this.listeners.onAct?.({ kind, cell, event });
  }

  /** Report that the pressed pointer was let go. */
  release() {
    this.listeners.onRelease?.();
  }

  /** Move the cursor. @param {{row: number, col: number}} cell */
  setCursor(cell) {
    const next = this.grid.cell(cell.row, cell.col);
    this.#setHovered(null);
    if (next.index === this.cursor.index) return;
    this.cursor = next;
    this.aria.update(this.grid, this.layers, next);
    this.aria.place(this.view);
    this.#placeBox(this.cursorBox, next);
    this.listeners.onCursor?.(next);
  }

  /** Move the cursor to a cell that the user should see. @param {{row: number, col: number}} cell */
  pointAt(cell) {
    this.setCursor(cell);
    this.scrollTo(cell);
  }

  /** A cell in words, as a screen reader gets it. @param {Cell} cell */
  describe(cell) {
    return describe(this.grid, this.layers, cell.index);
  }

  /** Give the board the keyboard focus. */
  focus() {
    this.surface.focus({ preventScroll: true });
  }

  /** Show the whole board. */
  fit() {
    this.view.fit();
    this.isFitted = true;
    this.showsAll = true;
    this.draw();
  }

  /** Zoom around a point, or around the middle. @param {number} factor @param {{x: number, y: number}} [at] */
  zoom(factor, at) {
    const { view } = this;
    view.zoomAt(factor, at?.x ?? (view.width + RULER_LEFT) / 2, at?.y ?? (view.height + RULER_TOP) / 2);
    this.isFitted = false;
    this.isZooming = true;
    this.draw();
  }

  /** Move the board; true if it moved. @param {number} dx @param {number} dy */
  pan(dx, dy) {
    const hasMoved = this.view.panBy(dx, dy);
    if (hasMoved) {
      this.isFitted = false;
      this.draw();
    }
    return hasMoved;
  }

  /** Pan until a cell is in the middle, or as near to it as the board allows. @param {{row: number, col: number}} cell */
  center({ row, col }) {
    const { view } = this;
    this.pan(view.width / 2 - view.x - (col + 0.5) * view.cell, view.height / 2 - view.y - (row + 0.5) * view.cell);
  }

  /** Pan just enough to show a cell. @param {{row: number, col: number}} cell */
  scrollTo(cell) {
    if (this.view.reveal(cell.row, cell.col)) this.draw();
  }

  /** Zoom and pan until some cells can be seen together, each at least `least` large. @param {string[]} names @param {number} [least] */
  show(names, least) {
    if (!names.length) return;
    // A message about the cells may just have changed the room of the board.
    this.#layout();
    if (!this.view.width || !this.view.show(names.map((name) => this.grid.named(name)), least)) return;
    this.isFitted = false;
    this.draw();
  }

  get overflows() {
    return this.view.overflows;
  }

  /** How many rows the stage shows. */
  get rowsShown() {
    const { top, bottom } = this.view.visible;
    return bottom - top;
  }

  /** A PNG of the whole board with its layers. @returns {Promise<Blob>} */
  toBlob() {
    const { grid, layers, palette, blankZeros } = this;
    const view = new View();
    view.setBoard(grid.rows, grid.cols);
    view.size = Math.max(1, Math.min(PICTURE_CELL, Math.floor(PICTURE_SIDE / Math.max(grid.rows, grid.cols))));
    Object.assign(view, { x: RULER_LEFT, y: RULER_TOP, width: RULER_LEFT + view.size * grid.cols + 10, height: RULER_TOP + view.size * grid.rows + 10 });
    const canvas = h("canvas", { width: view.width, height: view.height });
    paint(canvas.getContext("2d"), { grid, layers, palette, blankZeros, view, sprites: new Sprites(view.size, palette), overview: new Overview() });
    return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"));
  }

  /** Take the board off the page. */
  destroy() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.rest);
    this.sizes.disconnect();
    this.pointers.stop();
    this.stops.forEach((stop) => stop());
    this.element.remove();
  }
}
