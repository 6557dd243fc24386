// The tab Play: chooses the view of a route.
import { clear, h, on } from "../dom.js";
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

export default {
  title: "Play",

  /** @param {HTMLElement} host @param {any} shared */
  mount(host, shared) {
    root = host;
    app = shared;
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

  uses: () => current?.uses ?? {},
};
