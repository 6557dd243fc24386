// A whole game of an agent: its positions turn by turn, and its reasons in words.
import { turnWords } from "./agents.js";
import { readMove } from "./games.js";
import { Positions } from "./positions.js";
import { follow } from "./requests.js";

/**
 * Have an agent play a game from its beginning, or from some moves on.
 * @param {import("./games.js").GameId} game @param {string} agent @param {{moves?: string[], signal?: AbortSignal, onNote?: (text: string) => void}} [options]
 * @returns {Promise<{agent: string, positions: Positions, stops: number[], words: string[], guesses: number, status: string, truth: string[]}>}
 *   `stops[n]` is the number of moves after n turns
 */
export async function watchAgent(game, agent, { moves: given = [], signal, onNote } = {}) {
  const watched = await follow("play/watch", { id: game.id, agent, moves: given }, { signal, onNote });
  const turns = watched.moves;
  const moves = [...given, ...turns.flat()].map((text) => readMove(text, game.cols));
  let sum = given.length;
  const stops = [sum, ...turns.map((turn) => (sum += turn.length))];
  const words = [`${agent} begins.`, ...watched.turns.map((turn, at) => turnWords(agent, { ...turn, moves: turns[at], stuck: turn.risk === null }))];
  const { status, truth } = watched.end;
  return { agent, positions: new Positions(game, moves, watched.end), stops, words, guesses: watched.guesses.length, status, truth };
}
