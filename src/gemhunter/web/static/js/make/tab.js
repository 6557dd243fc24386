// The tab Make: the form on one side, puzzles or a no-guess game on the other, and the print view.
import { isAbort, stream } from "../api.js";
import { clear, h } from "../dom.js";
import { formatRoute, linkTo, pushRoute, replaceRoute } from "../route.js";
import { load, save } from "../store.js";
import { bringIntoView, button, copyAndSay, emptyState, notice, sayIfHidden, segmented } from "../widgets.js";
import { PuzzleForm } from "./form.js";
import { GameForm } from "./game.js";
import { PuzzlesView } from "./puzzles.js";
import { Sheet } from "./sheet.js";
import { paramsOfRequest, READY_MADE, USUAL, requestOfParams } from "./request.js";

/** @type {[string, number]} */
const STORED = ["make.puzzles", 1];
const KINDS = [{ value: "puzzles", label: "Puzzles", icon: "grid" }, { value: "game", label: "No-guess game", icon: "play" }];

/** The state of the tab and its elements. */
class MakeTab {
  constructor(root, app) {
    this.app = app;
    this.kind = "puzzles";
    this.route = null;
    this.running = null;
    this.form = new PuzzleForm(app.about, { ...USUAL }, () => this.#changed());
    this.game = new GameForm(app, () => this.#changed());
    this.game.onMade = (made) => {
      this.madeGame = made;
      this.#fill();
      bringIntoView(this.stage);
    };
    this.kinds = segmented({ label: "What to make", options: KINDS, value: "puzzles", onChange: (kind) => this.#setKind(kind) });
    this.said = h("div", { class: "make-said", "aria-live": "polite" });
    this.start = button({ label: "Make", icon: "make", kind: "primary", onclick: () => this.make() });
    const link = button({ label: "Copy link", icon: "link", kind: "quiet", title: "Copy a link to these options", onclick: () => this.#copyLink() });
    this.puzzleSide = h("div", { class: "column" }, this.form.element, this.said, h("div", { class: "row" }, this.start, link));
    this.side = h("div", { class: "side" }, h("section", { class: "card", "aria-label": "Options" }, this.kinds, this.puzzleSide, this.game.form));
    this.stage = h("div", { class: "stage" });
    this.space = h("div", { class: "workspace make-space" }, this.side, this.stage);
    this.sheet = new Sheet(() => this.view?.puzzles ?? [], () => this.#closeSheet());
    root.append(this.space, this.sheet.element);
  }

  get #params() {
    return this.kind === "game" ? this.game.params : paramsOfRequest(this.form.request);
  }

  /** The parameters for links, always with the seed: opening a link makes its puzzles only if it has parameters. */
  get #orderParams() {
    return { ...this.#params, seed: String(this.form.request.seed) };
  }

  #copyLink() {
    copyAndSay(linkTo("make", this.#orderParams), "Link copied; the same seed makes the same puzzles");
  }

  #setKind(kind) {
    this.kind = kind;
    this.#changed();
    this.#fill();
  }

  #changed() {
    clear(this.said);
    this.route = formatRoute("make", this.#params);
    replaceRoute("make", this.#params);
    this.#markOutdated();
  }

  /** Show a notice if the puzzles on the stage were made with other options than those in the form. */
  #markOutdated() {
    this.outdated?.remove();
    this.outdated = null;
    if (this.kind === "game" || !this.view || this.running || formatRoute("make", this.view.batch.params) === this.route) return;
    this.outdated = notice("These puzzles were made with other options. Press Make for new ones.", { kind: "info" });
    this.stage.prepend(this.outdated);
  }

  /** @param {Record<string, string>} params */
  async show({ view, ...params }) {
    const isFirst = this.route === null;
    this.wanted = view;
    if (!this.view && !this.running) this.#restore();
    if (isFirst || formatRoute("make", params) !== this.route) this.#take(params);
    if (isFirst && this.#isOrder(params)) await (this.kind === "game" ? this.game.make() : this.make());
    this.#showSheet();
  }

  /** Whether a link asks for something that is not there yet. @param {Record<string, string>} params */
  #isOrder({ kind, ...params }) {
    if (kind === "game") return Boolean(params.seed);
    return Object.keys(params).length > 0 && (!this.view || formatRoute("make", this.view.batch.params) !== this.route);
  }

  /** Show or leave the print view, as the route says. */
  #showSheet() {
    const isSheet = this.wanted === "print" && this.view?.puzzles.length > 0;
    if (isSheet && this.sheet.element.hidden) this.#openSheet();
    else if (!isSheet && !this.sheet.element.hidden) this.#hideSheet();
  }

  #restore() {
    const stored = load(...STORED);
    if (stored?.items.length) this.#present({ ...stored, status: stored.status === "running" ? "stopped" : stored.status });
  }

  #take(params) {
    this.kind = params.kind === "game" ? "game" : "puzzles";
    this.kinds.value = this.kind;
    if (this.kind === "game") this.game.setParams(params);
    else this.form.setRequest(requestOfParams(params));
    clear(this.said);
    this.route = formatRoute("make", this.#params);
    this.#fill();
  }

  #fill() {
    const isGame = this.kind === "game";
    this.puzzleSide.hidden = isGame;
    this.game.form.hidden = !isGame;
    const shown = isGame ? this.madeGame : this.view?.element;
    this.stage.classList.toggle("first", !shown);
    clear(this.stage, shown ?? (isGame ? gameIntroduction() : this.#introduction()));
    this.#markOutdated();
  }

  #introduction() {
    const ready = READY_MADE.map(({ label, request }) => button({ label, icon: "make", onclick: () => this.#makeReady(request) }));
    return h("div", { class: "card" }, emptyState("Puzzles made to order: with one solution, as few clues as possible and as hard as you like. Begin with one of these, or set your own options.", ...ready));
  }

  #makeReady(request) {
    this.#take(paramsOfRequest({ ...USUAL, ...request }));
    this.#changed();
    this.make();
  }

  /** Make the puzzles of the request. */
  async make() {
    this.form.clearFaults();
    clear(this.said);
    const batch = { items: [], asked: this.form.request.count, status: "running", params: this.#params };
    const before = this.view;
    this.running = new AbortController();
    this.start.disabled = true;
    const view = this.#present(batch);
    bringIntoView(this.stage);
    try {
      const options = { signal: this.running.signal, onItem: (item) => this.#came(view, item), onProgress: (progress) => view.say(progress) };
      await stream("generate/puzzles", this.form.request, options);
      batch.status = "done";
    } catch (error) {
      batch.status = isAbort(error) ? "stopped" : "failed";
      if (!isAbort(error)) this.#complain(error, batch, before);
    }
    this.running = null;
    this.start.disabled = false;
    this.#markOutdated();
    view.update();
    if (batch.items.length) save(...STORED, batch);
    this.app.announce(`${view.puzzles.length} of ${batch.asked} puzzles made`);
    sayIfHidden(this.stage, `${view.puzzles.length} of ${batch.asked} puzzles are made`);
  }

  #came(view, item) {
    view.add(item);
    if (view.batch.items.length === 1) bringIntoView(this.stage);
  }

  #complain(error, batch, before) {
    if (!batch.items.length) this.view = before;
    this.#fill();
    if (!this.form.showFault(error)) clear(this.said, notice(error.message, error.code === "offline" ? { retry: () => this.make(), byHand: true } : {}));
  }

  #present(batch) {
    this.view = new PuzzlesView(this.app, batch, { onStop: () => this.running?.abort(), onPrint: () => this.#print() });
    this.#fill();
    return this.view;
  }

  #print() {
    pushRoute("make", { ...this.#orderParams, view: "print" });
    this.#openSheet();
  }

  #openSheet() {
    this.space.hidden = true;
    this.sheet.open();
    window.scrollTo(0, 0);
  }

  #hideSheet() {
    this.sheet.close();
    this.space.hidden = false;
  }

  #closeSheet() {
    this.wanted = null;
    this.#hideSheet();
    pushRoute("make", this.#params);
  }

  hide() {
    this.game.leaving?.abort();
  }

  /** What keys do in this tab. */
  get uses() {
    return this.sheet.element.hidden ? {} : { leave: () => this.#closeSheet() };
  }
}

function gameIntroduction() {
  return h("div", { class: "card" }, emptyState("A Minesweeper game in which no step needs a guess, once the first cell is revealed. Choose a level and make one."));
}

/** @type {MakeTab} */
let tab;

export default {
  title: "Make",
  mount(root, app) {
    tab = new MakeTab(root, app);
  },
  show: (params) => tab.show(params),
  // Puzzles are still made while another tab is shown, so that the first ones can be played meanwhile.
  hide: () => tab.hide(),
  uses: () => tab.uses,
};
