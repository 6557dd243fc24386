// A small chart of the fitness per generation, with the current one marked.
import { h } from "../dom.js";

const MARGIN = { left: 40, right: 10, top: 22, bottom: 34 };
const FONT_SIZE = 12;

/** Draws into a canvas that is as wide as its container. */
export class FitnessChart {
  /** @param {(number: number) => void} onPick a generation was clicked */
  constructor(onPick) {
    this.canvas = h("canvas", { class: "understand-fitness", role: "img", "aria-label": "Clauses that hold, per generation" });
    this.element = this.canvas;
    this.values = [];
    this.canvas.addEventListener("click", (event) => this.values.length && onPick(this.#at(event.offsetX)));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
  }

  /** @param {number[]} values @param {number} most the number of clauses */
  setValues(values, most) {
    this.values = values;
    this.most = most;
    this.least = values.reduce((least, value) => Math.min(least, value), most - 1);
    this.draw();
  }

  /** Mark a generation. @param {number} current */
  setCurrent(current) {
    this.current = current;
    this.draw();
  }

  #at(x) {
    const share = (x - MARGIN.left) / (this.canvas.clientWidth - MARGIN.left - MARGIN.right);
    return Math.max(0, Math.min(this.values.length - 1, Math.round(share * (this.values.length - 1))));
  }

  /** Draw again, for instance in the colours of another theme. */
  draw() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !this.values.length) return;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    const ctx = this.canvas.getContext("2d");
    // A canvas does not understand custom properties; the style sheet gives these as the colours of text, border and outline.
    const style = getComputedStyle(this.canvas);
    ctx.scale(ratio, ratio);
    const inner = width - MARGIN.left - MARGIN.right;
    const x = (at) => MARGIN.left + (this.values.length < 2 ? inner / 2 : (at / (this.values.length - 1)) * inner);
    const span = this.most - this.least;
    const y = (value) => height - MARGIN.bottom - ((value - this.least) / span) * (height - MARGIN.top - MARGIN.bottom);
    ctx.font = `${FONT_SIZE}px ${style.fontFamily}`;
    this.#drawAxes(ctx, style, x, y);
    this.#drawCurve(ctx, style, x, y);
    this.#drawCurrent(ctx, style, x, y);
  }

  #drawAxes(ctx, style, x, y) {
    const right = this.canvas.clientWidth - MARGIN.right;
    const [top, bottom] = [y(this.most), y(this.least)];
    ctx.strokeStyle = ctx.fillStyle = style.borderTopColor;
    line(ctx, MARGIN.left, top, MARGIN.left, bottom);
    line(ctx, MARGIN.left, bottom, right, bottom);
    ctx.setLineDash([3, 4]);
    line(ctx, MARGIN.left, top, right, top);
    ctx.setLineDash([]);
    ctx.fillText("clauses that hold", 0, FONT_SIZE);
    ctx.textAlign = "right";
    ctx.fillText(`all ${this.most.toLocaleString("en")} hold: solved`, right, FONT_SIZE);
    for (const value of [this.most, this.least]) ctx.fillText(value.toLocaleString("en"), MARGIN.left - 6, y(value) + 4);
    const last = this.values.length - 1;
    ctx.textAlign = "center";
    ctx.fillText("generation", (MARGIN.left + right) / 2, this.canvas.clientHeight - 6);
    for (const at of new Set([0, last])) ctx.fillText(at.toLocaleString("en"), x(at), bottom + FONT_SIZE + 3);
    ctx.textAlign = "left";
  }

  #drawCurve(ctx, style, x, y) {
    ctx.strokeStyle = style.color;
    ctx.lineWidth = 2;
    ctx.beginPath();
    this.values.forEach((value, at) => ctx.lineTo(x(at), y(value)));
    ctx.stroke();
  }

  #drawCurrent(ctx, style, x, y) {
    const at = this.current ?? 0;
    if (this.values[at] === undefined) return;
    ctx.strokeStyle = ctx.fillStyle = style.outlineColor;
    ctx.lineWidth = 1;
    line(ctx, x(at), MARGIN.top - 4, x(at), this.canvas.clientHeight - MARGIN.bottom);
    ctx.beginPath();
    ctx.arc(x(at), y(this.values[at]), 4, 0, 2 * Math.PI);
    ctx.fill();
  }
}

function line(ctx, x0, y0, x1, y1) {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}
