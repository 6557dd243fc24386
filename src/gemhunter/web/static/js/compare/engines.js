// The card that chooses engines: presets, a list by family, and free text for settings.
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { effect } from "../signal.js";
import { button, card, field, newId, notice } from "../widgets.js";
import { counted } from "../words.js";
import { engineFault } from "./choice.js";

/** The card of engines. */
export class EnginesCard {
  /** @param {any} app @param {import("./choice.js").ChoiceSignal} choice @param {HTMLElement} runs the fields for runs and seconds */
  constructor(app, choice, runs) {
    this.app = app;
    this.choice = choice;
    this.engines = [...new Map(app.about.engines.map((engine) => [engine.name, engine])).values()].filter((engine) => !engine.name.startsWith("cmd"));
    this.chosen = h("ul", { class: "compare-chips", "aria-label": "Chosen engines" });
    this.said = h("div", { class: "compare-said" });
    this.summary = h("summary", {});
    this.boxes = new Map();
    this.none = button({ label: "Clear", kind: "quiet", title: "Remove all engines", onclick: () => this.#set([]) });
    this.element = card("Engines", { tools: this.none }, this.chosen, this.#presets(), this.#list(), this.#typed(), this.said, runs);
    effect(() => this.#show(choice.value.engines));
  }

  #presets() {
    const buttons = Object.entries(this.app.about.comparison.presets).map(([label, names]) => button({ label, title: names.join(", "), onclick: () => this.#set(this.#installed(names)) }));
    return h("div", { class: "row" }, buttons);
  }

  #installed(names) {
    return names.filter((name) => engineFault(name, this.engines) === null);
  }

  #list() {
    const families = [...new Set(this.engines.map((engine) => engine.family))];
    const groups = families.map((family) => h("fieldset", {}, h("legend", { class: "label" }, family),
      this.engines.filter((engine) => engine.family === family).map((engine) => this.#box(engine))));
    return h("details", { class: "panel" }, this.summary, h("div", { class: "compare-families" }, groups));
  }

  #box(engine) {
    const about = h("small", { class: "quiet", id: newId("engine") }, aboutOf(engine));
    const box = h("input", {
      type: "checkbox", disabled: !engine.installed, "aria-label": engine.name, "aria-describedby": about.id,
      onchange: () => this.#toggle(engine.name, box.checked),
    });
    this.boxes.set(engine.name, box);
    return h("label", { class: "check compare-engine" }, box, h("span", {}, breakable(engine.name), about));
  }

  #typed() {
    const input = h("input", { placeholder: "cdcl:restarts=never", spellcheck: "false", autocapitalize: "off", autocomplete: "off" });
    const add = () => {
      if (!input.value.trim()) return input.focus();
      if (this.#add(input.value.trim())) input.value = "";
      else input.setAttribute("aria-invalid", "true");
    };
    input.addEventListener("input", () => input.removeAttribute("aria-invalid"));
    input.addEventListener("keydown", (event) => event.key === "Enter" && add());
    const line = field("Engine with settings", input, "Write name:setting=value");
    const box = h("div", { class: "compare-typed" });
    input.replaceWith(box);
    box.append(input, button({ label: "Add", title: "Add this engine", onclick: add }));
    return line;
  }

  #add(name) {
    const fault = engineFault(name, this.engines);
    clear(this.said, fault && notice(fault));
    if (fault) this.said.scrollIntoView({ block: "center" });
    if (!fault) this.#set([...new Set([...this.choice.value.engines, name])]);
    return !fault;
  }

  #toggle(name, isOn) {
    const { engines } = this.choice.value;
    this.#set(isOn ? [...engines, name] : engines.filter((other) => other !== name));
  }

  #set(engines) {
    const { engines: most } = this.app.about.comparison;
    clear(this.said, engines.length > most && notice(`a comparison has at most ${most} engines; remove one first`));
    // The choice counts as new even if nothing was added, so that the box of the rejected engine is unchecked.
    this.choice.value = { ...this.choice.value, ...(engines.length <= most && { engines }) };
    this.app.announce(counted(this.choice.value.engines.length, "engine chosen", "engines chosen"));
  }

  #show(engines) {
    for (const [name, box] of this.boxes) box.checked = engines.includes(name);
    this.none.hidden = !engines.length;
    clear(this.summary, `All engines (${engines.length} of ${this.engines.length} chosen)`);
    clear(this.chosen, engines.map((name) => this.#chip(name)));
    if (!engines.length) clear(this.chosen, h("li", { class: "quiet compare-none" }, "No engine yet. Choose a preset, or engines from the list."));
  }

  #chip(name) {
    const about = this.engines.find((engine) => engine.name === name);
    const remove = () => {
      const at = this.choice.value.engines.indexOf(name);
      this.#toggle(name, false);
      const rest = this.chosen.querySelectorAll("button");
      (rest[Math.min(at, rest.length - 1)] ?? this.summary).focus();
    };
    return h("li", { class: "compare-chip", title: about ? aboutOf(about) : null }, h("span", {}, name),
      h("button", { type: "button", "aria-label": `Remove ${name}`, title: `Remove ${name}`, onclick: remove }, icon("close")));
  }
}

/** A name that can wrap after each colon. */
function breakable(name) {
  return name.split(/(?<=:)/).flatMap((part) => [part, h("wbr")]);
}

function aboutOf(engine) {
  const settings = engine.settings?.length ? ` Settings: ${engine.settings.join(", ")}.` : "";
  const missing = engine.installed ? "" : ` Not installed: it needs the package ${engine.package}.`;
  return `${engine.about}.${settings}${missing}`;
}
