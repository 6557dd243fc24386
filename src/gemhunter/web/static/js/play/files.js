// Replays as files and links: save, open, copy.
import { readFile } from "../api.js";
import { download, h } from "../dom.js";
import { Grid } from "../grid.js";
import { linkTo } from "../route.js";
import { copyAndSay } from "../widgets.js";
import { moveText, packMoves, readId, readMove } from "./games.js";

/** Copy the link of a game with all its moves. @param {Record<string, string>} params */
export function copyLink(params) {
  return copyAndSay(linkTo("play", params), "Link to this game copied");
}

/**
 * Save a game as a JSON file. With the traps known it is a replay that `gemhunter replay` reads as well.
 * @param {string} id @param {import("./games.js").Move[]} moves @param {number} cols @param {string[]|null} truth
 */
export function saveReplay(id, moves, cols, truth) {
  const texts = moves.map((move) => moveText(move, cols));
  const whole = { format: "gemhunter-replay", version: 1, id, mines: truth, moves: texts, gave_up: false };
  const saved = truth ? whole : { id, moves: texts, date: new Date().toISOString() };
  const blob = new Blob([`${JSON.stringify(saved, null, 1)}\n`], { type: "application/json" });
  download(blob, `gemhunter-${id.replaceAll(/[^0-9a-z]+/gi, "-")}.json`);
}

/** Let the player choose a file; resolves to the parameters of its route. @param {any[]} levels @returns {Promise<Record<string, string>>} */
export function chooseFile(levels) {
  return new Promise((resolve, reject) => {
    const input = h("input", { type: "file", accept: ".json,.txt,.mine,.mbf,.sgt,.mines" });
    input.addEventListener("change", () => input.files[0] && routeOf(input.files[0], levels).then(resolve, reject));
    input.click();
  });
}

/** The route of a file: a replay, a saved game, or a board to fill in. @param {File} file @param {any[]} levels */
async function routeOf(file, levels) {
  const own = ownGame(await file.text());
  if (own) return gameRoute(own, levels);
  const record = await readFile(file);
  if (record.game) return gameRoute(record.game, levels);
  return { b: Grid.fromRows(record.grid, record.traps).code() };
}

/** A game saved before it was over: only its id and its moves. */
function ownGame(text) {
  try {
    const saved = JSON.parse(text);
    return typeof saved.id === "string" && Array.isArray(saved.moves) && !saved.format ? saved : null;
  } catch {
    return null;
  }
}

function gameRoute({ id, moves }, levels) {
  const game = readId(id, levels);
  return { id: game.id, m: packMoves(moves.map((text) => readMove(text, game.cols))), v: "replay" };
}
