// The tab Play: chooses the view of a route and passes keys on to it.
import { clear, h, isTyping, on } from "../dom.js";
import { button, notice } from "../widgets.js";
import { FillView } from "./fill.js";
import { GameView } from "./game.js";
import { RaceView } from "./race.js";
import { ReplayView } from "./replay.js";
import { ReviewView } from "./review.js";
import { StartView } from "./start.js";

const VIEWS = { start: StartView, game: GameView, fill: FillView, replay: ReplayView, watch: ReplayView, review: ReviewView, race: RaceView };

/** @type {Map<any, any>} views by class, made when first shown */
const made = new Map();
let root = null;
let app = null;
let current = null;

function nameOf(params) {
  if (params.b) return "fill";
  if (!params.id) return "start";
  return params.v in VIEWS ? params.v : "game";
}

function viewOf(name) {
  const View = VIEWS[name];
  if (!made.has(View)) made.set(View, new View(app));
  return made.get(View);
}

function fail(error) {
  current = null;
  const back = button({ label: "To the start page", kind: "primary", onclick: () => app.go("play", {}) });
  clear(root, h("div", { class: "page" }, notice(error.message), h("div", { class: "row" }, back)));
}

function onKey(event) {
  if (!current || root.hidden || isTyping(event.target) || document.querySelector("dialog[open]")) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("[popover]")) return;
  if (!current.onKey?.(event)) return;
  event.preventDefault();
  event.stopPropagation();
}

export default {
  title: "Play",
  keys: [
    ["Enter, Space", "reveal; on a clue, chord. When filling in: gem"],
    ["h, j, k, l", "move the cursor, as the arrows do"],
    ["f", "toggle a flag"],
    ["c", "chord. When filling in: check"],
    ["g, t, x", "when filling in: gem, trap, clear"],
    ["i", "hint; each press says more"],
    ["p", "show or hide risks"],
    ["u", "undo, even after a loss"],
    ["n, r", "new game, restart"],
    ["a, A", "one turn of the agent; let it play on or stop it"],
    ["<, >", "slower, faster"],
    ["m", "flag mode for taps"],
    ["v", "review the game"],
    ["s", "save as a file"],
    ["arrows, j, k", "step through a review or a replay"],
  ],

  /** @param {HTMLElement} host @param {any} shared */
  mount(host, shared) {
    root = host;
    app = shared;
    // Keys of a replay must not move the cursor of its board first.
    on(document, "keydown", onKey, true);
    on(document, "visibilitychange", () => current?.onVisibility?.());
  },

  /** @param {Record<string, string>} params */
  async show(params) {
    const next = viewOf(nameOf(params));
    if (current && current !== next) current.hide();
    if (current !== next || !next.element.isConnected) clear(root, next.element);
    current = next;
    try {
      await next.show(params);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      next.hide();
      fail(error);
    }
  },

  hide() {
    current?.hide();
  },
};
