// Mouse, pen and touch on a board: clicks, brushing, long press, pan, pinch, wheel.
import { on } from "../dom.js";
import { actionOf, BOARD_ACTIONS, keyOf } from "../keys.js";

const LONG_PRESS_MS = 420;
const SLOP = 7;
const WHEEL_SPEED = 0.0022;
/** The buttons of a mouse or pen in the order of their numbers, with their bits in `buttons`. @type {["primary"|"secondary"|"middle", number][]} */
const BUTTONS = [["primary", 1], ["middle", 4], ["secondary", 2]];

/** Follows the pointers over a board and turns them into acts, pans and zooms. */
export class Pointers {
  /** @param {import("./board.js").Board} board @param {HTMLElement} surface */
  constructor(board, surface) {
    this.board = board;
    this.surface = surface;
    /** @type {Map<number, {x: number, y: number, startX: number, startY: number, buttons: number}>} */
    this.down = new Map();
    /** What the pressed pointer does: "press" (a click that acts when released), "both" (left and right together), "brush", "pan", "pinch", or null. */
    this.doing = null;
    this.timer = 0;
    /** Where a button or finger was pressed last, or the brush has arrived. @type {import("../grid.js").Cell|null} */
    this.last = null;
    this.stops = [
      on(surface, "pointerdown", (event) => this.#press(event)),
      on(surface, "pointermove", (event) => this.#move(event)),
      on(surface, "pointerup", (event) => this.#release(event)),
      on(surface, "pointercancel", (event) => this.#forget(event)),
      on(surface, "pointerleave", () => board.hover(null)),
      on(surface, "contextmenu", (event) => event.preventDefault()),
      // A pressed wheel must not start the browser's own scrolling.
      on(surface, "mousedown", (event) => event.button === 1 && event.preventDefault()),
      on(surface, "wheel", (event) => this.#wheel(event), { passive: false }),
    ];
  }

  stop() {
    clearTimeout(this.timer);
    this.stops.forEach((stop) => stop());
  }

  #point(event) {
    const box = this.surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #press(event) {
    const { x, y } = this.#point(event);
    // Buttons that are held already were not pressed here.
    const pressed = { x, y, startX: x, startY: y, buttons: event.buttons & ~changedBit(event) };
    this.down.set(event.pointerId, pressed);
    if (this.down.size === 2) return this.#startPinch();
    this.surface.focus({ preventScroll: true });
    if (event.pointerType !== "touch") {
      this.surface.setPointerCapture(event.pointerId);
      return this.#changeButtons(event, pressed);
    }
    const cell = this.#pointAt(pressed);
    this.last = cell;
    this.doing = "press";
    this.timer = setTimeout(() => this.#longPress(event, cell), LONG_PRESS_MS);
  }

  /** The cell under a pointer, with the cursor moved there. */
  #pointAt({ x, y }) {
    const cell = this.board.cellAt(x, y);
    if (cell) this.board.setCursor(cell);
    return cell;
  }

  /** Find the buttons that have changed: only the first to be pressed sends "pointerdown", and only the last to be released "pointerup". */
  #changeButtons(event, pressed) {
    const before = pressed.buttons;
    pressed.buttons = event.buttons;
    for (const [kind, bit] of BUTTONS) {
      if (before & ~event.buttons & bit) this.#releaseButton(kind, event, pressed);
      if (event.buttons & ~before & bit) this.#pressButton(kind, event, pressed);
    }
  }

  #pressButton(kind, event, pressed) {
    const { board } = this;
    const before = this.last;
    const cell = this.#pointAt(pressed);
    const hasOther = kind === "primary" ? event.buttons & 2 : kind === "secondary" && this.doing === "press";
    this.last = cell;
    if (hasOther && board.mode === "play" && cell && cell.index === before?.index) {
      this.doing = "both";
      return;
    }
    // The click that is still held was meant for the cell where it began: the pointer is on its way to the next one.
    if (this.doing === "press" && before) board.act("primary", before, event);
    if (kind === "primary" && board.mode !== "edit") {
      this.doing = "press";
      Object.assign(pressed, { startX: pressed.x, startY: pressed.y });
    } else {
      this.doing = "brush";
      if (cell) board.act(kind, cell, event);
    }
  }

  #releaseButton(kind, event, pressed) {
    const isBoth = this.doing === "both";
    if (!isBoth && !(this.doing === "press" && kind === "primary")) return;
    this.doing = null;
    const cell = this.#pointAt(pressed);
    if (cell) this.board.act(isBoth ? "middle" : "primary", cell, event);
  }

  #longPress(event, cell) {
    if (this.doing !== "press" || !cell) return;
    this.doing = null;
    navigator.vibrate?.(12);
    this.board.act("longpress", cell, event);
  }

  #startPinch() {
    clearTimeout(this.timer);
    this.doing = "pinch";
  }

  #move(event) {
    const { x, y } = this.#point(event);
    const pressed = this.down.get(event.pointerId);
    if (!pressed) return this.#hover(event, x, y);
    const [dx, dy] = [x - pressed.x, y - pressed.y];
    if (this.doing === "pinch") this.#pinch(pressed, x, y);
    else if (this.doing === "press") this.#leavePress(event, pressed, x, y);
    else if (this.doing === "pan") this.board.pan(dx, dy);
    if (this.doing === "brush") this.#brush(event, x, y);
    pressed.x = x;
    pressed.y = y;
    if (event.pointerType !== "touch") this.#changeButtons(event, pressed);
  }

  #hover(event, x, y) {
    // While a mouse holds a button that was pressed elsewhere, its other buttons send no "pointerdown".
    if (event.pointerType === "mouse" && event.buttons & changedBit(event)) this.#press(event);
    else if (event.pointerType !== "touch") this.board.hover(this.board.cellAt(x, y));
  }

  #leavePress(event, pressed, x, y) {
    if (event.pointerType !== "touch") this.board.hover(this.board.cellAt(x, y));
    if (Math.hypot(x - pressed.startX, y - pressed.startY) < SLOP) return;
    clearTimeout(this.timer);
    if (event.pointerType === "touch" && this.board.brush) {
      this.doing = "brush";
      if (this.last) this.board.act("primary", this.last, event);
    } else if (this.board.overflows && !(event.pointerType === "mouse" && this.board.mode === "play")) {
      // In a game, a mouse pans with its wheel: fast clicks slip, and none may be lost.
      this.doing = "pan";
      this.board.hover(null);
      this.board.pan(x - pressed.startX, y - pressed.startY);
    }
  }

  #brush(event, x, y) {
    const cell = this.board.cellAt(x, y);
    this.board.hover(cell);
    if (!cell || cell.index === this.last?.index || this.board.mode !== "edit") return;
    for (const passed of cellsBetween(this.last ?? cell, cell)) {
      this.board.setCursor(this.board.grid.cell(passed.row, passed.col));
      this.board.act("drag", this.board.cursor, event);
    }
    this.last = cell;
  }

  #pinch(pressed, x, y) {
    const other = [...this.down.values()].find((pointer) => pointer !== pressed);
    const before = Math.hypot(pressed.x - other.x, pressed.y - other.y);
    const after = Math.hypot(x - other.x, y - other.y);
    this.board.zoom(after / Math.max(1, before), { x: (x + other.x) / 2, y: (y + other.y) / 2 });
    this.board.pan((x - pressed.x) / 2, (y - pressed.y) / 2);
  }

  #release(event) {
    const pressed = this.down.get(event.pointerId);
    if (!pressed) return;
    Object.assign(pressed, this.#point(event));
    if (event.pointerType === "touch") this.#releaseButton("primary", event, pressed);
    else this.#changeButtons(event, pressed);
    this.#forget(event);
  }

  #forget(event) {
    clearTimeout(this.timer);
    this.down.delete(event.pointerId);
    if (this.down.size === 0) {
      this.board.release();
      this.doing = null;
      this.last = null;
    }
  }

  #wheel(event) {
    const lines = event.deltaMode === 1 ? 18 : 1;
    if (event.ctrlKey || event.metaKey) this.board.zoom(Math.exp(-event.deltaY * lines * WHEEL_SPEED * (Math.abs(event.deltaY) < 30 ? 4 : 1)), this.#point(event));
    else {
      const [dx, dy] = event.shiftKey && !event.deltaX ? [event.deltaY, 0] : [event.deltaX, event.deltaY];
      // When the board is at its edge, the wheel scrolls the page.
      if (!this.board.overflows || !this.board.pan(-dx * lines, -dy * lines)) return;
    }
    event.preventDefault();
  }
}

/** The bit in `buttons` of the button that an event reports as pressed or released; 0 if there is none. @param {PointerEvent} event */
function changedBit({ button }) {
  return BUTTONS[button]?.[1] ?? 0;
}

/** Cells on the straight line between two, without the first. */
function cellsBetween(from, to) {
  const steps = Math.max(Math.abs(to.row - from.row), Math.abs(to.col - from.col));
  return Array.from({ length: steps }, (_, at) => ({
    row: Math.round(from.row + ((to.row - from.row) * (at + 1)) / steps),
    col: Math.round(from.col + ((to.col - from.col) * (at + 1)) / steps),
  }));
}

// Keys on a board that has the focus: the cursor, zoom, acting on a cell.

const ZOOM = 1.25;

/** Handle a key press of the board. @param {import("./board.js").Board} board @param {KeyboardEvent} event */
export function onKey(board, event) {
  const { rows, cols } = board.grid;
  const { row, col } = board.cursor;
  const page = Math.max(1, board.rowsShown - 1);
  const to = (toRow, toCol) => () => board.pointAt({ row: Math.min(rows - 1, Math.max(0, toRow)), col: Math.min(cols - 1, Math.max(0, toCol)) });
  const act = (kind) => () => {
    // The user should see the cell that is acted on.
    board.scrollTo(board.cursor);
    board.act(kind, board.cursor, event);
  };
  const uses = {
    up: to(row - 1, col), down: to(row + 1, col), left: to(row, col - 1), right: to(row, col + 1), pageUp: to(row - page, col), pageDown: to(row + page, col),
    rowStart: to(row, 0), rowEnd: to(row, cols - 1), boardStart: to(0, 0), boardEnd: to(rows - 1, cols - 1),
    zoomIn: () => board.zoom(ZOOM), zoomOut: () => board.zoom(1 / ZOOM), fit: () => board.fit(),
    // On a board that does not listen for acts, Enter and Space are left to the page.
    ...(board.listeners.onAct && { primary: act("primary"), secondary: act("secondary") }),
  };
  const use = uses[actionOf(keyOf(event), BOARD_ACTIONS)];
  if (!use) return;
  use();
  event.preventDefault();
}
