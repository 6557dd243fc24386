// How fast agents and replays go: a pace in seconds per step, with a control to change it.
import { h } from "../dom.js";
import { load, save } from "../store.js";
import { button } from "../widgets.js";

const PACES = [4, 2, 1, 0.5, 0.25, 0.1, 0.03];
const KEY = "play.pace";

/** A pace that every part of the tab shares, and that the browser remembers. */
export const pace = {
  at: load(KEY, 1, 3),
  listeners: new Set(),
  /** Seconds per step. */
  get seconds() {
    return PACES[this.at] ?? PACES[3];
  },
  /** Faster by some steps, slower if negative. @param {number} by */
  change(by) {
    this.at = Math.min(PACES.length - 1, Math.max(0, this.at + by));
    save(KEY, 1, this.at);
    this.listeners.forEach((listener) => listener());
  },
};

/** Buttons "slower" and "faster" around the present pace. @param {string} step what a step is called: "turn", "step" */
export function paceControl(step) {
  const text = h("span", { class: "play-pace", "aria-live": "polite" });
  const slower = button({ label: "Slower", icon: "minus", action: "slower", compact: true, onclick: () => pace.change(-1) });
  const faster = button({ label: "Faster", icon: "plus", action: "faster", compact: true, onclick: () => pace.change(1) });
  const show = () => {
    text.textContent = `${pace.seconds} s per ${step}`;
    slower.disabled = pace.at === 0;
    faster.disabled = pace.at === PACES.length - 1;
  };
  pace.listeners.add(show);
  show();
  return h("div", { class: "row play-pace-row", role: "group", "aria-label": "Speed" }, slower, text, faster);
}

/** Wait for one step at the present pace. @param {AbortSignal} signal @returns {Promise<void>} */
export function nextStep(signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pace.seconds * 1000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    }, { once: true });
  });
}

// Buttons and keys to step through a list: first, back, forward, last.

/**
 * The buttons; `refresh` disables those that have nowhere to go.
 * @param {{to: (at: number) => void, at: () => number, last: () => number, middle?: HTMLElement}} list @returns {{element: HTMLElement, refresh: () => void}}
 */
export function stepButtons({ to, at, last, middle }) {
  const step = (label, name, action, target) => button({ label, icon: name, action, compact: true, onclick: () => to(target()) });
  const back = [step("First", "first", "first", () => 0), step("Back", "left", "back", () => at() - 1)];
  const forward = [step("Forward", "right", "next", () => at() + 1), step("Last", "last", "last", last)];
  const refresh = () => {
    back.forEach((each) => (each.disabled = at() <= 0));
    forward.forEach((each) => (each.disabled = at() >= last()));
  };
  return { element: h("div", { class: "row play-steps" }, back, middle, forward), refresh };
}

/** What keys do. @param {{to: (at: number) => void, at: () => number, last: () => number}} list */
export function stepUses({ to, at, last }) {
  return { next: () => to(at() + 1), back: () => to(at() - 1), first: () => to(0), last: () => to(last()) };
}
