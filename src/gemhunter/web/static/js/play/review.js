// The review of a game: every move judged, the chances of winning, and the position before each move with what was missed.
import { isAbort } from "../api.js";
import { Board } from "../board/board.js";
import { clear, h } from "../dom.js";
import { badge, bringIntoView, button, card, facts, menuButton, prose, segmented } from "../widgets.js";
import { percent } from "../words.js";
import { noteHelp } from "./archive.js";
import { copyLink } from "./files.js";
import { lobbyButton, statusBadge } from "./gamebar.js";
import { levelName, moveText, packMoves, readId, unpackMoves } from "./games.js";
import { cellsNamed, thoughtList } from "./ladder.js";
import { Panel } from "./panel.js";
import { stepButtons, stepUses } from "./playback.js";
import { zoomItems } from "./playboard.js";
import { Positions } from "./positions.js";
import { follow } from "./requests.js";
import { reviewGraph } from "./reviewgraph.js";

/** Cells smaller than this (CSS pixels) have no room for a risk. */
const SMALLEST_CELL = 22;
const FILTERS = [{ value: "all", label: "All" }, { value: "risks", label: "Risks" }];

/** The view; one instance shows all reviews. */
export class ReviewView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.panel = new Panel();
    this.list = { to: (at) => this.#choose(at), at: () => this.at, last: () => this.listed.length };
    this.items = [];
    this.filter = "all";
    this.#build();
  }

  #build() {
    this.host = h("div", { class: "board-host" });
    this.board = new Board(this.host, { label: "Position before the move", mode: "view", blankZeros: true });
    this.title = h("strong", {});
    this.note = h("span", { class: "quiet play-rule" });
    this.state = h("span", {});
    this.where = h("span", { class: "play-number" });
    this.summary = h("div", { class: "column" });
    this.graph = h("div", {});
    this.moves = h("ol", { class: "play-moves", "aria-label": "Judged moves" });
    this.shown = segmented({ label: "Moves shown", small: true, value: "all", onChange: (value) => this.#setFilter(value), options: FILTERS });
    this.steps = stepButtons({ ...this.list, middle: this.where });
    const tools = h("div", { class: "toolbar play-tools" }, this.steps.element, h("span", { class: "spring" }),
      button({ label: "Play it again", icon: "first", onclick: () => this.app.go("play", { id: this.game.id }) }),
      menuButton({ label: "More", items: () => this.#menu() }));
    const bar = h("div", { class: "play-bar" }, lobbyButton(this.app), h("div", { class: "play-title" }, this.title, this.note), this.state);
    this.element = h("div", { class: "workspace play-workspace" },
      h("div", { class: "stage" }, bar, this.host, tools),
      h("div", { class: "side" }, this.panel.element, card("Review", {}, this.summary, this.graph), card("Moves", { tools: [this.shown] }, this.moves)));
  }

  #menu() {
    return [
      { label: "Step through all moves", icon: "play", onclick: () => this.app.go("play", { ...this.params, v: "replay" }) },
      { label: "Continue from this position", icon: "pencil", onclick: () => this.#playOn() },
      { label: "Analyse this position", icon: "analyse", onclick: () => this.app.openBoard("analyse", this.board.grid) },
      { label: "Copy link", icon: "link", onclick: () => copyLink(this.params) },
      null,
      ...zoomItems(this.board),
    ];
  }

  /** Review the game of the route. @param {Record<string, string>} params */
  async show(params) {
    const key = `${params.id} ${params.m}`;
    if (key === this.key && this.isDone) return;
    this.hide();
    this.key = key;
    this.params = params;
    this.game = readId(params.id, this.app.about.levels);
    const moves = unpackMoves(params.m ?? "", this.game.rows * this.game.cols);
    this.positions = null;
    this.items = [];
    this.looks = new Map();
    this.at = -1;
    this.isDone = false;
    this.result = null;
    this.isChosen = false;
    const mine = (this.leaving = new AbortController());
    this.title.textContent = `Review, ${levelName(this.game, this.app.about.levels)}`;
    this.note.textContent = this.game.id;
    this.#refresh();
    this.panel.busy("Judging the moves…");
    try {
      await this.#load(moves, mine.signal);
    } catch (error) {
      if (!isAbort(error)) this.panel.fail(error, () => this.show(params));
    }
  }

  async #load(moves, signal) {
    this.positions = await Positions.load(this.game, moves, signal);
    noteHelp(this.game.id, "a review");
    const { status } = this.positions.record;
    clear(this.state, statusBadge(status));
    this.#showEnd(await this.positions.at(this.positions.moves.length, signal));
    const body = { id: this.game.id, moves: this.positions.moves.map((move) => moveText(move, this.game.cols)) };
    this.result = await follow("play/review", body, { signal, onNote: (note) => this.#onNote(note), onItem: (item) => this.#onItem(item) });
    this.isDone = true;
    this.#refresh();
    if (!this.items.length) this.panel.say("There is nothing to judge: no move carried a risk.");
    else if (!this.isChosen) this.#choose(this.#mostTelling());
  }

  #onNote(note) {
    if (!this.isChosen) this.panel.busy(note);
  }

  #onItem(item) {
    if (item.verdict) this.items.push(item);
    else this.#onLook(item);
    this.pending ??= requestAnimationFrame(() => {
      this.pending = null;
      this.#refresh();
    });
  }

  /** Second looks come after all moves were judged. */
  #onLook(look) {
    this.looks.set(look.number, look);
    if (!this.isChosen) this.#choose(this.#mostTelling());
    else if (this.listed[this.at]?.number === look.number) this.#choose(this.at);
  }

  /** Where the worst move is in the list: the last needless risk, else the last risk, else the last move. */
  #mostTelling() {
    const places = [...this.listed.keys()];
    const last = (test) => places.findLast((at) => test(this.listed[at]));
    return last((item) => item.verdict === "proven-trap" || item.verdict === "needless-risk") ?? last((item) => item.risk > 0) ?? this.listed.length - 1;
  }

  /** The moves in the list. */
  get listed() {
    return this.filter === "all" ? this.items : this.items.filter((item) => item.verdict !== "safe");
  }

  #setFilter(value) {
    const chosen = this.listed[this.at];
    const isEnd = this.at === this.list.last();
    this.filter = value;
    this.at = isEnd ? this.list.last() : this.listed.indexOf(chosen);
    this.#refresh();
  }

  #refresh() {
    const { listed } = this;
    clear(this.moves, listed.map((item, at) => this.#entry(item, at)));
    if (!listed.length) clear(this.moves, h("li", { class: "quiet" }, this.isDone ? "No such move." : "…"));
    this.where.textContent = this.#whereWords();
    this.steps.refresh();
    clear(this.summary, this.#summary());
    clear(this.graph, this.#graph());
  }

  /** The number of the chosen move among all moves of the game. */
  #whereWords() {
    if (this.at < 0) return "";
    const total = this.positions.moves.length;
    return this.at === this.list.last() ? "End" : `${this.listed[this.at].number} / ${total}`;
  }

  #graph() {
    const points = this.items.map(({ number, verdict }) => ({ number, verdict, chance: this.looks.get(number)?.win_chance })).filter(({ chance }) => chance);
    if (!points.length) return null;
    const onChoose = (number) => this.#choose(this.listed.findIndex((item) => item.number === number));
    const options = { status: this.positions.record.status, chosen: this.listed[this.at]?.number ?? null, onChoose };
    return [h("p", { class: "label" }, "Chance of winning before each risky move"), reviewGraph(points, options)];
  }

  #entry(item, at) {
    const [word, tone] = verdictOf(item, this.looks.get(item.number));
    const risk = item.risk > 0 && item.risk < 1 ? percent(item.risk) : "";
    const current = at === this.at ? "true" : null;
    return h("li", {}, h("button", { type: "button", class: "play-move", "aria-current": current, onclick: () => this.#choose(at) },
      h("span", { class: "play-move-number" }, String(item.number)), h("span", {}, item.move),
      h("span", { class: "quiet number" }, risk), badge(word, tone)));
  }

  #summary() {
    const count = (test) => this.items.filter(test).length;
    const survived = this.items.reduce((product, item) => product * (1 - (item.verdict === "proven-trap" ? 1 : item.risk ?? 0)), 1);
    const rows = [
      ["Moves judged", this.positions ? `${this.items.length} of ${this.positions.moves.length}` : "0"],
      ["Safe moves", count((item) => item.verdict === "safe")],
      ["Guesses", count((item) => item.verdict === "guess")],
      ["Needless risks", count((item) => item.verdict === "needless-risk" || item.verdict === "proven-trap")],
      ["Chance of surviving every risk you took", percent(this.result?.survived ?? survived)],
    ];
    const rest = "Flags and a first move that cannot lose are not judged.";
    const note = this.items.length ? "Still looking at the risky moves…" : "Judging the moves…";
    return [facts(rows), h("p", { class: "quiet" }, this.isDone ? rest : note)];
  }

  async #choose(wanted) {
    const { listed } = this;
    if (!this.positions || wanted < -1) return;
    this.at = Math.min(this.list.last(), Math.max(0, wanted));
    this.isChosen = true;
    const item = listed[this.at];
    this.#refresh();
    this.#scrollList();
    const position = await this.positions.at(item ? item.number - 1 : this.positions.moves.length, this.leaving.signal);
    if (this.listed[this.at] !== item) return;
    if (item) this.#showMove(item, position.grid);
    else this.#chooseEnd(position);
  }

  #showEnd({ grid, flagsWrong, exploded }) {
    this.board.setGrid(grid);
    this.board.setLayers({ flagsWrong, exploded, risk: null, cursorHint: null, outlined: [], newTraps: [], newGems: [] });
  }

  #chooseEnd(position) {
    const { status } = this.positions.record;
    this.#showEnd(position);
    this.panel.say(status === "playing" ? "The position after the last move; the game is not over." : `The end of the game: ${status}.`);
  }

  /** Scroll the list, not the page, to the chosen move. */
  #scrollList() {
    const chosen = this.moves.querySelector("[aria-current]");
    if (!chosen) return;
    const [list, entry] = [this.moves.getBoundingClientRect(), chosen.getBoundingClientRect()];
    if (entry.top < list.top) this.moves.scrollTop -= list.top - entry.top;
    else if (entry.bottom > list.bottom) this.moves.scrollTop += entry.bottom - list.bottom;
  }

  #showMove(item, grid) {
    const step = item.missed ?? item.steps.at(-1) ?? null;
    const look = this.looks.get(item.number);
    this.board.setGrid(grid);
    this.board.setLayers({
      flagsWrong: [], exploded: null, risk: risksOf(item, grid), cursorHint: item.cell, outlined: step?.clues ?? rivals(item, look),
      newTraps: step?.decides.traps ?? [], newGems: step?.decides.gems ?? (item.verdict === "needless-risk" ? [item.safest] : []),
    });
    const [word, tone] = verdictOf(item, look);
    const said = look ? [look.win_chance && chanceWords(look.win_chance), look.compared && prose(look.compared.sentence)] : [];
    const body = h("div", { class: "play-hint" },
      h("div", { class: "row" }, badge(word, tone), h("strong", {}, `Move ${item.number}: ${item.move}`)),
      h("p", {}, prose(item.sentence)), step && thoughtList(step), said.map((words) => words && h("p", { class: "quiet" }, words)),
      h("small", { class: "quiet" }, frameWords(item, step, look)));
    this.panel.say(body);
    this.board.setCursor(grid.named(item.cell));
    this.board.show([item.cell, ...(step?.clues ?? rivals(item, look)), ...cellsNamed(body)], SMALLEST_CELL);
    bringIntoView(this.host);
  }

  #playOn() {
    if (this.at < 0) return;
    const { moves } = this.positions;
    const before = this.listed[this.at] ? this.listed[this.at].number - 1 : moves.length;
    this.app.go("play", { id: this.game.id, m: packMoves(moves.slice(0, before)) });
  }

  /** Called when another tab or view is shown. */
  hide() {
    this.leaving?.abort();
    cancelAnimationFrame(this.pending);
    this.pending = null;
  }

  /** What keys do. */
  get uses() {
    return { ...stepUses(this.list), leave: () => this.app.go("play", {}) };
  }
}

// What a review says and shows about a move: its verdict, the cells beside it, and the chance before it.

const VERDICTS = {
  safe: ["safe", "good"], "proven-trap": ["shown to be a trap", "bad"], "needless-risk": ["needless risk", "bad"], "not-judged": ["not judged", "plain"],
};

/** The word and the tone of a judged move, after a second look if there was one. @param {any} item @param {any} [look] */
function verdictOf({ verdict, is_safest: isSafest, cell }, look) {
  if (verdict !== "guess") return VERDICTS[verdict];
  const compared = look?.compared;
  if (compared && compared.better === compared.other) return ["best guess", "info"];
  if (compared?.more_low > 0) return compared.better === cell ? ["best guess", "info"] : ["weaker guess", "warn"];
  return isSafest ? ["safest guess", "info"] : ["guess", "warn"];
}

/** The risks of the cell that was revealed and of the safest one; those of other cells are left out. */
function risksOf({ safest, least, cell, risk }, grid) {
  const risks = new Float32Array(grid.size).fill(NaN);
  for (const [name, size] of [[safest, least], [cell, risk]]) if (name && size > 0) risks[grid.named(name).index] = size;
  return risks;
}

/** The cell that a guess was compared with or, until it was, the safest one. */
function rivals(item, look) {
  if (item.verdict !== "guess") return [];
  if (look?.compared) return [look.compared.better, look.compared.other].filter((name) => name !== item.cell);
  return item.is_safest ? [] : [item.safest];
}

/** What the frames on the board mean. */
function frameWords(item, step, look) {
  const rival = look?.compared ? "the one it was compared with" : "the safest one";
  const frames = step ? " and thick frames the clues" : rivals(item, look).length ? ` and the thick frame ${rival}` : "";
  return `The board shows the position before the move. The dashed frame marks the cell${frames}.`;
}

/** The chance of winning before a move, with its range if it is an estimate. */
function chanceWords({ value, low, high, exact }) {
  const most = "With best play, the chance of winning before this move was";
  return `${most} ${percent(value)}${exact ? "" : ` (an estimate, between ${percent(low)} and ${percent(high)})`}.`;
}
