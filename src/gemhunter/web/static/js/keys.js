// The table of all keys: what each means in every tab, on buttons and in the help.

/**
 * Actions by name. Each key has one action, so it does the same in every tab that uses it. `keys` are names as `keyOf`
 * returns them; buttons show the first, the help shows all. `shown`, if there is one, replaces them in both.
 * @typedef {Record<string, {keys: string[], text: string, shown?: string}>} Actions
 */

/** Actions that tabs and views can offer; their `uses` have a function for each, under these names. @type {Actions} */
export const ACTIONS = {
  clue: { keys: ["0", "1", "2", "3", "4", "5", "6", "7", "8"], shown: "0 … 8", text: "put a clue on the cell" },
  trap: { keys: ["t"], text: "mark the cell as a trap" },
  gem: { keys: ["g"], text: "mark the cell as a gem" },
  flag: { keys: ["f"], text: "flag the cell" },
  erase: { keys: ["x", "Delete"], text: "make the cell hidden again" },
  eraseBefore: { keys: ["Backspace"], text: "erase the previous cell" },
  chord: { keys: ["c"], text: "chord: open the other cells around a clue" },
  flagging: { keys: ["m"], text: "turn flag mode for taps on or off" },
  undo: { keys: ["u", "Ctrl+z"], text: "undo; also takes back a loss or a restart" },
  redo: { keys: ["y", "Ctrl+Shift+z"], text: "redo" },
  next: { keys: ["n", "ArrowRight"], text: "next step or solution" },
  back: { keys: ["b", "ArrowLeft"], text: "previous step or solution" },
  first: { keys: ["Home"], text: "first step" },
  last: { keys: ["End"], text: "last step" },
  nextStop: { keys: ["Shift+ArrowRight"], text: "next stop" },
  previousStop: { keys: ["Shift+ArrowLeft"], text: "previous stop" },
  run: { keys: [" "], text: "play or pause" },
  slower: { keys: ["<"], text: "slower" },
  faster: { keys: [">"], text: "faster" },
  risks: { keys: ["p"], text: "show or hide risks" },
  forced: { keys: ["d"], text: "show or hide forced cells" },
  hint: { keys: ["i"], text: "a hint, or the best move" },
  explain: { keys: ["e"], text: "explain the board" },
  why: { keys: ["w"], text: "explain the cell" },
  graph: { keys: ["G"], text: "implication graph of the learned clause" },
  judge: { keys: ["v"], text: "review a finished game, check your marks" },
  restart: { keys: ["r"], text: "start over; undo restores everything" },
  fresh: { keys: ["N"], text: "new game or board" },
  turn: { keys: ["a"], text: "one turn of the agent" },
  playOn: { keys: ["A"], text: "let the agent play on, or stop it" },
  save: { keys: ["s"], text: "save as a file" },
  clipboard: { keys: [], shown: "Ctrl+C, Ctrl+V", text: "copy, paste a board" },
  leave: { keys: ["Escape"], text: "go back or close" },
  tab: { keys: ["Shift+1", "Shift+2", "Shift+3", "Shift+4", "Shift+5"], shown: "Shift+1 … Shift+5", text: "go to a tab" },
  help: { keys: ["?"], text: "open this help" },
};

/** Keys of a board that has the focus; they take precedence over those above. @type {Actions} */
export const BOARD_ACTIONS = {
  up: { keys: ["ArrowUp", "k"], text: "up" },
  down: { keys: ["ArrowDown", "j"], text: "down" },
  left: { keys: ["ArrowLeft", "h"], text: "left" },
  right: { keys: ["ArrowRight", "l"], text: "right" },
  rowStart: { keys: ["Home"], text: "first cell of the row" },
  rowEnd: { keys: ["End"], text: "last cell of the row" },
  boardStart: { keys: ["Ctrl+Home"], text: "first cell of the board" },
  boardEnd: { keys: ["Ctrl+End"], text: "last cell of the board" },
  pageUp: { keys: ["PageUp"], text: "up by a screen" },
  pageDown: { keys: ["PageDown"], text: "down by a screen" },
  primary: { keys: ["Enter", " "], text: "same as a click" },
  secondary: { keys: ["Shift+Enter", "ContextMenu"], text: "same as a right-click or a long press" },
  zoomIn: { keys: ["+", "="], shown: "+", text: "zoom in; also Ctrl and the wheel, or two fingers" },
  zoomOut: { keys: ["-"], text: "zoom out" },
  fit: { keys: ["z"], text: "fit the board into its frame" },
};

const SIGNS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", " ": "Space", ContextMenu: "Menu", "-": "−" };

/**
 * The name of what was pressed: "u", "N", "ArrowLeft", "Shift+ArrowLeft", "Ctrl+z"; null with Alt.
 * @param {KeyboardEvent} event @returns {string|null}
 */
export function keyOf({ key, code, altKey, ctrlKey, metaKey, shiftKey }) {
  if (altKey) return null;
  const isLetter = /^[a-z]$/i.test(key);
  const isChord = ctrlKey || metaKey;
  // On keyboards that need Shift for digits, Shift and such a key still mean the digit.
  const digit = key !== "?" && shiftKey && !/\d/.test(key) && /^Digit(\d)$/.exec(code)?.[1];
  if (digit) return `Shift+${digit}`;
  const shift = shiftKey && (key.length > 1 || (isChord && isLetter)) ? "Shift+" : "";
  // A letter counts as typed with Shift only if Shift is held: CapsLock changes nothing.
  const name = isLetter ? (shiftKey && !isChord ? key.toUpperCase() : key.toLowerCase()) : key;
  return `${isChord ? "Ctrl+" : ""}${shift}${name}`;
}

/** The name of the action of a key, or undefined. @param {string|null} key @param {Actions} actions */
export function actionOf(key, actions) {
  return Object.keys(actions).find((name) => actions[name].keys.includes(key));
}

/** The key of an action as buttons show it. @param {string} action */
export function shortcutOf(action) {
  const { keys, shown } = ACTIONS[action] ?? BOARD_ACTIONS[action];
  return shown ?? shownKey(keys[0]);
}

/** Keys and their meaning, for the help. @param {Actions} actions @param {string[]} [names] @returns {[string, string][]} */
export function keyRows(actions, names = Object.keys(actions)) {
  return Object.entries(actions).filter(([name]) => names.includes(name)).map(([, { keys, shown, text }]) => [shown ?? keys.map(shownKey).join(", "), text]);
}

function shownKey(key) {
  if (/^[A-Z]$/.test(key)) return `Shift+${key}`;
  const [, held, name] = /^((?:Ctrl\+|Shift\+)*)(.+)$/.exec(key);
  return held + (SIGNS[name] ?? (held && name.length === 1 ? name.toUpperCase() : name));
}
