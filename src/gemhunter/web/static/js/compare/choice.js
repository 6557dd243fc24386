// What is compared: boards with names, engines, runs and seconds, and how the URL stores them.
import { Grid } from "../grid.js";

const RUNS = 3;
const SECONDS = 5;
const BETWEEN = "|";
const PREFIX = "sample:";

/** @typedef {{name: string, grid: Grid, sample: string|null}} NamedBoard `sample` is the name of the sample it is, or null */
/** @typedef {{boards: NamedBoard[], engines: string[], runs: number, seconds: number}} Choice never changed: every edit makes a new one */
/** @typedef {{value: Choice}} ChoiceSignal */

/** Nothing chosen yet. @returns {Choice} */
export function emptyChoice() {
  return { boards: [], engines: [], runs: RUNS, seconds: SECONDS };
}

/** The parameters of the route for a choice. @param {Choice} choice */
export function paramsOfChoice({ boards, engines, runs, seconds }) {
  const listed = (items) => items.join(BETWEEN) || null;
  const named = (stem, board, usual) => (board.name === usual ? stem : `${stem}=${board.name}`);
  const own = boards.filter((board) => !board.sample);
  const samples = boards.filter((board) => board.sample);
  return {
    e: listed(engines),
    s: listed(samples.map((board) => named(board.sample.slice(PREFIX.length), board, board.sample.slice(PREFIX.length)))),
    b: listed(own.map((board) => named(board.grid.code(), board, "board"))),
    r: runs === RUNS ? null : String(runs),
    t: seconds === SECONDS ? null : String(seconds),
  };
}

/**
 * The choice of a route. A route with only a board, as other tabs send it, adds that board to the present choice.
 * @param {Record<string, string>} params @param {Choice} present @param {any} app
 * @returns {Promise<{choice: Choice, faults: string[]}>}
 */
export async function choiceOfParams(params, present, app) {
  const faults = [];
  const isSent = Boolean(params.b) && !params.e && !params.s;
  let choice = isSent ? present : emptyChoice();
  const add = async (item, read) => {
    const [stem, ...name] = item.split("=");
    try {
      const board = await read(stem);
      choice = withBoard(choice, { ...board, name: name.join("=") || board.name });
    } catch (error) {
      faults.push(error.message);
    }
  };
  for (const item of split(params.s)) await add(item, async (stem) => ({ name: stem, grid: await app.sample(PREFIX + stem), sample: PREFIX + stem }));
  for (const item of split(params.b)) await add(item, (stem) => ({ name: "board", grid: Grid.fromCode(stem), sample: null }));
  const usual = choice.engines.length || !choice.boards.length ? choice.engines : app.about.comparison.first.engines;
  const engines = params.e ? [...new Set(split(params.e))] : usual;
  return { choice: { ...choice, engines, runs: within(params.r, 1, 10, choice.runs), seconds: within(params.t, 0.1, 60, choice.seconds) }, faults };
}

/** A choice with one more board, whose name is made unique; the choice itself if it has that board. @param {Choice} choice @param {NamedBoard} board */
export function withBoard(choice, board) {
  if (choice.boards.some((other) => other.grid.equals(board.grid))) return choice;
  return { ...choice, boards: [...choice.boards, { ...board, name: uniqueName(board.name, choice.boards) }] };
}

/** A name that no other board has. @param {string} wanted @param {{name: string}[]} others */
export function uniqueName(wanted, others) {
  const clean = wanted.replaceAll(BETWEEN, " ").replaceAll(/\s+/g, " ").trim().slice(0, 80) || "board";
  const taken = new Set(others.map((other) => other.name));
  if (!taken.has(clean)) return clean;
  for (let number = 2; ; number++) if (!taken.has(`${clean} ${number}`)) return `${clean} ${number}`;
}

/** Why an engine cannot be added, or null. @param {string} name @param {{name: string, installed: boolean, package?: string}[]} engines */
export function engineFault(name, engines) {
  const base = name.split(":")[0];
  if (base.startsWith("cmd")) return "engines that run an external program work only on the command line: solve -e cmd:…";
  const known = engines.filter((engine) => engine.name.split(":")[0] === base);
  if (!known.length || name.includes(BETWEEN)) return `there is no engine named ${known.length ? name : base}; “All engines” lists them`;
  const exact = engines.find((engine) => engine.name === name) ?? known.find((engine) => engine.name === base);
  return exact && !exact.installed ? `${name} needs the package ${exact.package}, which is not installed` : null;
}

function split(text) {
  return (text ?? "").split(BETWEEN).filter(Boolean);
}

function within(text, least, most, usual) {
  const number = Number(text);
  return text && number >= least && number <= most ? number : usual;
}
