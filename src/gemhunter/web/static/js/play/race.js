// A race on one board: agents against each other, or the player against them, with a table of results.
import { isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { button, card, notice, table, toast, toggle, working } from "../widgets.js";
import { capital, counted, listed, sentence } from "../words.js";
import { noteHelp } from "./archive.js";
import { copyLink } from "./files.js";
import { lobbyButton, statusBadge } from "./gamebar.js";
import { gameId, levelName, newSeed, readId, readMove } from "./games.js";
import { nextStep, pace, paceControl } from "./playback.js";
import { FLAG_MODE, PlayBoard } from "./playboard.js";
import { watchAgent } from "./positions.js";
import { clock, exactTime } from "./words.js";

const MOST_AGENTS = 3;
const USUAL = "expert,fast,logic";
/** The first move of every player. */
const OPENING = "reveal r1c1";
const ORDER = { won: 0, stuck: 1, "–": 2, lost: 3 };

/** The view; one instance shows all races. */
export class RaceView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.lanes = [];
    this.#build();
  }

  #build() {
    this.title = h("h2", { class: "title" });
    this.start = button({ label: "Start", icon: "play", kind: "primary", action: "run", onclick: () => this.toggle() });
    const setMe = (isOn) => this.#go({ me: isOn ? "1" : "" });
    this.me = toggle({ label: "Join the race", checked: false, title: "Play the same board against the agents", onChange: setMe });
    this.boxes = this.app.about.agents.map(({ name, about }) => {
      const input = h("input", { type: "checkbox", value: name, onchange: () => this.#chooseAgents(input) });
      return { input, element: h("label", { class: "check", title: about }, input, h("span", {}, name)) };
    });
    this.time = h("output", { class: "play-number", role: "timer", "aria-live": "off", "aria-label": "time" });
    this.talk = h("div", { "aria-live": "polite" });
    this.row = h("div", { class: "play-lanes" });
    this.results = h("div", {});
    this.element = h("div", { class: "page play-race" },
      card(null, {}, h("div", { class: "row between" }, lobbyButton(this.app), this.title, h("span", { class: "spring" }), this.time),
        h("div", { class: "row" }, this.start,
          button({ label: "Another board", icon: "shuffle", action: "fresh", onclick: () => this.#another() }), paceControl("turn"), this.me, h("span", { class: "spring" }),
          button({ label: "Copy link", icon: "link", kind: "quiet", onclick: () => copyLink(this.params) })),
        h("fieldset", { class: "play-agents" }, h("legend", { class: "label" }, `Agents (up to ${MOST_AGENTS})`), this.boxes.map(({ element }) => element)),
        this.talk),
      this.row, this.results);
  }

  #chooseAgents(changed) {
    const chosen = this.boxes.map(({ input }) => input).filter((input) => input.checked);
    if (chosen.length > MOST_AGENTS || !chosen.length) {
      changed.checked = !changed.checked;
      toast(`from 1 to ${counted(MOST_AGENTS, "agent")} can race`);
    } else this.#go({ a: chosen.map((input) => input.value).join(",") });
  }

  #go(changes) {
    this.app.go("play", { ...this.params, ...changes });
  }

  #another() {
    this.#go({ id: gameId(this.game.size, newSeed(), this.game.rule) });
  }

  /** Prepare the race of the route: `id`, agents `a`, and `me` if the player takes part. @param {Record<string, string>} params */
  async show(params) {
    const key = JSON.stringify(params);
    if (key === this.key) return;
    this.#reset();
    this.game = readId(params.id, this.app.about.levels);
    this.key = key;
    this.params = params;
    const known = this.app.about.agents.map((agent) => agent.name);
    const names = (params.a || USUAL).split(",").filter((name) => known.includes(name)).slice(0, MOST_AGENTS);
    this.boxes.forEach(({ input }) => (input.checked = names.includes(input.value)));
    this.me.querySelector("input").checked = Boolean(params.me);
    this.title.textContent = `Race, ${levelName(this.game, this.app.about.levels)}`;
    this.own = params.me ? new OwnLane(this.game, { onEnd: () => this.#showResults() }) : null;
    this.agents = names.map((name) => new AgentLane(name, this.game));
    this.lanes = this.own ? [this.own, ...this.agents] : this.agents;
    this.row.classList.toggle("with-me", Boolean(this.own));
    clear(this.row, this.lanes.map((each) => each.element));
    await this.#load();
  }

  #reset() {
    this.stop();
    this.leaving?.abort();
    this.lanes.forEach((each) => each.leave());
    this.lanes = [];
    this.isReady = false;
    this.key = null;
    clear(this.results);
    clear(this.talk);
  }

  async #load() {
    const mine = (this.leaving = new AbortController());
    this.start.disabled = true;
    clear(this.talk, working("Preparing the agents…"));
    const options = { signal: mine.signal, onNote: (note) => clear(this.talk, working(note)) };
    try {
      for (const agent of this.agents) agent.set(await watchAgent(this.game, agent.name, { ...options, moves: [OPENING] }));
      noteHelp(this.game.id, "an agent");
      clear(this.talk, h("p", { class: "quiet" }, `Everyone starts at ${OPENING.split(" ")[1]}.`));
      this.isReady = true;
      this.start.disabled = false;
    } catch (error) {
      if (!isAbort(error)) clear(this.talk, notice(error.message, { retry: () => this.#load() }));
    }
  }

  /** Start the race, or stop it. */
  toggle() {
    if (this.running) this.stop();
    else if (this.isReady) this.#run();
  }

  async #run() {
    const mine = (this.running = new AbortController());
    const began = performance.now();
    // Tenths, as the results show them: players whose times look alike share a place.
    const now = () => Math.round((performance.now() - began) / 100) / 10;
    this.#label();
    clear(this.results);
    this.ticking = setInterval(() => (this.time.textContent = clock(now())), 200);
    clear(this.talk);
    this.own?.start([readMove(OPENING, this.game.cols)], now);
    await Promise.all(this.agents.map((agent) => agent.start()));
    while (!mine.signal.aborted && this.agents.some((agent) => !agent.isDone)) {
      await nextStep(mine.signal);
      const seconds = now();
      if (!mine.signal.aborted) await Promise.all(this.agents.map((agent) => agent.step(seconds)));
    }
    if (mine.signal.aborted) return;
    this.#showResults();
  }

  #label() {
    this.start.querySelector("span").textContent = this.running ? "Stop" : "Start";
  }

  /** Stop the race. */
  stop() {
    this.running?.abort();
    this.running = null;
    clearInterval(this.ticking);
    if (this.start) this.#label();
  }

  /** Show the results so far; the race is over when everyone has finished. */
  #showResults() {
    if (this.running && this.lanes.every((each) => each.isDone)) this.stop();
    const ranked = rankedResults(this.lanes.map((each) => each.result));
    const rows = ranked.map(({ place, name, status, guesses, turns, seconds }) => [
      place ?? "", name, status === "–" ? "still playing" : statusBadge(status),
      guesses ?? "", turns, seconds === null ? "" : exactTime(seconds),
    ]);
    clear(this.results, table(["Place", "Player", "Result", "Guesses", "Turns", "Time"], rows, { numeric: [3, 4, 5], caption: "Results" }));
    if (this.running) return;
    const said = winnerWords(ranked);
    clear(this.talk, h("p", { class: "play-ending-line" }, said));
    this.app.announce(said);
  }

  /** Called when another tab or view is shown. */
  hide() {
    this.#reset();
    clear(this.row);
  }

  /** What keys do. */
  get uses() {
    const own = this.own && { flag: () => this.own.move("flag"), chord: () => this.own.move("chord"), flagging: () => this.own.toggleFlagging() };
    return { run: () => this.toggle(), slower: () => pace.change(-1), faster: () => pace.change(1), fresh: () => this.#another(), ...own };
  }
}

/** Results from the best to the worst; winners at the same time share a place. */
function rankedResults(results) {
  const order = (a, b) => ORDER[a.status] - ORDER[b.status] || (a.seconds ?? Infinity) - (b.seconds ?? Infinity);
  const sorted = [...results].sort(order);
  const placeOf = ({ seconds }) => 1 + sorted.findIndex((each) => each.status === "won" && each.seconds === seconds);
  return sorted.map((each) => ({ ...each, place: each.status === "won" ? placeOf(each) : null }));
}

function winnerWords(ranked) {
  const first = ranked.filter(({ place }) => place === 1);
  if (!first.length) return "Nobody won the race.";
  const [{ turns, seconds }] = first;
  const result = `after ${exactTime(seconds)}, ${counted(turns, first[0].guesses === null ? "move" : "turn")}`;
  const names = listed(first.map(({ name }) => name));
  return first.length > 1 ? `${capital(names)} share first place, ${result}.` : `${capital(names)} won the race ${result}.`;
}

// One lane of a race: the small board of an agent, or the player's own.


function lane(name, host) {
  const state = h("span", {});
  const line = h("p", { class: "quiet play-lane-line" });
  const head = h("header", { class: "card-head" }, h("h2", {}, name), state);
  const element = h("section", { class: "card play-lane", "aria-label": name }, head, host, line);
  return { element, state, line };
}

/** An agent's lane; its game is computed before the race, and shown turn by turn. */
class AgentLane {
  /** @param {string} name @param {import("./games.js").GameId} game */
  constructor(name, game) {
    this.name = name;
    const host = h("div", { class: "board-host" });
    const { element, state, line } = lane(name, host);
    this.element = element;
    this.state = state;
    this.line = line;
    this.board = new Board(host, { label: `Board of ${name}`, mode: "view", blankZeros: true });
    this.board.setGrid(Grid.blank(game.rows, game.cols));
    this.turn = 0;
    this.hasBegun = false;
    this.finishedAt = null;
  }

  /** Keep the game of the agent, which is not shown until the start. @param {Awaited<ReturnType<typeof import("./positions.js").watchAgent>>} run */
  set(run) {
    this.run = run;
    this.line.textContent = "Ready.";
  }

  get isDone() {
    return this.hasBegun && this.turn >= this.run.stops.length - 1;
  }

  /** Take one turn. @param {number} seconds since the start */
  async step(seconds) {
    if (this.isDone) return;
    this.turn += 1;
    if (this.isDone) this.finishedAt = seconds;
    await this.#show();
  }

  /** Begin: show the position after the first move, which is the same for every player. */
  async start() {
    this.hasBegun = true;
    this.turn = 0;
    this.finishedAt = this.isDone ? 0 : null;
    await this.#show();
  }

  async #show() {
    const { positions, stops, words, status } = this.run;
    const { grid, flagsWrong, exploded } = await positions.at(stops[this.turn]);
    this.board.setGrid(grid);
    this.board.setLayers({ flagsWrong, exploded });
    this.line.textContent = this.turn ? words[this.turn] : "Go.";
    clear(this.state, this.isDone ? statusBadge(status) : h("small", { class: "quiet" }, `turn ${this.turn}`));
  }

  /** How it went. */
  get result() {
    const status = this.isDone ? this.run.status : "–";
    return { name: this.name, status, guesses: this.run.guesses, turns: this.turn, seconds: this.finishedAt };
  }

  leave() {
    this.board.destroy();
  }
}

/** The player's lane. */
class OwnLane {
  /** @param {import("./games.js").GameId} game @param {{onEnd: () => void}} listeners */
  constructor(game, { onEnd }) {
    this.name = "You";
    this.game = game;
    this.finishedAt = null;
    this.table = new PlayBoard({ label: "Your board", onChange: () => this.#onChange(onEnd), onRefusal: (text) => (this.line.textContent = sentence(text)) });
    const { element, state, line } = lane("You", this.table.host);
    this.element = element;
    this.state = state;
    this.line = line;
    this.element.classList.add("own");
    this.flags = button({ label: "Flags", icon: "flag", action: "flagging", title: FLAG_MODE, onclick: () => this.toggleFlagging() });
    this.element.append(h("div", { class: "row" }, this.flags));
    this.board = this.table.board;
    this.board.setGrid(Grid.blank(game.rows, game.cols));
    this.line.textContent = "Press Start. The first cell is opened for everyone.";
  }

  /** Begin. @param {import("./games.js").Move[]} moves @param {() => number} now seconds since the start */
  start(moves, now) {
    this.now = now;
    this.finishedAt = null;
    this.table.open(this.game, moves.map((move) => ({ ...move })));
    this.line.textContent = "Go.";
    this.element.scrollIntoView({ block: "nearest" });
    this.board.focus();
  }

  /** Make a move on the cell under the pointer or at the cursor. @param {"flag"|"chord"} action */
  move(action) {
    if (this.table.session) this.table.move(action, this.board.target.index);
  }

  /** Switch between taps that place flags and taps that reveal. */
  toggleFlagging() {
    this.table.isFlagging = !this.table.isFlagging;
    this.flags.setAttribute("aria-pressed", String(this.table.isFlagging));
  }

  #onChange(onEnd) {
    const { session } = this.table;
    if (!session) return;
    const left = h("small", { class: "quiet" }, `traps left ${session.counter}`);
    clear(this.state, session.isOver ? statusBadge(session.status) : left);
    if (!session.isOver || !session.isSettled || this.finishedAt !== null) return;
    this.finishedAt = this.now();
    this.line.textContent = `${session.status === "won" ? "Won" : "Lost"} after ${exactTime(this.finishedAt)}.`;
    onEnd();
  }

  get isDone() {
    return this.finishedAt !== null;
  }

  /** How it went. */
  get result() {
    const { session } = this.table;
    return { name: "You", status: this.isDone ? session.status : "–", guesses: null, turns: session?.moves.length ?? 0, seconds: this.finishedAt };
  }

  leave() {
    this.table.leave();
    this.board.destroy();
  }
}
