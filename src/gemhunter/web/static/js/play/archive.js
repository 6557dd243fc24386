// Games that are over, best times and statistics, kept in the browser.
import { load, save } from "../store.js";

const GAMES = "play.games";
const TIMES = "play.times";
const LAST = "play.last";
const VERSION = 1;
const MOST_GAMES = 50;
const MOST_TIMES = 5;

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

/** The game that was played last and is not over, as parameters of the route. @returns {{id: string, m: string}|null} */
export function lastGame() {
  return load(LAST, VERSION, null);
}

/** @param {{id: string, m: string}|null} game */
export function noteLast(game) {
  save(LAST, VERSION, game);
}
