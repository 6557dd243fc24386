// Buttons and keys to step through a list: first, back, forward, last.
import { h } from "../dom.js";
import { button } from "../widgets.js";

const BACK = new Set(["ArrowLeft", "ArrowUp", "k"]);
const FORWARD = new Set(["ArrowRight", "ArrowDown", "j"]);

/**
 * The buttons; `refresh` turns off those that lead nowhere.
 * @param {{to: (at: number) => void, at: () => number, last: () => number, middle?: HTMLElement}} list @returns {{element: HTMLElement, refresh: () => void}}
 */
export function stepButtons({ to, at, last, middle }) {
  const step = (label, name, key, target) => button({ label, icon: name, key, compact: true, onclick: () => to(target()) });
  const back = [step("First", "first", "Home", () => 0), step("Back", "left", "←", () => at() - 1)];
  const forward = [step("Forward", "right", "→", () => at() + 1), step("Last", "last", "End", last)];
  const refresh = () => {
    back.forEach((each) => (each.disabled = at() <= 0));
    forward.forEach((each) => (each.disabled = at() >= last()));
  };
  return { element: h("div", { class: "row play-steps" }, back, middle, forward), refresh };
}

/**
 * Step by a key; true if the key was used. Arrows on a board move its cursor.
 * @param {KeyboardEvent} event @param {{to: (at: number) => void, at: () => number, last: () => number}} list
 */
export function stepByKey({ key, target }, { to, at, last }) {
  if (key.length > 1 && target.closest?.("[role=grid], input[type=range], [role=radiogroup]")) return false;
  if (BACK.has(key)) to(at() - 1);
  else if (FORWARD.has(key)) to(at() + 1);
  else if (key === "Home") to(0);
  else if (key === "End") to(last());
  else return false;
  return true;
}
