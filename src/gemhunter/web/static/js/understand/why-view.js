// What mode Why says about one scene: rule, sentence, thoughts, notes and the example solutions.
import { h } from "../dom.js";
import { badge, segmented } from "../widgets.js";
import { counted, sentence } from "./cell-text.js";
import { isCounted } from "./scenes.js";

const MANY_THOUGHTS = 16;
/** @type {Record<string, Parameters<typeof badge>>} */
const ENDS = { suppose: ["assumption", "info"], conflict: ["conflict", "bad"], open: ["open", "warn"], done: ["done", "good"], "gave-up": ["gave up", "warn"] };

/** @typedef {import("./scenes.js").Scene} Scene */

/** The badges of a scene: its rule and level, or how the explanation ends. @param {Scene} scene @param {{name: string, level: number, about: string}[]} rules */
export function sceneBadges(scene, rules) {
  if (scene.kind !== "step") return [badge(...ENDS[scene.kind])];
  const rule = badge(scene.rule, "info");
  const about = rules.find(({ name }) => name === scene.rule)?.about;
  if (about) rule.title = `Decided by ${about}`;
  return [rule, badge(`level ${scene.level}`), scene.total ? badge("uses the number of traps") : null];
}

/** A row of the list of scenes. @param {Scene[]} scenes @param {number} index */
export function sceneRow(scenes, index) {
  const scene = scenes[index];
  const isStep = scene.kind === "step";
  const level = isStep && h("span", { class: `understand-level level-${scene.level}` }, `level ${scene.level}`);
  const head = h("span", { class: "understand-scene-head" }, h("b", {}, isStep ? scene.rule : ENDS[scene.kind][0]), level);
  return {
    class: `understand-scene ${scene.kind}`,
    children: [
      h("span", { class: "understand-number" }, isCounted(scene) ? String(index + 1) : "•"),
      h("span", { class: "understand-scene-text" }, head, h("span", { class: "understand-scene-line" }, scene.sentence)),
    ],
  };
}

/**
 * The sentence of a scene and what belongs to it.
 * @param {Scene} scene @param {{rules: any[], point: import("./cell-text.js").Point, example: number|null, onExample: (example: number|null) => void}} context
 */
export function sceneView(scene, { rules, point, example, onExample }) {
  return [
    h("div", { class: "row" }, sceneBadges(scene, rules)),
    h("p", { class: "understand-sentence" }, sentence(scene.sentence, point)),
    scene.note && h("p", {}, sentence(scene.note, point)),
    scene.thoughts.length > 0 && thoughtsView(scene.thoughts, point),
    scene.examples?.length > 0 && examplesView(scene.examples, example, onExample),
  ];
}

function examplesView(examples, example, onExample) {
  const options = [{ value: "", label: "Open cells" }, ...examples.map((_, at) => ({ value: String(at), label: `Solution ${at + 1}` }))];
  return segmented({
    label: "What the open cells show", small: true, options, value: example === null ? "" : String(example),
    onChange: (value) => onExample(value === "" ? null : Number(value)),
  });
}

function thoughtsView(thoughts, point) {
  const isLong = thoughts.length > MANY_THOUGHTS;
  return h("details", { class: "understand-thoughts", open: true },
    h("summary", {}, h("b", {}, "Line of thought"), h("span", { class: "quiet" }, ` · ${counted(thoughts.length, "thought")}`)),
    h("div", { class: "understand-thoughts-body" }, branches(thoughts, point, isLong)));
}

/** Thoughts as nested lists: those that follow at a greater depth fold into the one before. */
function branches(thoughts, point, isLong) {
  const items = [];
  for (let at = 0; at < thoughts.length; ) {
    let end = at + 1;
    while (end < thoughts.length && thoughts[end].depth > thoughts[at].depth) end += 1;
    const text = sentence(thoughts[at].sentence, point);
    const inner = thoughts.slice(at + 1, end);
    items.push(inner.length
      ? h("li", {}, h("details", { open: !isLong || thoughts[at].depth < 1 }, h("summary", {}, text), branches(inner, point, isLong)))
      : h("li", { class: "understand-leaf" }, text));
    at = end;
  }
  return h("ul", {}, items);
}
