// The panel beside the board with messages to the player: hints, refusals, agents, endings, errors.
import { announce, clear, h } from "../dom.js";
import { notice, prose, working } from "../widgets.js";

/** A panel that holds one message at a time. */
export class Panel {
  constructor() {
    this.heading = h("h2", {});
    this.body = h("div", { class: "play-say-body" });
    this.element = h("section", { class: "card play-say", "aria-label": "Messages" }, this.heading, this.body);
  }

  /** Show a text or an element. @param {string|HTMLElement} what @param {{title?: string, tone?: string}} [options] */
  say(what, { title = "", tone = "" } = {}) {
    this.said = { what: typeof what === "string" ? h("p", {}, prose(what)) : what, title, tone };
    this.restore();
    announce([...this.body.querySelectorAll("p, li")].map((line) => line.textContent).join(" "));
  }

  /** Replace a message that is out of date, without announcing it. @param {string} text */
  rest(text) {
    this.said = { what: h("p", {}, text), title: "", tone: "" };
    this.restore();
  }

  /** Show what was said last, in place of a note about work in progress. */
  restore() {
    const { what, title, tone } = this.said;
    this.heading.textContent = title;
    this.heading.hidden = !title;
    this.element.dataset.tone = tone;
    clear(this.body, what);
  }

  /** Say that work is in progress. @param {string} text */
  busy = (text) => {
    this.heading.hidden = true;
    this.element.dataset.tone = "";
    clear(this.body, working(text));
  };

  /** Show an error with a button that tries again. @param {Error} error @param {() => void} retry */
  fail(error, retry) {
    this.heading.hidden = true;
    clear(this.body, notice(error.message, { retry }));
  }
}
