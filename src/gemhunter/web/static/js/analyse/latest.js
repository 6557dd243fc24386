// Asks about the newest state only: waits for a pause, aborts the previous question, and never delivers an outdated answer.
import { isAbort } from "../api.js";

const SLOW_MS = 150;

/**
 * @template Question, Answer
 * @typedef {{pause?: number, ask: (question: Question, signal: AbortSignal) => Promise<Answer>, onSlow?: () => void,
 *   onAnswer: (answer: Answer, question: Question) => void, onError: (error: Error, question: Question) => void}} LatestOptions
 */

/** A sequence of questions, of which only the last matters. */
export class Latest {
  /** @param {LatestOptions<any, any>} options `onSlow` is called when the answer takes longer than 150 ms */
  constructor({ pause = 0, ask, onSlow, onAnswer, onError }) {
    this.pause = pause;
    this.options = { ask, onSlow, onAnswer, onError };
    this.timer = 0;
    this.slow = 0;
    this.abort = null;
  }

  /** Whether an answer is still to come. */
  get isWaiting() {
    return this.timer !== 0 || this.abort !== null;
  }

  /** Ask, unless another question follows within the pause. @param {any} question */
  request(question) {
    this.cancel();
    this.timer = setTimeout(() => this.#send(question), this.pause);
  }

  /** Forget the question that is under way. */
  cancel() {
    clearTimeout(this.timer);
    clearTimeout(this.slow);
    this.timer = 0;
    this.abort?.abort();
    this.abort = null;
  }

  async #send(question) {
    const { ask, onSlow, onAnswer, onError } = this.options;
    const abort = new AbortController();
    this.timer = 0;
    this.abort = abort;
    this.slow = setTimeout(() => onSlow?.(), SLOW_MS);
    try {
      const answer = await ask(question, abort.signal);
      if (this.#close(abort)) onAnswer(answer, question);
    } catch (error) {
      if (this.#close(abort) && !isAbort(error)) onError(error, question);
    }
  }

  #close(abort) {
    if (this.abort !== abort) return false;
    clearTimeout(this.slow);
    this.abort = null;
    return true;
  }
}
