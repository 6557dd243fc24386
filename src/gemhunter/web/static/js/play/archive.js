// Games, best times and statistics, kept in the browser.
import { load, save } from "../store.js";

const GAMES = "play.games";
const TIMES = "play.times";
const UNFINISHED = "play.unfinished";
const VERSION = 1;
const MOST_GAMES = 50;
const MOST_TIMES = 5;
const MOST_UNFINISHED = 5;

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

/** The games that have begun and are not over, as parameters of the route, the latest first. @returns {{id: string, m: string}[]} */
export function unfinishedGames() {
  return load(UNFINISHED, VERSION, []);
}

/** Keep where a game stands, or with null no longer. @param {string} id @param {{id: string, m: string}|null} game */
export function noteUnfinished(id, game) {
  const others = unfinishedGames().filter((each) => each.id !== id);
  save(UNFINISHED, VERSION, [...(game ? [game] : []), ...others].slice(0, MOST_UNFINISHED));
}

// What is kept about each game besides its moves: the time, and the help used. Kept in the browser, so that a reload changes nothing.

const KEY = "play.attempts";
/** Kinds of help, in the order in which they are named. */
const AIDS = ["hints", "risks shown", "undo", "an agent", "checks", "a second try", "moves from a link"];

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
    save(KEY, VERSION, [{ key, spent: this.seconds, aids, began, isOver }, ...others].slice(0, 30));
  }
}

/** The attempt of a game; null if this browser has none. @param {string} key @returns {Attempt|null} */
export function storedAttempt(key) {
  const stored = load(KEY, VERSION, []).find((each) => each.key === key);
  return stored ? new Attempt(key, stored) : null;
}
