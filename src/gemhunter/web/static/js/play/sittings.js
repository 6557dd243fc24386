// What a player did with each game besides moves: the time, the help taken. Kept in the browser, so that a reload changes nothing.
import { load, save } from "../store.js";

const KEY = "play.sittings";
const VERSION = 1;
const MOST = 30;
/** Kinds of help, in the order in which they are named. */
const AIDS = ["hints", "risks shown", "undo", "an agent", "checks", "a second try", "moves from a link"];

/** The time and the help of one game; runs only while it is told to. */
export class Sitting {
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
    save(KEY, VERSION, [{ key, spent: this.seconds, aids, began, isOver }, ...others].slice(0, MOST));
  }
}

/** The sitting of a game; null if this browser has none. @param {string} key @returns {Sitting|null} */
export function storedSitting(key) {
  const stored = load(KEY, VERSION, []).find((each) => each.key === key);
  return stored ? new Sitting(key, stored) : null;
}
