// The end of a game: how it ended, the time, 3BV, best times, and whether a losing move was a fair guess.
import { isAbort, whenBack } from "../api.js";
import { clear, h } from "../dom.js";
import { badge, button, facts, prose } from "../widgets.js";
import { capital } from "../words.js";
import { keepGame, noteResult, timesOf } from "./archive.js";
import { packMoves } from "./games.js";
import { follow } from "./requests.js";
import { exactTime, withAids } from "./words.js";

const CHEERS = ["All gems, no trap.", "Clean work.", "You read every clue correctly.", "Nothing left to fear."];

/** The kind of a game, such as "9x9n10:safe"; best times are kept per kind. @param {{size: string, rule: string}} game */
function kindOf({ size, rule }) {
  return `${size}:${rule}`;
}

/**
 * Keep a game that has just ended; true if its time is the best. @param {import("./session.js").Session} session @param {import("./archive.js").Attempt} attempt
 */
export function keepEnding(session, attempt) {
  const { record, game } = session;
  const { seconds } = attempt;
  keepGame({
    key: attempt.began, id: session.id, moves: packMoves(session.moves), status: record.status,
    seconds, date: Date.now(), aids: attempt.aids,
  });
  if (attempt.aids.length) return false;
  return noteResult(kindOf(game), { isWon: record.status === "won", seconds, id: session.id });
}

/** How it ended in one line. @param {any} record @param {import("./archive.js").Attempt} attempt @param {boolean} isReplay whether all moves came from a link */
export function endingWords(record, attempt, isReplay) {
  if (isReplay) return `Replay: ${record.status === "won" ? "won" : `lost at ${record.exploded}`}`;
  const time = exactTime(attempt.seconds);
  if (record.status === "won") return `won in ${time}${withAids(attempt.aids)}`;
  return `lost at ${record.exploded} after ${time}${withAids(attempt.aids)}`;
}

/**
 * What the panel shows at the end. @param {import("./session.js").Session} session @param {import("./archive.js").Attempt} attempt
 * @param {{isBest: boolean, isReplay: boolean, actions: Record<string, () => void>}} options
 */
export function endingPanel(session, attempt, { isBest, isReplay, actions }) {
  const { record } = session;
  const isWon = record.status === "won";
  const best = timesOf(kindOf(session.game)).best[0];
  const verdict = h("p", { class: "play-verdict", hidden: true });
  const rows = [["3BV, the fewest clicks", record.three_bv], [isReplay ? "Moves" : "Your moves", session.moves.length]];
  if (isWon && attempt.seconds > 0) rows.push(["3BV per second", (record.three_bv / attempt.seconds).toFixed(2)]);
  if (best && !isBest) rows.push(["Best time without help", exactTime(best.seconds)]);
  const element = h("div", { class: "play-ending" },
    h("p", { class: "play-ending-line" }, capital(endingWords(record, attempt, isReplay)), ". ", isBest && badge("new best time", "good")),
    isWon && !attempt.aids.length && h("p", { class: "quiet" }, CHEERS[session.moves.length % CHEERS.length]),
    verdict, facts(rows),
    h("div", { class: "row" },
      button({ label: "New game", action: "fresh", kind: "primary", onclick: actions.fresh }),
      button({ label: "Review", action: "judge", icon: "eye", onclick: actions.review }),
      !isWon && button({ label: "Undo", action: "undo", icon: "undo", onclick: actions.undo }),
      button({ label: "Restart", action: "restart", kind: "quiet", onclick: actions.restart })));
  return { element, verdict };
}

/** Judge the losing move and write the verdict. @param {import("./session.js").Session} session @param {HTMLElement} line @param {AbortSignal} signal */
export async function judgeLoss(session, line, signal) {
  const last = session.moves.length;
  const enough = new AbortController();
  signal.addEventListener("abort", () => enough.abort(), { once: true });
  const show = (text) => {
    line.hidden = false;
    clear(line, prose(text));
  };
  show("Was it a fair guess? Thinking…");
  let isJudged = false;
  try {
    await follow("play/review", session.body, {
      signal: enough.signal, onNote: show,
      onItem: (item) => {
        if (item.number !== last || !item.verdict) return;
        isJudged = true;
        show(item.sentence);
        enough.abort();
      },
    });
    if (!isJudged) line.hidden = true;
  } catch (error) {
    if (isAbort(error) || isJudged) return;
    show(`whether it was a fair guess is not known: ${error.message}`);
    whenBack()?.then(() => (signal.aborted ? undefined : judgeLoss(session, line, signal)));
  }
}
