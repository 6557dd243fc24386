// Games, best times and statistics, kept in the browser.
import { load, save } from "../store.js";

const GAMES = "play.games";
const TIMES = "play.times";
const UNFINISHED = "play.unfinished";
const VERSION = 1;
const UNFINISHED_VERSION = 2;
const MOST_GAMES = 50;
const MOST_TIMES = 5;
const MOST_UNFINISHED = 50;
/** Of how many games the time and the help are kept, besides those that are not over. */
const MOST_ATTEMPTS = 100;

/** @typedef {{key: number, id: string, moves: string, status: string, seconds: number, date: number, aids: string[]}} KeptGame */

/** All kept games, newest first. @returns {KeptGame[]} */
export function keptGames() {
  return load(GAMES, VERSION, []);
}

/** Keep a game; one with the same key is replaced. @param {KeptGame} game */
export function keepGame(game) {
  const others = keptGames().filter((each) => each.key !== game.key);
  save(GAMES, VERSION, [game, ...others].slice(0, MOST_GAMES));
}

/** @param {number} key */
export function forgetGame(key) {
  save(GAMES, VERSION, keptGames().filter((each) => each.key !== key));
}

/** Best times of a kind of game, and how often it was played and won without help. @param {string} kind such as "9x9n10:safe" */
export function timesOf(kind) {
  return load(TIMES, VERSION, {})[kind] ?? { played: 0, won: 0, best: [] };
}

/** Note a game played without help; true if it is the best time. @param {string} kind @param {{isWon: boolean, seconds: number, id: string}} result */
export function noteResult(kind, { isWon, seconds, id }) {
  const all = load(TIMES, VERSION, {});
  const { played, won, best } = timesOf(kind);
  const times = isWon ? [...best, { seconds, id, date: Date.now() }].sort((a, b) => a.seconds - b.seconds).slice(0, MOST_TIMES) : best;
  save(TIMES, VERSION, { ...all, [kind]: { played: played + 1, won: won + (isWon ? 1 : 0), best: times } });
  return isWon && times[0].id === id && times[0].seconds === seconds;
}

/** @typedef {{id: string, moves: string, board: string, date: number}} UnfinishedGame `board` is the code of the position */

/** The games that have begun and are not over, the latest first. @returns {UnfinishedGame[]} */
export function unfinishedGames() {
  return load(UNFINISHED, UNFINISHED_VERSION, []);
}

/** Keep where a game stands. @param {UnfinishedGame} game */
export function keepUnfinished(game) {
  const others = unfinishedGames().filter((each) => each.id !== game.id);
  const games = [game, ...others].slice(0, MOST_UNFINISHED);
  // The oldest make room where the browser has none left.
  while (!save(UNFINISHED, UNFINISHED_VERSION, games) && games.length > 1) games.pop();
}

/** @param {string} id */
export function forgetUnfinished(id) {
  save(UNFINISHED, UNFINISHED_VERSION, unfinishedGames().filter((each) => each.id !== id));
}

// What is kept about each game besides its moves: the time, and the help used. Kept in the browser, so that a reload changes nothing.

const KEY = "play.attempts";
/** Kinds of help, in the order in which they are named. */
const AIDS = ["hints", "risks shown", "undo", "an agent", "an analysis", "an explanation", "a review", "a replay", "checks", "a second try", "moves from a link"];

/** The time and the help of one game; `run` starts and stops the time. */
export class Attempt {
  /** @param {string} key the id of the game, or the code of the board @param {any} [stored] */
  constructor(key, stored = {}) {
    this.key = key;
    this.spent = stored.spent ?? 0;
    this.aids = stored.aids ?? [];
    this.began = stored.began ?? Date.now();
    this.isOver = stored.isOver ?? false;
    this.since = null;
  }

  /** Seconds so far. */
  get seconds() {
    return this.spent + (this.since === null ? 0 : (performance.now() - this.since) / 1000);
  }

  /** Let the time run, or stop it. @param {boolean} runs */
  run(runs) {
    if (runs === (this.since !== null)) return;
    this.spent = this.seconds;
    this.since = runs ? performance.now() : null;
    this.keep();
  }

  /** The game is over. Results show tenths of a second, so nothing finer is kept that another view could round differently. */
  finish() {
    this.run(false);
    this.spent = Math.round(this.spent * 10) / 10;
    this.isOver = true;
    this.keep();
  }

  /** Note a kind of help. @param {string} aid */
  help(aid) {
    if (this.aids.includes(aid)) return;
    this.aids = AIDS.filter((each) => each === aid || this.aids.includes(each));
    this.keep();
  }

  /** Store it. */
  keep() {
    const others = load(KEY, VERSION, []).filter((each) => each.key !== this.key);
    const { key, aids, began, isOver } = this;
    const unfinished = new Set(unfinishedGames().map(({ id }) => id));
    const attempts = [{ key, spent: this.seconds, aids, began, isOver }, ...others];
    save(KEY, VERSION, attempts.filter((each, at) => at < MOST_ATTEMPTS || unfinished.has(each.key)));
  }
}

/** The attempt of a game; null if this browser has none. @param {string} key @returns {Attempt|null} */
export function storedAttempt(key) {
  const stored = load(KEY, VERSION, []).find((each) => each.key === key);
  return stored ? new Attempt(key, stored) : null;
}

/** Note help with a game that is not over, when another view than its own gives it. @param {string} key @param {string} aid */
export function noteHelp(key, aid) {
  const attempt = storedAttempt(key) ?? new Attempt(key);
  if (!attempt.isOver) attempt.help(aid);
}
