// One request at a time: shows that the server is working, or an error with a retry, and aborts a request that is no longer wanted.
import { isAbort, stream } from "../api.js";
import { clear, h } from "../dom.js";
import { notice, working } from "../widgets.js";

const QUICK_MS = 180;

/** Sends requests and shows their progress or their error; a new request aborts the previous one. */
export class Loading {
  constructor() {
    this.element = h("div", { class: "understand-loading", hidden: true });
  }

  /**
   * Ask; resolves to the record, or to null after an error or an abort. `again` is called by the button "Try again",
   * `onError` with the text of an error.
   * @param {string} path @param {object} body @param {{text: string, again: () => void, onError?: (text: string) => void}} options @returns {Promise<any>}
   */
  async ask(path, body, { text, again, onError }) {
    this.abort();
    const control = new AbortController();
    this.control = control;
    this.timer = setTimeout(() => this.#show(working(text)), QUICK_MS);
    try {
      const record = await stream(path, body, { signal: control.signal, onProgress: ({ seconds }) => this.#showSeconds(control, text, seconds) });
      if (this.control !== control) return null;
      this.abort();
      return record;
    } catch (error) {
      if (isAbort(error) || this.control !== control) return null;
      this.abort();
      this.#show(notice(error.message, ["offline", "busy"].includes(error.code) ? { retry: again } : {}));
      onError?.(error.message);
      return null;
    }
  }

  #showSeconds(control, text, seconds) {
    if (this.control === control && seconds >= 1) this.#show(working(`${text} ${Math.round(seconds)} s`));
  }

  #show(element) {
    clearTimeout(this.timer);
    this.element.hidden = false;
    clear(this.element, element);
  }

  /** Abort the current request, and clear what was shown. */
  abort() {
    clearTimeout(this.timer);
    this.control?.abort();
    this.control = null;
    this.element.hidden = true;
    clear(this.element);
  }

  get isBusy() {
    return Boolean(this.control);
  }
}
