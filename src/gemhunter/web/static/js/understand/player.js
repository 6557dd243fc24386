// The player: buttons, scrubber, speed and keys that move through a list of steps.
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { shortcutOf } from "../keys.js";
import { load, save } from "../store.js";
import { button } from "../widgets.js";

const SPEED_MARKS = 100;

/**
 * @typedef {"start"|"hand"|"slow"|"fast"} How a step was reached: in a new list, by hand or as the last step of playing, or by slow or fast playing
 * @typedef {{name: string, label: string, noun: string, speeds: {least: number, most: number, start: number},
 *   onGo: (index: number, how: How) => void, stopsAt?: (index: number) => boolean, place?: (index: number) => string}} PlayerOptions
 */

/** Moves through steps 0 … length − 1, by hand or automatically. */
export class Player {
  /** @param {PlayerOptions} options `name` is where the speed is stored; `stopsAt` says where playing pauses, `place` names a step */
  constructor(options) {
    this.options = options;
    this.length = 0;
    this.index = 0;
    this.isPlaying = false;
    const { least, most } = options.speeds;
    const stored = load(`understand.speed.${options.name}`, 1, options.speeds.start);
    this.speed = Math.min(most, Math.max(least, Number(stored) || options.speeds.start));
    this.#build();
  }

  #build() {
    const make = (label, name, action, onclick) => button({ label, icon: name, action, compact: true, onclick });
    const { noun, label } = this.options;
    this.first = make(`First ${noun}`, "first", "first", () => this.goByHand(0));
    this.back = make("Back", "left", "back", () => this.goByHand(this.index - 1));
    this.toggle = button({ label: "Play", icon: "play", action: "run", compact: true, kind: "primary", onclick: () => this.playOrPause() });
    this.next = make("Next", "right", "next", () => this.goByHand(this.index + 1));
    this.last = make(`Last ${noun}`, "last", "last", () => this.goByHand(this.length - 1));
    this.place = h("output", { class: "understand-place" });
    this.scrubber = h("input", {
      type: "range", class: "understand-scrubber", min: 1, max: 1, step: 1, value: 1, "aria-label": `${label}: ${noun}`,
      oninput: () => this.goByHand(Number(this.scrubber.value) - 1),
    });
    this.element = h("div", { class: "understand-player", role: "group", "aria-label": label },
      h("div", { class: "understand-buttons" }, this.first, this.back, this.toggle, this.next, this.last, this.place), this.scrubber, this.#speedField());
  }

  #speedField() {
    const { least, most } = this.options.speeds;
    const text = h("output", { class: "quiet" });
    const slider = h("input", { type: "range", min: 0, max: SPEED_MARKS, step: 1, "aria-label": "Speed" });
    const show = () => {
      text.textContent = this.speed >= 1.5 ? `${Math.round(this.speed)} per second` : this.speed >= 0.95 ? "1 per second" : `${(1 / this.speed).toFixed(1)} s each`;
      slider.setAttribute("aria-valuetext", text.textContent);
    };
    slider.value = String(Math.round((SPEED_MARKS * Math.log(this.speed / least)) / Math.log(most / least)));
    slider.addEventListener("input", () => {
      this.speed = least * (most / least) ** (Number(slider.value) / SPEED_MARKS);
      save(`understand.speed.${this.options.name}`, 1, this.speed);
      show();
    });
    show();
    return h("label", { class: "understand-speed" }, h("span", { class: "label" }, "Speed"), slider, text);
  }

  /** Begin with another list of steps. @param {number} length @param {number} index the step to begin with */
  setLength(length, index) {
    this.pause();
    this.length = length;
    this.scrubber.max = String(Math.max(1, length));
    this.#go(index, "start");
  }

  /** Go to a step because a person asked for it; playing pauses. @param {number} index */
  goByHand(index) {
    this.pause();
    this.#go(index, "hand");
  }

  #go(index, how) {
    this.index = Math.max(0, Math.min(this.length - 1, Math.floor(index) || 0));
    this.#showPlace();
    if (this.length) this.options.onGo(this.index, how);
  }

  #showPlace() {
    const isFirst = this.index <= 0;
    const isLast = this.index >= this.length - 1;
    const text = this.length ? this.#placeText() : "–";
    this.place.textContent = text;
    // Not `disabled`: the focus would leave the button that was just pressed.
    for (const each of [this.first, this.back]) each.setAttribute("aria-disabled", String(isFirst));
    for (const each of [this.next, this.last]) each.setAttribute("aria-disabled", String(isLast));
    this.toggle.disabled = this.scrubber.disabled = this.length < 2;
    this.scrubber.value = String(this.index + 1);
    this.scrubber.setAttribute("aria-valuetext", `${this.options.noun} ${text.replace("/", "of")}`);
  }

  #placeText() {
    return this.options.place?.(this.index) ?? `${(this.index + 1).toLocaleString("en")} / ${this.length.toLocaleString("en")}`;
  }

  /** Play on, or pause. At the end, playing begins again. */
  playOrPause() {
    if (this.isPlaying) return this.goByHand(this.index);
    if (this.length < 2) return;
    if (this.index >= this.length - 1) this.#go(0, "slow");
    this.isPlaying = true;
    this.#showToggle();
    this.due = performance.now() + 1000 / this.speed;
    this.frame = requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    let index = this.index;
    let isOver = false;
    while (this.due <= now && !isOver) {
      this.due += 1000 / this.speed;
      index += 1;
      isOver = index >= this.length - 1 || Boolean(this.options.stopsAt?.(index));
    }
    if (index !== this.index) this.#go(index, isOver ? "hand" : this.speed > 1 ? "fast" : "slow");
    if (isOver) this.pause();
    else this.frame = requestAnimationFrame((next) => this.#tick(next));
  }

  /** Stop playing. */
  pause() {
    cancelAnimationFrame(this.frame);
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.#showToggle();
  }

  #showToggle() {
    const label = this.isPlaying ? "Pause" : "Play";
    clear(this.toggle, icon(this.isPlaying ? "pause" : "play"));
    this.toggle.setAttribute("aria-label", label);
    this.toggle.title = `${label} (${shortcutOf("run")})`;
  }

  #toBreakpoint(direction) {
    let index = this.index + direction;
    while (index > 0 && index < this.length - 1 && !this.options.stopsAt?.(index)) index += direction;
    this.goByHand(index);
  }

  /** What keys do. */
  get uses() {
    return {
      next: () => this.goByHand(this.index + 1), back: () => this.goByHand(this.index - 1), first: () => this.goByHand(0), last: () => this.goByHand(this.length - 1),
      run: () => this.playOrPause(), ...(this.options.stopsAt && { nextStop: () => this.#toBreakpoint(1), previousStop: () => this.#toBreakpoint(-1) }),
    };
  }
}
