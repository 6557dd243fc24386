// The view of a game of Minesweeper: the board, its tools, hints, risks, the agent and the end.
import { h } from "../dom.js";
import { shortcutOf } from "../keys.js";
import { pushRoute, replaceRoute } from "../route.js";
import { button, menuButton, notice } from "../widgets.js";
import { GameAgent } from "./agents.js";
import { Attempt, forgetUnfinished, keepUnfinished, storedAttempt } from "./archive.js";
import { endingPanel, endingWords, judgeLoss, keepEnding } from "./ending.js";
import { copyLink, saveReplay } from "./files.js";
import { GameBar } from "./gamebar.js";
import { gameId, newSeed, packMoves, readId, unpackMoves } from "./games.js";
import { GameHints } from "./hints.js";
import { openNewGame } from "./newgame.js";
import { Panel } from "./panel.js";
import { pace } from "./playback.js";
import { FLAG_MODE, PlayBoard, zoomItems } from "./playboard.js";
import { GameRisks } from "./risks.js";
import { byInput } from "./words.js";

const WELCOME = byInput(`Click to reveal, right-click to flag, click a number to open its neighbours. Press ${shortcutOf("hint").toUpperCase()} for a hint.`,
  "Tap to reveal, long-press to flag, tap a number to open its neighbours. With Flags on, a tap flags.");
const SLOW_MS = 400;

/** The view; one instance shows all games. */
export class GameView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.panel = new Panel();
    this.table = new PlayBoard({
      label: "Minesweeper board", onChange: () => this.#onChange(), onMove: () => this.#onMove(), onNote: (note) => this.#wait(note),
      onRefusal: (text) => (this.ended ? app.announce(text) : this.panel.say(text)),
      onHover: (cell) => this.risks.point(cell ?? this.table.board.cursor), onCursor: (cell) => this.risks.point(cell),
    });
    this.bar = new GameBar(app);
    this.risks = new GameRisks(this.table, { onHelp: () => this.attempt.help("risks shown") });
    this.hints = new GameHints(this.table, app.about.rungs, this.panel);
    this.agent = new GameAgent(this.table, app, {
      say: (what, options) => this.panel.say(what, options), busy: this.panel.busy,
      fail: (error, retry) => this.panel.fail(error, retry), onHelp: () => this.#onAgent(),
    });
    this.#build();
  }

  #build() {
    this.flagButton = button({ label: "Flags", icon: "flag", action: "flagging", title: FLAG_MODE, onclick: () => this.#toggleFlagging() });
    this.undoButton = button({ label: "Undo", icon: "undo", action: "undo", onclick: () => this.undo() });
    this.hintButton = button({ label: "Hint", icon: "bulb", action: "hint", onclick: () => this.hint() });
    this.riskButton = button({ label: "Risks", icon: "eye", action: "risks", onclick: () => this.toggleRisks() });
    this.reviewButton = button({ label: "Review", icon: "analyse", action: "judge", onclick: () => this.review() });
    const fresh = button({ label: "New", icon: "shuffle", action: "fresh", title: "New game of this level", onclick: () => this.fresh() });
    const tools = h("div", { class: "toolbar play-tools play-game-tools" },
      this.flagButton, this.undoButton, this.hintButton, this.riskButton, this.reviewButton, h("span", { class: "spring" }), fresh,
      menuButton({ label: "More", items: () => this.#menu() }));
    this.errors = h("div", {});
    this.element = h("div", { class: "workspace play-workspace" },
      h("div", { class: "stage" }, this.bar.element, this.table.host, tools, this.errors),
      h("div", { class: "side" }, this.panel.element, this.risks.element, this.agent.element));
  }

  #menu() {
    const { session } = this.table;
    return [
      { label: "Other game…", icon: "plus", onclick: () => openNewGame(this.app, session.game) },
      { label: "Restart", note: shortcutOf("restart"), icon: "first", onclick: () => this.restart() },
      { label: "Copy link", icon: "link", onclick: () => copyLink({ id: session.id, m: packMoves(session.moves) }) },
      { label: "Save as file", note: shortcutOf("save"), icon: "download", onclick: () => this.saveFile() },
      { label: "Step through the moves", icon: "play", onclick: () => this.app.go("play", { ...this.#params(), v: "replay" }) },
      null,
      ...zoomItems(this.table.board),
      null,
      { label: "Analyse this position", icon: "analyse", onclick: () => this.#analyse() },
    ];
  }

  /** Analyse shows which cells are certain, so before the end this is help. */
  #analyse() {
    const { session } = this.table;
    if (!session.isOver) this.attempt.help("an analysis");
    this.app.openBoard("analyse", session.grid);
  }

  /** Show a game of the route. @param {Record<string, string>} params */
  show(params) {
    const game = readId(params.id, this.app.about.levels);
    const { session } = this.table;
    if (session && !session.leaving.signal.aborted && session.id === game.id && packMoves(session.moves) === (params.m ?? "")) {
      // Other views may have noted help.
      this.attempt = storedAttempt(game.id) ?? this.attempt;
      return this.#resume();
    }
    if (session?.id === game.id && this.restarted.length && packMoves(this.restarted.at(-1).moves) === params.m) return this.#undoRestart();
    this.#open(game, unpackMoves(params.m ?? "", game.rows * game.cols));
  }

  /** The time and help of a game that is opened; a game that was begun before and starts over is a second try. */
  #attemptFor({ id }, moves) {
    const stored = storedAttempt(id);
    if (stored && (moves.length || !stored.spent)) return stored;
    const attempt = new Attempt(id);
    if (stored) attempt.help("a second try");
    else if (moves.length) attempt.help("moves from a link");
    return attempt;
  }

  /**
   * @param {import("./games.js").GameId} game @param {import("./games.js").Move[]} moves
   * @param {{restarted?: {moves: import("./games.js").Move[], attempt: Attempt}[], attempt?: Attempt}} [before]
   */
  #open(game, moves, { restarted = [], attempt } = {}) {
    this.#stop();
    this.attempt = attempt ?? this.#attemptFor(game, moves);
    /** The moves that restarts of this game discarded, the latest last. */
    this.restarted = restarted;
    this.ended = null;
    this.isReplay = moves.length > 0 && this.attempt.aids.includes("moves from a link");
    this.table.open(game, moves);
    this.hints.reset();
    this.panel.say(WELCOME);
    this.#resume();
    if (byInput(true, false)) this.table.board.focus();
  }

  #resume() {
    this.isShown = true;
    this.ticking ??= setInterval(() => this.bar.tick(this.attempt), 250);
    this.#onChange();
  }

  #stop() {
    this.agent.stop();
    this.judging?.abort();
    this.risks.leave();
    clearTimeout(this.slow);
    if (this.attempt?.since !== null) this.attempt?.run(false);
  }

  /** Called when another tab or view is shown. */
  hide() {
    this.isShown = false;
    clearInterval(this.ticking);
    this.ticking = null;
    this.#stop();
  }

  /** Called when the page is hidden or shown again. */
  onVisibility() {
    this.#runClock();
  }

  #runClock() {
    const { session } = this.table;
    this.attempt.run(this.isShown && !document.hidden && session.hasBegun && !session.isOver && !session.error);
  }

  #params() {
    const { session } = this.table;
    return { id: session.id, m: packMoves(session.moves) };
  }

  #onAgent() {
    this.hints.reset();
    this.attempt.help("an agent");
  }

  #onMove() {
    this.isReplay = false;
    if (this.ended) return;
    if (this.agent.isRunning) this.agent.stop();
    else this.panel.rest(WELCOME);
    this.hints.reset();
  }

  /** The session has changed: update everything that shows it. */
  #onChange() {
    const { session } = this.table;
    if (!this.isShown || !session) return;
    this.#runClock();
    this.bar.show(session, this.attempt);
    replaceRoute("play", this.#params());
    this.undoButton.disabled = session.moves.length === 0 && this.restarted.length === 0;
    this.hintButton.disabled = session.isOver;
    this.riskButton.disabled = session.isOver;
    this.riskButton.setAttribute("aria-pressed", String(this.risks.isOn));
    this.reviewButton.hidden = !session.isOver;
    this.errors.replaceChildren(...(session.error ? [notice(session.error.message, { retry: () => session.settle() })] : []));
    this.#sayIfSlow(session);
    if (!session.isSettled) return;
    this.risks.refresh();
    if (session.isOver || !session.moves.length) forgetUnfinished(session.id);
    else keepUnfinished({ id: session.id, moves: packMoves(session.moves), board: session.grid.code(), date: Date.now() });
    this.agent.setOver(session.isOver);
    if (session.isOver) this.#end(session);
    else if (this.ended) this.#goOn();
  }

  #sayIfSlow(session) {
    clearTimeout(this.slow);
    if (session.isSettled || session.error) {
      if (this.isWaiting) this.panel.restore();
      this.isWaiting = false;
      return;
    }
    const isDealing = session.answered.every((move) => move.action === "flag");
    this.slow = setTimeout(() => this.#wait(isDealing ? "Dealing the board…" : "Waiting for the server…"), SLOW_MS);
  }

  #wait(note) {
    this.isWaiting = true;
    this.panel.busy(note);
  }

  #end(session) {
    if (this.ended === session.record) return;
    this.ended = session.record;
    this.hints.reset();
    const isNew = !this.attempt.isOver;
    this.attempt.finish();
    const isBest = isNew && session.record.status !== "stuck" && keepEnding(session, this.attempt);
    const actions = { fresh: () => this.fresh(), review: () => this.review(), undo: () => this.undo(), restart: () => this.restart() };
    const { element, verdict } = endingPanel(session, this.attempt, { isBest, isReplay: this.isReplay, actions });
    const isWon = session.record.status === "won";
    this.panel.say(element, { tone: isWon ? "good" : "bad" });
    this.app.announce(endingWords(session.record, this.attempt, this.isReplay));
    this.judging = new AbortController();
    if (!isWon) judgeLoss(session, verdict, this.judging.signal);
  }

  /** The last move was undone, so the game is no longer over. */
  #goOn() {
    this.ended = null;
    this.judging?.abort();
    this.attempt.isOver = false;
    this.panel.say("Undone. The game continues.");
  }

  /** Take back the last move, even after a loss, or a restart. */
  undo() {
    if (!this.table.session.moves.length && this.restarted.length) return this.#undoRestart();
    this.#onMove();
    if (!this.table.session.undo()) this.panel.say("nothing to undo");
    else {
      this.attempt.help("undo");
      if (!this.ended) this.panel.say("undone");
    }
  }

  /** Restore the game as it was before the last restart. */
  #undoRestart() {
    const { moves, attempt } = this.restarted.at(-1);
    this.#open(this.table.session.game, moves, { restarted: this.restarted.slice(0, -1), attempt });
    attempt.help("undo");
    attempt.keep();
    this.panel.say("The game is as it was before the restart.");
  }

  /** Say more about the next deduction. */
  async hint() {
    this.agent.stop();
    if (await this.hints.press()) this.attempt.help("hints");
  }

  /** Show or hide risks. */
  toggleRisks() {
    this.risks.toggle();
    this.riskButton.setAttribute("aria-pressed", String(this.risks.isOn));
    this.app.announce(this.risks.isOn ? "risks shown" : "risks hidden");
  }

  #toggleFlagging() {
    this.table.isFlagging = !this.table.isFlagging;
    this.flagButton.setAttribute("aria-pressed", String(this.table.isFlagging));
    this.app.announce(this.table.isFlagging ? "flag mode: a tap places a flag" : "a tap reveals");
  }

  /** Deal another game of this level. */
  fresh() {
    const { size, rule } = this.table.session.game;
    const game = readId(gameId(size, newSeed(), rule), this.app.about.levels);
    pushRoute("play", { id: game.id });
    this.#open(game, []);
  }

  /** Begin this game again; undo and the browser's Back button restore the moves. */
  restart() {
    const { session } = this.table;
    if (!session.moves.length) return;
    this.attempt.run(false);
    this.attempt.keep();
    pushRoute("play", { id: session.id });
    this.#open(session.game, [], { restarted: [...this.restarted, { moves: session.moves, attempt: this.attempt }] });
    this.panel.say("The game starts over. Undo restores your moves.");
  }

  /** Judge every move of the game. */
  review() {
    if (this.table.session.isOver) this.app.go("play", { ...this.#params(), v: "review" });
    else this.panel.say("the review is available after the game; try Hint for now");
  }

  /** Save the game as a file. */
  saveFile() {
    const { session } = this.table;
    saveReplay(session.id, session.moves, session.game.cols, session.record?.truth ?? null);
  }

  /** What keys do. */
  get uses() {
    const move = (action) => () => this.table.move(action, this.table.board.target.index);
    return {
      flag: move("flag"), chord: move("chord"), flagging: () => this.#toggleFlagging(), hint: () => this.hint(), risks: () => this.toggleRisks(),
      undo: () => this.undo(), restart: () => this.restart(), fresh: () => this.fresh(), judge: () => this.review(), save: () => this.saveFile(),
      leave: () => this.app.go("play", {}), turn: () => this.agent.turn(), playOn: () => this.agent.toggle(), slower: () => pace.change(-1), faster: () => pace.change(1),
    };
  }
}
