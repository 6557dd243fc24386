// The start page of the tab: levels, the boards of the day, boards to fill in, races, and the games kept in this browser.
import { ask } from "../api.js";
import { picture } from "../board/picture.js";
import { clear, h } from "../dom.js";
import { Grid } from "../grid.js";
import { icon } from "../icons.js";
import { boardOfAnalyse } from "../route.js";
import { load, save } from "../store.js";
import { button, card, menuButton, segmented, toast } from "../widgets.js";
import { capital, counted } from "../words.js";
import { forgetGame, forgetUnfinished, keptGames, storedAttempt, timesOf, unfinishedGames } from "./archive.js";
import { chooseFile, copyLink, saveReplay } from "./files.js";
import { ruleWords, statusBadge } from "./gamebar.js";
import { dailyId, gameId, levelName, moveText, newSeed, readId, sizeText, unpackMoves } from "./games.js";
import { chosenRule, newGameForm } from "./newgame.js";
import { clock, exactTime, withAids } from "./words.js";

const CLASSIC = ["beginner", "intermediate", "expert"];
const SAMPLES = [["sample:3x4", "3×4"], ["sample:5x5", "5×5"], ["sample:9x9", "9×9"], ["sample:what-if", "What if"]];
const KINDS = [
  { value: "opening", label: "Classic", title: "The first click opens an area; later you may have to guess" },
  { value: "no-guess", label: "No guess", title: "Every board can be solved by logic alone" },
];

/** The start page. */
export class StartView {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.element = h("div", { class: "page play-start" });
    this.rule = chosenRule() === "no-guess" ? "no-guess" : "opening";
  }

  /** Build the page again, as games may have been played since. */
  show() {
    clear(this.element, this.#hero(), h("div", { class: "play-columns" },
      h("div", { class: "column" }, this.#daily(), this.#fillIn(), this.#race()), h("div", { class: "column" }, this.#unfinished(), this.#kept(), this.#custom())));
  }

  /** Nothing to stop here. */
  hide() {}

  #level(name) {
    return this.app.about.levels.find((level) => level.name === name);
  }

  #hero() {
    const kind = segmented({ label: "Kind of game", options: KINDS, value: this.rule, onChange: (rule) => this.#choose(rule) });
    return card(null, { class: "play-hero" },
      h("div", { class: "row between" }, h("h2", { class: "title" }, "Minesweeper"), kind), this.#continue(),
      h("div", { class: "play-levels" }, CLASSIC.map((name) => this.#levelButton(this.#level(name)))),
      h("div", { class: "row play-course" }, h("span", { class: "quiet" }, "Levels of the course:"),
        ["easy", "medium", "hard"].map((name) => {
          const level = this.#level(name);
          return button({ label: `${capital(name)}: ${sizeWords(level)}`, onclick: () => this.#start(level) });
        })));
  }

  #choose(rule) {
    this.rule = rule;
    save("play.rule", 1, rule);
    this.show();
    /** @type {HTMLElement|null} */ (this.element.querySelector(".segmented input:checked"))?.focus();
  }

  #levelButton(level) {
    const { played, won, best } = timesOf(`${sizeText(level)}:${this.rule}`);
    const share = played ? `${won} of ${played} won` : "not played yet";
    const line = best.length ? `best ${exactTime(best[0].seconds)} · ${share}` : share;
    return h("button", { type: "button", class: "play-level", onclick: () => this.#start(level) },
      shape(level), h("strong", {}, capital(level.name)), h("span", {}, sizeWords(level)), h("small", { class: "quiet" }, line));
  }

  #start(level) {
    this.app.go("play", { id: gameId(sizeText(level), newSeed(), this.rule) });
  }

  #continue() {
    const [game] = unfinishedGames();
    if (!game) return null;
    const name = levelName(readId(game.id, this.app.about.levels), this.app.about.levels);
    const label = `Continue your game: ${name}, ${clock(storedAttempt(game.id)?.seconds ?? 0)}`;
    return h("div", { class: "row" }, button({ label, icon: "play", kind: "primary", onclick: () => this.app.go("play", routeOf(game)) }));
  }

  #daily() {
    const rows = ["beginner", "expert"].map((name) => {
      const id = dailyId(sizeText(this.#level(name)));
      const begun = unfinishedGames().find((game) => game.id === id);
      const isOwn = ({ aids }) => !aids.includes("an agent") && !aids.includes("moves from a link");
      const won = keptGames().find((game) => game.id === id && game.status === "won" && isOwn(game));
      const label = won ? `${capital(name)}, won in ${exactTime(won.seconds)}${withAids(won.aids)}` : capital(name);
      return button({ label, icon: won ? "check" : "grid", onclick: () => this.app.go("play", begun ? routeOf(begun) : { id }) });
    });
    const words = "The same two boards for everyone today. Neither needs a guess.";
    return card("Daily board", {}, h("p", { class: "quiet" }, words), h("div", { class: "row" }, rows));
  }

  #fillIn() {
    const open = async (name) => {
      try {
        this.app.openBoard("play", await this.app.sample(name));
      } catch (error) {
        toast(error.message, "error");
      }
    };
    const board = boardOfAnalyse();
    const analysed = board !== load("analyse.refuted", 1) && board;
    return card("Fill in a board", {}, h("p", { class: "quiet" }, "All clues are given. Mark each hidden cell as a trap or a gem; nothing explodes."),
      h("div", { class: "row" }, SAMPLES.map(([name, label]) => button({ label, icon: "gem", title: `Fill in ${name}`, onclick: () => open(name) })),
        analysed && button({ label: "Use the board from Analyse", icon: "analyse", onclick: () => this.app.go("play", { b: analysed }) }),
        button({ label: "Make one", icon: "make", kind: "quiet", onclick: () => this.app.go("make") })));
  }

  #race() {
    const level = this.#level("intermediate");
    const go = (extra) => this.app.go("play", { id: gameId(sizeText(level), newSeed(), this.rule), v: "race", ...extra });
    const watch = () => this.app.go("play", { id: gameId(sizeText(this.#level("expert")), newSeed(), this.rule), v: "watch", a: "expert" });
    return card("Agents", {}, h("p", { class: "quiet" }, "Watch programs play, or race them on the same board."),
      h("div", { class: "row" }, button({ label: "Race against agents", icon: "clock", onclick: () => go({ me: 1 }) }),
        button({ label: "Watch agents race", icon: "play", onclick: () => go({}) }),
        button({ label: "Watch expert", icon: "eye", kind: "quiet", onclick: watch })));
  }

  #unfinished() {
    if (!unfinishedGames().length) return null;
    return card("Unfinished games", {}, gamesList(unfinishedGames, (game) => unfinishedEntry(this.app, game, () => this.show())));
  }

  #kept() {
    const open = async () => {
      try {
        this.app.go("play", await chooseFile(this.app.about.levels));
      } catch (error) {
        toast(error.message, "error");
      }
    };
    return card("Your games", { tools: [button({ label: "Open a file", icon: "open", kind: "quiet", onclick: open })] },
      gamesList(keptGames, (game, refresh) => entry(this.app, game, refresh), "Games that you finish are kept here, in this browser only."));
  }

  #custom() {
    return h("details", { class: "panel" }, h("summary", {}, "Custom game"), newGameForm(this.app, { onStart: (id) => this.app.go("play", { id }) }));
  }
}

function sizeWords({ rows, cols, traps }) {
  return `${rows}×${cols}, ${counted(traps, "trap")}`;
}

/** Small squares in the shape of the board. */
function shape({ rows, cols }) {
  const box = h("span", { class: "play-level-shape", "aria-hidden": "true" }, icon("grid"));
  box.style.setProperty("--rows", String(rows));
  box.style.setProperty("--cols", String(cols));
  return box;
}

// The lists of games kept in this browser: continue, review, step through, play again, copy a link, save, delete.

const FIRST_SHOWN = 6;

/**
 * A list that rebuilds itself when a game is deleted.
 * @template T @param {() => T[]} read @param {(game: T, refresh: () => void) => HTMLElement} entryOf @param {string} [none] what an empty list says
 */
function gamesList(read, entryOf, none = "") {
  const host = h("div", { class: "column" });
  let isWhole = false;
  const showAll = () => {
    isWhole = true;
    show();
  };
  const show = () => {
    const games = read();
    const shown = isWhole ? games : games.slice(0, FIRST_SHOWN);
    const more = games.length - shown.length;
    const list = h("ul", { class: "play-kept" }, shown.map((game) => entryOf(game, show)));
    clear(host, games.length ? list : h("p", { class: "quiet" }, none), more > 0 && button({ label: `Show ${more} more`, kind: "quiet", onclick: showAll }));
  };
  show();
  return host;
}

/** The parameters of the route to a kept game. @param {{id: string, moves: string}} game */
function routeOf({ id, moves }) {
  return { id, m: moves };
}

function dateWords(date) {
  return new Date(date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** A game that is not over: its position, how far it has come, and what tells it from others. */
function unfinishedEntry(app, game, refresh) {
  const parts = readId(game.id, app.about.levels);
  const grid = Grid.fromCode(game.board);
  const { seconds, aids } = storedAttempt(game.id) ?? { seconds: 0, aids: [] };
  const opened = grid.cells.reduce((count, code) => count + (code >= 0 ? 1 : 0), 0);
  const name = levelName(parts, app.about.levels);
  const progress = `${Math.floor((100 * opened) / (grid.size - parts.traps))} % opened`;
  const forget = () => {
    forgetUnfinished(game.id);
    refresh();
  };
  const menu = menuButton({
    label: "What to do with this game", icon: "down", compact: true, kind: "quiet",
    items: () => [
      { label: "Step through", icon: "play", onclick: () => app.go("play", { ...routeOf(game), v: "replay" }) },
      { label: "Copy link", icon: "link", onclick: () => copyLink(routeOf(game)) },
      null,
      { label: "Delete", icon: "close", onclick: forget },
    ],
  });
  const words = h("span", {}, h("strong", {}, name), ` ${clock(seconds)}, ${progress}`,
    h("small", { class: "quiet" }, `${dateWords(game.date)} · ${ruleWords(parts)}${withAids(aids)}`));
  const position = h("span", { class: "play-position", "aria-hidden": "true" }, picture(grid, { label: "Position", width: 84, height: 56, largest: 9 }));
  return h("li", {},
    h("button", { type: "button", class: "play-kept-open", title: "Continue this game", onclick: () => app.go("play", routeOf(game)) }, position, words), menu);
}

function entry(app, game, refresh) {
  const parts = readId(game.id, app.about.levels);
  const route = routeOf(game);
  const forget = () => {
    forgetGame(game.key);
    refresh();
  };
  const menu = menuButton({
    label: "What to do with this game", icon: "down", compact: true, kind: "quiet",
    items: () => [
      { label: "Review", icon: "analyse", onclick: () => app.go("play", { ...route, v: "review" }) },
      { label: "Step through", icon: "play", onclick: () => app.go("play", { ...route, v: "replay" }) },
      { label: "Play it again", icon: "first", onclick: () => app.go("play", { id: game.id }) },
      { label: "Copy link", icon: "link", onclick: () => copyLink({ ...route, v: "replay" }) },
      { label: "Save as file", icon: "download", onclick: () => saveKept(parts, game) },
      null,
      { label: "Delete", icon: "close", onclick: forget },
    ],
  });
  const review = () => app.go("play", { ...route, v: "review" });
  const words = h("span", {}, h("strong", {}, levelName(parts, app.about.levels)), ` ${exactTime(game.seconds)}`,
    h("small", { class: "quiet" }, `${dateWords(game.date)}${withAids(game.aids)}`));
  return h("li", {},
    h("button", { type: "button", class: "play-kept-open", title: "Review this game", onclick: review }, statusBadge(game.status), words), menu);
}

/** Save a kept game; the server says where the traps were. */
async function saveKept(parts, game) {
  const moves = unpackMoves(game.moves, parts.rows * parts.cols);
  try {
    const record = await ask("play", { id: game.id, moves: moves.map((move) => moveText(move, parts.cols)) });
    saveReplay(game.id, moves, parts.cols, record.truth);
  } catch (error) {
    toast(error.message, "error");
  }
}
