// Buttons and keys to step through a list: first, back, forward, last.
import { h } from "../dom.js";
import { button } from "../widgets.js";

/**
 * The buttons; `refresh` turns off those that lead nowhere.
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
