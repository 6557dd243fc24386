// The requested puzzles: options, their defaults, and how the URL stores them.

/** @typedef {{rows: number, cols: number, density: number, clues: number|null, given: number, difficulty: string|null, rule: string|null, symmetry: string, solutions: string, count: number, seed: number}} PuzzleRequest */

export const MOST_PUZZLES = 50;
export const LARGEST_SIDE = 100;
const LARGEST_SEED = 2 ** 31;

/** @type {Readonly<PuzzleRequest>} */
export const USUAL = Object.freeze({
  rows: 9, cols: 9, density: 0.2, clues: null, given: 0, difficulty: null, rule: null, symmetry: "none", solutions: "one", count: 1, seed: 1,
});

/** Requests to begin with. @type {{label: string, request: Partial<PuzzleRequest>}[]} */
export const READY_MADE = [
  { label: "An easy 6×6", request: { rows: 6, cols: 6, difficulty: "easy" } },
  { label: "A hard 9×9 with half-turn symmetry", request: { difficulty: "hard", symmetry: "half-turn" } },
  { label: "Six for a worksheet", request: { rows: 7, cols: 7, difficulty: "medium", count: 6 } },
];

const NUMBERS = {
  rows: [1, LARGEST_SIDE], cols: [1, LARGEST_SIDE], density: [0, 1], clues: [0, 1], given: [0, 1], count: [1, MOST_PUZZLES], seed: [0, LARGEST_SEED],
};

/** The parameters of the route for a request; defaults are left out. @param {PuzzleRequest} request @returns {Record<string, string>} */
export function paramsOfRequest(request) {
  const changed = Object.entries(request).filter(([name, value]) => value !== USUAL[name]);
  return Object.fromEntries(changed.map(([name, value]) => [name, String(value)]));
}

/** The options in a route; missing or invalid values get their defaults. @param {Record<string, string>} params @returns {PuzzleRequest} */
export function requestOfParams(params) {
  const request = { ...USUAL };
  for (const name of Object.keys(USUAL)) {
    if (params[name] === undefined) continue;
    const range = NUMBERS[name];
    if (!range) request[name] = params[name];
    else if (params[name] !== "" && Number(params[name]) >= range[0] && Number(params[name]) <= range[1]) request[name] = Number(params[name]);
  }
  return possible(request);
}

/** The request without what cannot be met: only puzzles with one solution have a difficulty and a hardest rule. @param {PuzzleRequest} request @returns {PuzzleRequest} */
export function possible(request) {
  return request.solutions === "one" ? request : { ...request, difficulty: null, rule: null };
}

/** A typed number, rounded and limited to its range; `before` if the text is not a number. @param {string} name @param {string} text @param {number} before */
export function numberFor(name, text, before) {
  const [least, most] = NUMBERS[name];
  const number = text.trim() === "" || Number.isNaN(Number(text)) ? before : Number(text);
  return Math.min(Math.max(Math.round(number), least), most);
}

/** @param {PuzzleRequest} request */
export function trapsOf(request) {
  return Math.round(request.density * request.rows * request.cols);
}

/** A random seed of at most six digits. */
export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}
