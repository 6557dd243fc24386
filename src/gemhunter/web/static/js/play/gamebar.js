// The line above a game: the way back to all games, traps left, time, level and status.
import { clear, h } from "../dom.js";
import { icon } from "../icons.js";
import { badge, button } from "../widgets.js";
import { dayOf, levelName, RULES } from "./games.js";
import { clock } from "./words.js";

/** The status of a game as a badge. @param {string} status */
export function statusBadge(status) {
  return badge(status, /** @type {const} */ ({ won: "good", lost: "bad", stuck: "warn" })[status]);
}

/** The way back to the start page. @param {any} app */
export function lobbyButton(app) {
  const back = button({ label: "All games", icon: "left", kind: "quiet", title: "All games", onclick: () => app.go("play", {}) });
  back.classList.add("play-lobby");
  return back;
}

/** The status line of a game. */
export class GameBar {
  /** @param {any} app */
  constructor(app) {
    this.app = app;
    this.traps = h("output", { class: "play-number", "aria-label": "traps left" });
    this.time = h("output", { class: "play-number", role: "timer", "aria-label": "time", "aria-live": "off" });
    this.name = h("strong", {});
    this.rule = h("span", { class: "quiet play-rule" });
    this.state = h("span", {});
    this.element = h("div", { class: "play-bar" }, lobbyButton(app),
      h("div", { class: "play-count", title: "Traps left: the total minus the flags" }, icon("flag"), this.traps),
      h("div", { class: "play-title" }, this.name, this.rule), this.state,
      h("div", { class: "play-count", title: "Time since the first reveal" }, icon("clock"), this.time));
  }

  /** @param {import("./session.js").Session} session @param {import("./archive.js").Attempt} attempt */
  show(session, attempt) {
    const { game, status } = session;
    this.traps.textContent = String(status === "won" ? 0 : session.counter);
    const level = levelName(game, this.app.about.levels);
    this.name.textContent = dayOf(game) ? `Daily board, ${level}` : level;
    this.rule.textContent = ruleWords(game);
    this.rule.title = game.id;
    clear(this.state, status !== "playing" && statusBadge(status));
    this.tick(attempt);
  }

  /** @param {import("./archive.js").Attempt} attempt */
  tick(attempt) {
    this.time.textContent = clock(attempt.seconds);
  }
}

/** The rule of a game and what dealt its board. @param {import("./games.js").GameId} game */
export function ruleWords(game) {
  const { rule, seed } = game;
  return `${RULES.find((each) => each.value === rule)?.label ?? rule} · ${dayOf(game) ?? `seed ${seed}`}`;
}
