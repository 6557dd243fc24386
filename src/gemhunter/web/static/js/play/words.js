// Words and numbers as players read them: times, lists.
import { listed } from "../words.js";

const CELLS_NAMED = 6;
const coarse = matchMedia("(pointer: coarse)");

/** Choose between a value for mouse and keyboard and one for touch screens. @template T @param {T} forKeys @param {T} forFingers @returns {T} */
export function byInput(forKeys, forFingers) {
  return coarse.matches ? forFingers : forKeys;
}

/** A time as minutes and seconds. @param {number} seconds */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A time with tenths, for results. @param {number} seconds */
export function exactTime(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, "0")}`;
}

/** The first cells by name, and how many more there are. @param {string[]} names */
export function namedCells(names) {
  const rest = names.length - CELLS_NAMED;
  return listed(rest > 0 ? [...names.slice(0, CELLS_NAMED), `${rest} more`] : names);
}

/** A name with its article: "an Expert", "a Beginner". @param {string} name */
export function withArticle(name) {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

/** The help used, such as ", with hints and undo"; empty if there was none. @param {string[]} aids */
export function withAids(aids) {
  return aids.length ? `, with ${listed(aids)}` : "";
}
