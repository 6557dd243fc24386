// Sentences and clauses on the page; cells named in them can be pointed at.
import { h } from "../dom.js";
import { capital, listed } from "../words.js";

const CELL = /r\d+c\d+/g;
const LITERAL = /^(r\d+c\d+)=([TG])$/;

/** @typedef {(names: string[]|null) => void} Point outlines cells on the board; null restores the previous outlines */

/** The cell and the value of a literal such as "r1c2=T"; null for an auxiliary variable. @param {string} name */
export function literalOf(name) {
  const found = LITERAL.exec(name);
  return found && { cell: found[1], isTrap: found[2] === "T" };
}

/** The names of the cells of a clause. @param {string[]} clause */
export function cellsOf(clause) {
  return clause.map(literalOf).filter(Boolean).map((literal) => literal.cell);
}

/** Make an element outline cells while the pointer is on it. @template {HTMLElement} T @param {T} element @param {string[]} names @param {Point} point @returns {T} */
export function pointing(element, names, point) {
  element.addEventListener("pointerenter", () => point(names));
  element.addEventListener("pointerleave", () => point(null));
  return element;
}

/** A sentence as nodes; pointing at the name of a cell outlines it. @param {string} text @param {Point} point @returns {(Node|string)[]} */
export function sentence(text, point) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(CELL)) {
    nodes.push(text.slice(from, found.index), pointing(h("span", { class: "understand-cell" }, found[0]), [found[0]], point));
    from = found.index + found[0].length;
  }
  return [...nodes, text.slice(from)];
}

/** A clause as chips; pointing at it outlines its cells. @param {string[]} clause @param {Point} point */
export function clauseChips(clause, point) {
  if (!clause.length) return h("span", { class: "understand-clause" }, h("span", { class: "understand-chip" }, "the empty clause"));
  const chips = clause.map((name) => {
    const literal = literalOf(name);
    const kind = literal ? (literal.isTrap ? "trap" : "gem") : "variable";
    return h("span", { class: `understand-chip ${kind}` }, name);
  });
  const parts = chips.flatMap((chip, at) => (at ? [h("span", { class: "understand-or" }, " or "), chip] : [chip]));
  return pointing(h("span", { class: "understand-clause" }, parts), cellsOf(clause), point);
}

/** A clause in words. @param {string[]} clause */
export function clauseWords(clause) {
  const literals = clause.map(literalOf);
  if (!clause.length) return "Nothing can make this clause true.";
  if (clause.length === 1) return `${capital(literalWords(clause[0]))}.`;
  const isTrap = literals[0]?.isTrap;
  if (literals.every((literal) => literal && literal.isTrap === isTrap)) {
    return `At least one of ${listed(literals.map((literal) => literal.cell), "and")} is a ${isTrap ? "trap" : "gem"}.`;
  }
  return `${capital(listed(clause.map(literalWords), "or"))}.`;
}

function literalWords(name) {
  const literal = literalOf(name);
  if (literal) return `${literal.cell} is a ${literal.isTrap ? "trap" : "gem"}`;
  return name.startsWith("-") ? `${name.slice(1)} is false` : `${name} is true`;
}
