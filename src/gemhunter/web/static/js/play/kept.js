// The list of games kept in this browser: open, review, step through, send, save, delete.
import { ask } from "../api.js";
import { clear, h } from "../dom.js";
import { badge, button, menuButton, toast } from "../widgets.js";
import { forgetGame, keptGames } from "./archive.js";
import { copyLink, saveReplay } from "./files.js";
import { levelName, moveText, readId, unpackMoves } from "./games.js";
import { clock, withAids } from "./words.js";

const FIRST_SHOWN = 6;
const KINDS = { won: "good", lost: "bad", stuck: "warn" };

/** The list; it rebuilds itself when a game is deleted. @param {any} app @returns {HTMLElement} */
export function keptGamesList(app) {
  const host = h("div", { class: "column" });
  let isWhole = false;
  const showAll = () => {
    isWhole = true;
    show();
  };
  const show = () => {
    const games = keptGames();
    const shown = isWhole ? games : games.slice(0, FIRST_SHOWN);
    const more = games.length - shown.length;
    const none = h("p", { class: "quiet" }, "Games that you finish are kept here, in this browser only.");
    const list = h("ul", { class: "play-kept" }, shown.map((game) => entry(app, game, show)));
    clear(host, games.length ? list : none, more > 0 && button({ label: `Show ${more} more`, kind: "quiet", onclick: showAll }));
  };
  show();
  return host;
}

function entry(app, game, refresh) {
  const parts = readId(game.id, app.about.levels);
  const route = { id: game.id, m: game.moves };
  const date = new Date(game.date).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const forget = () => {
    forgetGame(game.key);
    refresh();
  };
  const menu = menuButton({
    label: "What to do with this game", icon: "down", compact: true, kind: "quiet",
    items: () => [
      { label: "Review", icon: "analyse", onclick: () => app.go("play", { ...route, v: "review" }) },
      { label: "Step through", icon: "play", onclick: () => app.go("play", { ...route, v: "replay" }) },
      { label: "Play it again", icon: "first", onclick: () => app.go("play", { id: game.id }) },
      { label: "Copy link", icon: "link", onclick: () => copyLink({ ...route, v: "replay" }) },
      { label: "Save as file", icon: "download", onclick: () => saveKept(parts, game) },
      null,
      { label: "Delete", icon: "close", onclick: forget },
    ],
  });
  const review = () => app.go("play", { ...route, v: "review" });
  const words = h("span", {}, h("strong", {}, levelName(parts, app.about.levels)), ` ${clock(game.seconds)}`,
    h("small", { class: "quiet" }, `${date}${withAids(game.aids)}`));
  return h("li", {},
    h("button", { type: "button", class: "play-kept-open", title: "Review this game", onclick: review }, badge(game.status, KINDS[game.status]), words), menu);
}

/** Save a kept game; the server says where the traps were. */
async function saveKept(parts, game) {
  const moves = unpackMoves(game.moves, parts.rows * parts.cols);
  try {
    const record = await ask("play", { id: game.id, moves: moves.map((move) => moveText(move, parts.cols)) });
    saveReplay(game.id, moves, parts.cols, record.truth);
  } catch (error) {
    toast(error.message, "error");
  }
}
