// What puzzles are to be like: the wish, its defaults, and how the address keeps it.

/** @typedef {{rows: number, cols: number, density: number, clues: number|null, given: number, difficulty: string|null, rule: string|null, symmetry: string, solutions: string, count: number, seed: number}} Wish */

export const MOST_PUZZLES = 50;
export const LARGEST_SIDE = 100;
const LARGEST_SEED = 2 ** 31;

/** @type {Readonly<Wish>} */
export const USUAL = Object.freeze({
  rows: 9, cols: 9, density: 0.2, clues: null, given: 0, difficulty: null, rule: null, symmetry: "none", solutions: "one", count: 1, seed: 1,
});

/** Wishes to begin with. @type {{label: string, wish: Partial<Wish>}[]} */
export const READY_MADE = [
  { label: "An easy 6×6", wish: { rows: 6, cols: 6, difficulty: "easy" } },
  { label: "A hard 9×9 with half-turn symmetry", wish: { difficulty: "hard", symmetry: "half-turn" } },
  { label: "Six for a worksheet", wish: { rows: 7, cols: 7, difficulty: "medium", count: 6 } },
];

const NUMBERS = {
  rows: [1, LARGEST_SIDE], cols: [1, LARGEST_SIDE], density: [0, 1], clues: [0, 1], given: [0, 1], count: [1, MOST_PUZZLES], seed: [0, LARGEST_SEED],
};

/** The parameters of the route for a wish; what is usual is left out. @param {Wish} wish @returns {Record<string, string>} */
export function paramsOfWish(wish) {
  const told = Object.entries(wish).filter(([name, value]) => value !== USUAL[name]);
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}

/** The wish of a route; what it does not say or says wrongly is as usual. @param {Record<string, string>} params @returns {Wish} */
export function wishOfParams(params) {
  const wish = { ...USUAL };
  for (const name of Object.keys(USUAL)) {
    if (params[name] === undefined) continue;
    const range = NUMBERS[name];
    if (!range) wish[name] = params[name];
    else if (params[name] !== "" && Number(params[name]) >= range[0] && Number(params[name]) <= range[1]) wish[name] = Number(params[name]);
  }
  return possible(wish);
}

/** A wish that can be met: only puzzles with one solution have a difficulty and a hardest rule. @param {Wish} wish @returns {Wish} */
export function possible(wish) {
  return wish.solutions === "one" ? wish : { ...wish, difficulty: null, rule: null };
}

/** A number that was typed, brought into its range. @param {string} name @param {string} text @param {number} before */
export function numberFor(name, text, before) {
  const [least, most] = NUMBERS[name];
  const number = text.trim() === "" || Number.isNaN(Number(text)) ? before : Number(text);
  return Math.min(Math.max(Math.round(number), least), most);
}

/** @param {Wish} wish */
export function trapsOf(wish) {
  return Math.round(wish.density * wish.rows * wish.cols);
}

/** A new seed. */
export function randomSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000;
}

/** The field that a message about a wish belongs to, or null. @param {string} message */
export function fieldOfMessage(message) {
  /** @type {[RegExp, string][]} */
  const rules = [
    [/only be asked for puzzles with one solution/, "solutions"], [/rule/, "rule"], [/difficulty/, "difficulty"], [/symmetr/, "symmetry"],
    [/density|traps/, "density"], [/given/, "given"], [/clue/, "clues"], [/seed/, "seed"], [/cells|rows|columns|size/, "rows"], [/count/, "count"],
  ];
  return rules.find(([words]) => words.test(message))?.[1] ?? null;
}
