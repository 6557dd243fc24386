// An agent in the player's own game: one turn, or turn after turn until it is stopped.
import { isAbort } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { load, save } from "../store.js";
import { button, card, field } from "../widgets.js";
import { percent, sentence } from "../words.js";
import { readMove } from "./games.js";
import { nextStep, paceControl } from "./playback.js";
import { follow } from "./requests.js";
import { namedCells } from "./words.js";

const KEY = "play.agent";

/** A list to choose an agent from; the choice is remembered. @param {{name: string, about: string}[]} agents @param {string} [label] */
export function agentField(agents, label = "Agent") {
  const chosen = load(KEY, 1, "expert");
  const select = h("select", { onchange: () => save(KEY, 1, select.value) },
    agents.map(({ name }) => h("option", { value: name, selected: name === chosen }, name)));
  const wrapped = field(label, select, " ");
  const help = wrapped.querySelector("small");
  const explain = () => (help.textContent = sentence(agents.find((agent) => agent.name === select.value).about));
  select.addEventListener("change", explain);
  explain();
  return { element: wrapped, get value() { return select.value; } };
}

/** What an agent did in a turn, in words. @param {string} agent @param {{revealed: string[], why: string, risk: number|null, stuck: boolean}} turn */
export function turnWords(agent, { revealed, why, risk, stuck }) {
  if (stuck) return sentence(`${agent} is stuck: ${why}`);
  const size = risk ? `, a risk of ${percent(risk)}` : "";
  return sentence(`${agent} reveals ${revealed.length ? namedCells(revealed) : "nothing"}: ${why}${size}`);
}

/** The agent of one game view. */
export class GameAgent {
  /** @param {import("./playboard.js").PlayBoard} table @param {any} app @param {{say: Function, busy: (text: string) => void, fail: Function, onHelp: () => void}} panel */
  constructor(table, app, panel) {
    this.table = table;
    this.panel = panel;
    this.choice = agentField(app.about.agents, "Who plays");
    this.once = button({ label: "One turn", action: "turn", icon: "right", onclick: () => this.turn() });
    this.on = button({ label: "Play on", action: "playOn", icon: "play", onclick: () => this.toggle() });
    const go = (params) => app.go("play", { id: table.session.id, ...params });
    const watch = button({ label: "Watch", title: "Watch it play this board from the start", icon: "eye", onclick: () => go({ v: "watch", a: this.choice.value }) });
    const race = button({ label: "Race", title: "Agents race on this board; you can take part", icon: "clock", onclick: () => go({ v: "race" }) });
    this.element = card("Agent", {}, this.choice.element,
      h("div", { class: "row" }, this.once, this.on), paceControl("turn"), h("div", { class: "row" }, watch, race));
  }

  get isRunning() {
    return Boolean(this.playing);
  }

  /** Let the agent play on, or stop it. */
  toggle() {
    if (this.isRunning) this.stop();
    else this.#playOn();
  }

  /** Stop the agent, if it plays. */
  stop() {
    if (!this.isRunning) return;
    this.playing.abort();
    this.#finish();
    this.panel.say(`${this.choice.value} has stopped`);
  }

  /** An agent has nothing to do in a game that is over. @param {boolean} isOver */
  setOver(isOver) {
    this.once.disabled = isOver;
    this.on.disabled = isOver;
  }

  #finish() {
    this.playing = null;
    this.#label();
  }

  #label() {
    this.on.querySelector("span").textContent = this.isRunning ? "Stop" : "Play on";
    this.on.querySelector("svg").replaceWith(icon(this.isRunning ? "pause" : "play"));
    this.on.setAttribute("aria-pressed", String(this.isRunning));
  }

  async #playOn() {
    const mine = (this.playing = new AbortController());
    this.#label();
    while (!mine.signal.aborted && (await this.#take(mine.signal))) await nextStep(mine.signal);
    if (this.playing === mine) this.#finish();
  }

  /** One turn of the agent. */
  async turn() {
    this.stop();
    const mine = (this.playing = new AbortController());
    await this.#take(mine.signal);
    if (this.playing === mine) this.#finish();
  }

  /** Play one turn of the agent; true if it can play another. */
  async #take(signal) {
    const { session } = this.table;
    const agent = this.choice.value;
    if (session.isOver) return false;
    this.panel.busy(`${agent} is thinking…`);
    try {
      await session.settle();
      if (session.isOver || session.error) return false;
      const turn = await follow("play/turn", { ...session.body, agent, seed: session.moves.length }, { signal, onNote: this.panel.busy });
      if (signal.aborted) return false;
      this.panel.onHelp();
      session.playAll(turn.moves.map((text) => readMove(text, session.game.cols)));
      await session.settle();
      if (!session.isOver) this.panel.say(turnWords(agent, turn), { title: "Agent" });
      return !turn.stuck && !session.isOver && turn.moves.length > 0;
    } catch (error) {
      if (!isAbort(error)) this.panel.fail(error, () => this.turn());
      return false;
    }
  }
}
