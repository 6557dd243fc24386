// The hint ladder on a page: each press says more. Shared by games and boards to fill in.
import { h } from "../dom.js";
import { prose } from "../widgets.js";
import { cellsIn } from "../words.js";

const RUNGS = ["what kind of deduction", "where to look", "which clues", "the conclusion", "do it"];

/** Dots that show how much a hint has said. */
function rungDots(rung, of) {
  const shown = Math.min(rung, of);
  return h("span", { class: "play-rungs", role: "img", "aria-label": `hint ${shown} of ${of}: ${RUNGS[shown - 1]}` },
    Array.from({ length: of }, (_, at) => h("i", { class: at < shown ? "on" : null })));
}

/** What a hint of the server says up to its rung: the first text and the latest, or the whole deduction. */
function hintLines(hint) {
  if (hint.step) return [h("p", {}, prose(hint.step.sentence)), thoughtList(hint.step)].filter(Boolean);
  return [...new Set([hint.rungs[0], hint.rungs.at(-1)])].map((text) => h("p", {}, text));
}

/** A hint for the panel: what it says, how far it has come, and what the next press does. @param {any} hint @param {{rung: number, of: number, next: string}} how */
export function hintBody(hint, { rung, of, next }) {
  return h("div", { class: "play-hint" }, hintLines(hint), h("div", { class: "row between" }, rungDots(rung, of), h("small", { class: "quiet" }, next)));
}

/** The thoughts behind a step, indented by depth; null if it has none. @param {any} step */
export function thoughtList(step) {
  if (!step.thoughts.length) return null;
  return h("ol", { class: "play-thoughts" }, step.thoughts.map(({ depth, sentence: text }) => {
    const line = h("li", {}, text);
    line.style.setProperty("--depth", String(depth));
    return line;
  }));
}

/** The cells that the paragraphs of a message name. @param {HTMLElement} body */
export function cellsNamed(body) {
  return [...body.querySelectorAll("p")].flatMap((line) => cellsIn(line.textContent));
}

/** The layers of a hint. @param {any} hint */
export function hintLayers(hint) {
  const decides = hint.step?.decides ?? { traps: [], gems: [] };
  return { outlined: hint.clues, newTraps: decides.traps, newGems: decides.gems };
}

export const NO_HINT_LAYERS = { outlined: [], newTraps: [], newGems: [], unsure: [], cursorHint: null };
