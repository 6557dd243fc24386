// Which engine to watch: its name, settings, seed and how many steps to list.
import { h, on } from "../dom.js";
import { button, field } from "../widgets.js";

const LEAST_STEPS = 2000;
/** Labels and descriptions of engines that the server can trace; for others, the name and description of the server are used. */
const ENGINES = {
  "brute-force": { label: "Brute force", about: "Tries one assignment after another." },
  backtracking: { label: "Backtracking", about: "Tries cells; what a clue then forces follows at once." },
  dpll: { label: "DPLL", about: "Propagates unit clauses and flips its last decision after a conflict." },
  cdcl: { label: "CDCL", about: "Learns a clause from each conflict and jumps back." },
  resolution: { label: "Resolution", about: "Derives clauses from clauses until cells are decided." },
  genetic: { label: "Genetic algorithm", about: "Breeds boards that violate fewer and fewer clauses." },
  "local-search": { label: "Local search", about: "Fills cells at random, then flips cells of clues that do not hold." },
};

/** @typedef {{engine: string, settings: string, seed: number, most: number}} EngineChoice what to watch */

/** Read a choice from the parameters of the route. @param {Record<string, string>} params @param {any} about what the server offers @returns {EngineChoice} */
export function choiceOf({ e = "cdcl", seed, most }, { traceable, trace_steps: mostSteps }) {
  const [name, ...rest] = e.split(":");
  const isKnown = traceable.includes(name);
  return {
    engine: isKnown ? name : "cdcl", settings: isKnown ? rest.join(":") : "", seed: wholeNumber(seed),
    most: Math.min(mostSteps, wholeNumber(most) || LEAST_STEPS),
  };
}

function wholeNumber(text) {
  return Math.max(0, Math.floor(Number(text) || 0));
}

/** The name of the engine with its settings. @param {EngineChoice} choice */
export function engineName({ engine, settings }) {
  return settings ? `${engine}:${settings}` : engine;
}

/** What an engine does, in a sentence. @param {string} engine @param {any[]} engines what the server says about its engines */
export function aboutEngine(engine, engines) {
  return ENGINES[engine]?.about ?? `${engines.find(({ name }) => name === engine)?.about ?? engine}.`;
}

/** The parameters of the route. @param {EngineChoice} choice */
export function paramsOfChoice(choice) {
  return { e: engineName(choice), seed: choice.seed || null, most: choice.most === LEAST_STEPS ? null : choice.most };
}

/** The form. */
export class EngineForm {
  /** @param {any} about what the server offers @param {(choice: EngineChoice) => void} onRun */
  constructor({ engines, traceable, trace_steps: mostSteps }, onRun) {
    this.engines = engines;
    this.onRun = onRun;
    this.engine = h("select", { onchange: () => this.#changeEngine() }, traceable.map((name) => h("option", { value: name }, ENGINES[name]?.label ?? name)));
    this.seed = h("input", { type: "number", min: 0, step: 1, value: 0, inputmode: "numeric" });
    this.most = h("select", {}, [LEAST_STEPS, mostSteps].map((most) => h("option", { value: most }, most.toLocaleString("en"))));
    this.settings = h("input", { type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    this.given = h("small", { class: "quiet understand-given" });
    this.more = h("details", { class: "understand-more" }, h("summary", {}, "Options"),
      h("div", { class: "understand-settings" }, field("Seed", this.seed), field("Step limit", this.most), field("Settings", this.settings)), this.given);
    const engine = h("label", { class: "understand-engine-name" }, h("span", { class: "label" }, "Engine"), this.engine);
    this.element = h("form", { class: "understand-engine", "aria-label": "Engine to watch" },
      engine, button({ label: "Run again", icon: "again", title: "Run the search again with these options", onclick: () => this.run() }), this.more);
    on(this.element, "submit", (event) => {
      event.preventDefault();
      this.run();
    });
    on(this.element, "keydown", (event) => {
      if (event.key !== "Enter" || !event.target.matches("input")) return;
      event.preventDefault();
      this.run();
    });
  }

  /** Show a choice in the form. @param {EngineChoice} choice */
  set(choice) {
    this.engine.value = choice.engine;
    this.settings.value = choice.settings;
    this.seed.value = String(choice.seed);
    if (![...this.most.options].some(({ value }) => Number(value) === choice.most)) this.most.append(h("option", { value: choice.most }, choice.most.toLocaleString("en")));
    this.most.value = String(choice.most);
    this.more.open ||= Boolean(choice.settings);
    this.#showDefaults();
  }

  #changeEngine() {
    this.settings.value = "";
    this.#showDefaults();
    this.run();
  }

  #showDefaults() {
    const name = this.engine.value;
    const known = this.engines.find((engine) => engine.name === name || engine.name.startsWith(`${name}:`));
    const settings = known?.settings ?? [];
    this.settings.placeholder = settings.length ? `${settings[0]},…` : "none";
    this.given.textContent = settings.length ? `By default: ${settings.join(", ")}.` : "";
  }

  /** Ask for the trace that the form describes. */
  run() {
    const engine = this.engine.value;
    const settings = this.settings.value.trim().replace(new RegExp(`^${engine}(:|$)`), "");
    this.onRun({ engine, settings, seed: wholeNumber(this.seed.value), most: Number(this.most.value) });
  }
}
