// The start page of the tab: levels, the boards of the day, boards to fill in, races, and the games kept in this browser.
import { ask } from "../api.js";
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { boardOfAnalyse } from "../route.js";
import { load, save } from "../store.js";
import { button, card, menuButton, segmented, toast } from "../widgets.js";
import { capital, counted } from "../words.js";
import { forgetGame, keptGames, storedAttempt, timesOf, unfinishedGames } from "./archive.js";
import { chooseFile, copyLink, saveReplay } from "./files.js";
import { statusBadge } from "./gamebar.js";
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
      h("div", { class: "column" }, this.#daily(), this.#fillIn(), this.#race()), h("div", { class: "column" }, this.#kept(), this.#custom())));
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
      picture(level), h("strong", {}, capital(level.name)), h("span", {}, sizeWords(level)), h("small", { class: "quiet" }, line));
  }

  #start(level) {
    this.app.go("play", { id: gameId(sizeText(level), newSeed(), this.rule) });
  }

  #continue() {
    const games = unfinishedGames().map((game, at) => {
      const name = levelName(readId(game.id, this.app.about.levels), this.app.about.levels);
      const seconds = storedAttempt(game.id)?.seconds ?? 0;
      const label = `${at === 0 ? "Continue your game: " : ""}${name}, ${clock(seconds)}`;
      return button({ label, icon: "play", kind: at === 0 ? "primary" : "", onclick: () => this.app.go("play", game) });
    });
    return games.length ? h("div", { class: "row" }, games) : null;
  }

  #daily() {
    const rows = ["beginner", "expert"].map((name) => {
      const id = dailyId(sizeText(this.#level(name)));
      const begun = unfinishedGames().find((game) => game.id === id);
      const done = keptGames().find((game) => game.id === id && game.status === "won");
      const label = done ? `${capital(name)}, won in ${clock(done.seconds)}` : capital(name);
      return button({ label, icon: done ? "check" : "grid", onclick: () => this.app.go("play", begun ?? { id }) });
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

  #kept() {
    const open = async () => {
      try {
        this.app.go("play", await chooseFile(this.app.about.levels));
      } catch (error) {
        toast(error.message, "error");
      }
    };
    return card("Your games", { tools: [button({ label: "Open a file", icon: "open", kind: "quiet", onclick: open })] }, keptGamesList(this.app));
  }

  #custom() {
    return h("details", { class: "panel" }, h("summary", {}, "Custom game"), newGameForm(this.app, { onStart: (id) => this.app.go("play", { id }) }));
  }
}

function sizeWords({ rows, cols, traps }) {
  return `${rows}×${cols}, ${counted(traps, "trap")}`;
}

/** Small squares in the shape of the board. */
function picture({ rows, cols }) {
  const box = h("span", { class: "play-level-shape", "aria-hidden": "true" }, icon("grid"));
  box.style.setProperty("--rows", String(rows));
  box.style.setProperty("--cols", String(cols));
  return box;
}

// The list of games kept in this browser: review, step through, play again, copy a link, save, delete.

const FIRST_SHOWN = 6;

/** The list; it rebuilds itself when a game is deleted. @param {any} app @returns {HTMLElement} */
function keptGamesList(app) {
  const host = h("div", { class: "column" });
  let isWhole = false;
  const showAll = () => {
    isWhole = true;
    show();
  };
  const show = () => {
    const games = keptGames();
    const shown = isWhole ? games : games.slice(0, FIRST_SHOWN);
    const more = games.length - shown.length;
    const none = h("p", { class: "quiet" }, "Games that you finish are kept here, in this browser only.");
    const list = h("ul", { class: "play-kept" }, shown.map((game) => entry(app, game, show)));
    clear(host, games.length ? list : none, more > 0 && button({ label: `Show ${more} more`, kind: "quiet", onclick: showAll }));
  };
  show();
  return host;
}

function entry(app, game, refresh) {
  const parts = readId(game.id, app.about.levels);
  const route = { id: game.id, m: game.moves };
  const date = new Date(game.date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
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
    h("small", { class: "quiet" }, `${date}${withAids(game.aids)}`));
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
