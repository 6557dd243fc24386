// The replay player: a game of yours move by move, or a game of an agent turn by turn with its reasons.
import { isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { shortcutOf } from "../keys.js";
import { button, menuButton } from "../widgets.js";
import { agentField } from "./agents.js";
import { noteHelp } from "./archive.js";
import { copyLink, saveReplay } from "./files.js";
import { lobbyButton, statusBadge } from "./gamebar.js";
import { gameId, levelName, moveText, newSeed, packMoves, readId, unpackMoves } from "./games.js";
import { Panel } from "./panel.js";
import { nextStep, pace, paceControl, stepButtons, stepUses } from "./playback.js";
import { zoomItems } from "./playboard.js";
import { Positions, watchAgent } from "./positions.js";
import { withArticle } from "./words.js";


/** The view; one instance shows all replays. */
export class ReplayView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.panel = new Panel();
    this.stops = [0];
    this.at = 0;
    this.list = { to: (at) => this.#userTo(at), at: () => this.at, last: () => this.stops.length - 1 };
    this.#build();
  }

  #build() {
    this.host = h("div", { class: "board-host" });
    this.board = new Board(this.host, { label: "Replay", mode: "view", blankZeros: true });
    this.title = h("strong", {});
    this.note = h("span", { class: "quiet play-rule" });
    this.state = h("span", {});
    this.count = h("span", { class: "play-number" });
    this.playButton = button({ label: "Play", icon: "play", action: "run", kind: "primary", onclick: () => this.toggle() });
    const scrub = () => this.#userTo(Number(this.range.value));
    this.range = h("input", { type: "range", min: "0", value: "0", class: "play-range", "aria-label": "Position in the game", oninput: scrub });
    this.agent = agentField(this.app.about.agents, "Watch another agent");
    this.agent.element.addEventListener("change", () => this.app.go("play", { id: this.game.id, v: "watch", a: this.agent.value }));
    this.fresh = button({ label: "Another board", icon: "shuffle", action: "fresh", onclick: () => this.#another() });
    this.steps = stepButtons({ ...this.list, middle: this.playButton });
    const tools = h("div", { class: "toolbar play-tools" }, this.steps.element, paceControl("step"),
      h("span", { class: "spring" }), menuButton({ label: "More", items: () => this.#menu() }));
    const bar = h("div", { class: "play-bar" }, lobbyButton(this.app), h("div", { class: "play-title" }, this.title, this.note), this.state, this.count);
    this.element = h("div", { class: "workspace play-workspace" },
      h("div", { class: "stage" }, bar, this.host, this.range, tools),
      h("div", { class: "side" }, this.panel.element, h("section", { class: "card" }, this.agent.element,
        h("div", { class: "row" }, button({ label: "Continue from this position", icon: "pencil", onclick: () => this.#playOn() }),
          button({ label: "Review", icon: "analyse", action: "judge", onclick: () => this.#review() }), this.fresh))));
  }

  #menu() {
    return [
      { label: "Copy link", icon: "link", onclick: () => copyLink(this.params) },
      { label: "Save as file", note: shortcutOf("save"), icon: "download", onclick: () => this.#save() },
      { label: "Race agents", icon: "clock", onclick: () => this.app.go("play", { id: this.game.id, v: "race" }) },
      null,
      ...zoomItems(this.board),
    ];
  }

  #save() {
    const { moves, record } = this.positions ?? { moves: [], record: null };
    saveReplay(this.game.id, moves, this.game.cols, record?.truth ?? null);
  }

  /** Show a replay (`m`) or a game of an agent (`v=watch`, `a`). @param {Record<string, string>} params */
  async show(params) {
    const key = JSON.stringify(params);
    if (key === this.key && this.positions) return;
    this.hide();
    this.key = key;
    this.params = params;
    this.positions = null;
    this.game = readId(params.id, this.app.about.levels);
    const mine = (this.leaving = new AbortController());
    this.#showTitle();
    this.panel.busy(params.v === "watch" ? `${this.#agentName} plays…` : "Opening the game…");
    try {
      if (params.v === "watch") await this.#loadWatched(mine.signal);
      else await this.#loadMoves(mine.signal);
      this.#begin(params.v === "watch");
    } catch (error) {
      if (error instanceof RangeError) throw error;
      if (!isAbort(error)) this.panel.fail(error, () => this.show(params));
    }
  }

  get #agentName() {
    return this.params.a || "expert";
  }

  #showTitle() {
    const level = levelName(this.game, this.app.about.levels);
    this.title.textContent = this.params.v === "watch" ? `Agent ${this.#agentName} on ${/^\d/.test(level) ? level : `${withArticle(level)} board`}` : `Replay, ${level}`;
    this.fresh.hidden = this.params.v !== "watch";
    this.note.textContent = this.game.id;
    clear(this.state);
    this.count.textContent = "";
  }

  async #loadMoves(signal) {
    const moves = unpackMoves(this.params.m ?? "", this.game.rows * this.game.cols);
    this.positions = await Positions.load(this.game, moves, signal);
    this.stops = Array.from({ length: this.positions.moves.length + 1 }, (_, at) => at);
    const { rejected } = this.positions.record;
    this.words = ["Before the first move.", ...this.positions.moves.map((move, at) => `Move ${at + 1}: ${moveText(move, this.game.cols)}.`)];
    if (rejected) this.words.push(`The moves end here: ${rejected}.`);
  }

  async #loadWatched(signal) {
    const watched = await watchAgent(this.game, this.#agentName, { signal, onNote: this.panel.busy });
    this.positions = watched.positions;
    this.stops = watched.stops;
    this.words = watched.words;
    this.guesses = watched.guesses;
  }

  #begin(plays) {
    const isWatched = this.params.v === "watch";
    if (this.positions.record.truth) noteHelp(this.game.id, isWatched ? "an agent" : "a replay");
    this.range.max = String(this.list.last());
    this.at = -1;
    this.#to(!isWatched && this.params.at !== undefined ? Number(this.params.at) : 0);
    if (plays) this.toggle();
  }

  #userTo(at) {
    this.pause();
    this.#to(at);
  }

  async #to(wanted) {
    if (!this.positions) return;
    const at = Math.min(this.list.last(), Math.max(0, wanted));
    if (at === this.at) return;
    this.at = at;
    try {
      const { grid, flagsWrong, exploded } = await this.positions.at(this.stops[at], this.leaving.signal);
      if (at === this.at) this.#render(grid, { flagsWrong, exploded });
    } catch (error) {
      if (!isAbort(error)) this.panel.fail(error, () => this.#to(wanted));
    }
  }

  #render(grid, layers) {
    const isLast = this.at === this.list.last();
    this.board.setGrid(grid);
    const moves = this.positions.moves.slice(this.stops[Math.max(0, this.at - 1)], this.stops[this.at]);
    const revealed = moves.filter((move) => move.action !== "flag").map((move) => grid.cellAt(move.index));
    this.board.setLayers({ ...layers, outlined: isLast ? [] : revealed });
    if (revealed.length) this.board.scrollTo(revealed[0]);
    const { status } = this.positions.record;
    clear(this.state, isLast && statusBadge(status));
    this.range.value = String(this.at);
    this.steps.refresh();
    this.count.textContent = `${this.at} / ${this.list.last()}`;
    this.panel.say(this.words[this.at] + (isLast ? this.#endWords() : ""), { title: this.params.v === "watch" ? `Turn ${this.at}` : "" });
  }

  #endWords() {
    const { status } = this.positions.record;
    if (status === "playing") return this.words[this.at + 1] ? ` ${this.words[this.at + 1]}` : " The game is not over.";
    const guesses = this.params.v === "watch" ? `, with ${guessWords(this.guesses)}` : "";
    return ` The game is ${status === "stuck" ? "stuck" : status}${guesses}.`;
  }

  /** Play or pause. */
  async toggle() {
    if (this.playing) return this.pause();
    const mine = (this.playing = new AbortController());
    this.#label();
    if (this.at >= this.list.last()) await this.#to(0);
    while (!mine.signal.aborted && this.at < this.list.last()) {
      await nextStep(mine.signal);
      if (!mine.signal.aborted) await this.#to(this.at + 1);
    }
    if (this.playing === mine) this.pause();
    return undefined;
  }

  /** Stop playing. */
  pause() {
    this.playing?.abort();
    this.playing = null;
    this.#label();
  }

  #label() {
    this.playButton.querySelector("span").textContent = this.playing ? "Pause" : "Play";
    this.playButton.querySelector("svg").replaceWith(icon(this.playing ? "pause" : "play"));
  }

  /** Called when another tab or view is shown. */
  hide() {
    this.pause();
    this.leaving?.abort();
    if (!this.positions) this.key = null;
  }

  #playOn() {
    this.app.go("play", { id: this.game.id, m: packMoves(this.positions.moves.slice(0, this.stops[this.at])) });
  }

  #review() {
    if (this.positions) this.app.go("play", { id: this.game.id, m: packMoves(this.positions.moves), v: "review" });
  }

  #another() {
    const id = gameId(this.game.size, newSeed(), this.game.rule);
    this.app.go("play", { id, v: "watch", a: this.params.a ?? this.agent.value });
  }

  /** What keys do. */
  get uses() {
    return {
      ...stepUses(this.list), leave: () => this.app.go("play", {}), run: () => this.toggle(), slower: () => pace.change(-1), faster: () => pace.change(1),
      judge: () => this.#review(), save: () => this.#save(), ...(!this.fresh.hidden && { fresh: () => this.#another() }),
    };
  }
}

function guessWords(count) {
  if (count === 0) return "no guess";
  return count === 1 ? "1 guess" : `${count} guesses`;
}
