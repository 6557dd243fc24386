// Boot of the page: the five tabs, their routes, the theme button and the help.
import { about as askAbout, ask, whenBack } from "./api.js";
import { announce, clear, h, isTyping, on } from "./dom.js";
import { Grid } from "./grid.js";
import { icon } from "./icons.js";
import { actionOf, ACTIONS, BOARD_ACTIONS, keyOf, keyRows } from "./keys.js";
import { flushRoute, paramsOf, pushRoute, readRoute, remember } from "./route.js";
import { load, save } from "./store.js";
import { startTheme, theme } from "./theme.js";
import { button, notice, openDialog } from "./widgets.js";

const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @type {Map<string, Promise<any>>} the modules of mounted tabs; null for a tab that could not be loaded */
const mounted = new Map();
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll(".tabs a");
const TABS = [...links].map((link) => link.dataset.tab);
/** Tabs that could not be fetched. Browsers remember the failure, so showing one reloads the page. @type {Set<string>} */
const unfetched = new Set();
let current = null;
/** The module of the tab that is shown, once it is there. */
let shown = null;
let turn = 0;
/** @type {() => void} */
let tellReady = () => {};
/** Resolves when the server has described what it offers; no tab is mounted before that. @type {Promise<void>} */
const ready = new Promise((resolve) => (tellReady = resolve));

const app = {
  about: null,
  theme,
  announce,
  /** Show a tab with parameters, and add a history entry. @param {string} tab @param {Record<string, any>} [params] */
  go(tab, params = paramsOf(tab)) {
    pushRoute(tab, params);
    return showTab(tab, params);
  },
  /** Show a board in a tab. @param {string} tab @param {Grid} grid */
  openBoard(tab, grid) {
    return app.go(tab, { b: grid.code() });
  },
  /** Read a sample such as "sample:9x9". @param {string} name @returns {Promise<Grid>} */
  async sample(name) {
    const { grid, traps } = await ask("read", { sample: name });
    return Grid.fromRows(grid, traps);
  },
};

function sectionOf(tab) {
  return document.getElementById(`tab-${tab}`);
}

async function showTab(tab, params) {
  const mine = ++turn;
  await ready;
  if (mine !== turn) return;
  if (current && current !== tab) (await mounted.get(current))?.hide?.();
  if (mine !== turn) return;
  current = tab;
  shown = null;
  remember(tab, params);
  markCurrent(tab);
  if (unfetched.has(tab) && !whenBack()) return location.reload();
  const module = await moduleOf(tab);
  if (mine !== turn || !module) return;
  shown = module;
  await module.show(params);
}

function markCurrent(tab) {
  for (const each of TABS) sectionOf(each).hidden = each !== tab;
  const name = sectionOf(tab).getAttribute("aria-label");
  document.getElementById("heading").textContent = name;
  document.title = `${name} – Gem Hunter`;
  for (const link of links) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** Load all modules of a tab at once, not import by import. @param {string} tab */
function preload(tab) {
  /** @type {NodeListOf<HTMLLinkElement>} */
  const modules = document.querySelectorAll(`link[data-tab="${tab}"]`);
  for (const link of modules) link.rel = "modulepreload";
}

function moduleOf(tab) {
  if (!mounted.has(tab)) mounted.set(tab, mountTab(tab));
  return mounted.get(tab);
}

async function mountTab(tab) {
  const root = sectionOf(tab);
  preload(tab);
  try {
    const { default: module } = await import(`./${tab}/tab.js`);
    await module.mount(root, app);
    return module;
  } catch (error) {
    console.error(error);
    // Find out whether the server is down; if it is, the notice retries when it is back.
    let why = "";
    await askAbout().catch((down) => {
      unfetched.add(tab);
      why = `: ${down.message}`;
    });
    const retry = () => current === tab && location.reload();
    clear(root, h("div", { class: "page" }, notice(`This tab could not be loaded${why}`, { retry })));
    return null;
  }
}

function routeOrStart() {
  const { tab, params } = readRoute();
  if (TABS.includes(tab)) return { tab, params };
  const stored = load("route", 1);
  return TABS.includes(stored?.tab) ? stored : { tab: "analyse", params: {} };
}

function storeRoute() {
  flushRoute();
  if (current) save("route", 1, { tab: current, params: paramsOf(current) });
}

function startNavigation() {
  on(document.querySelector(".top"), "click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    app.go(link.hash.slice(1));
  });
  on(document.getElementById("skip"), "click", (event) => {
    event.preventDefault();
    /** @type {HTMLElement|undefined} */
    const board = sectionOf(current)?.querySelector("[role=grid]");
    (board ?? document.getElementById("main")).focus();
  });
  on(window, "popstate", () => {
    const { tab, params } = routeOrStart();
    showTab(tab, params);
  });
  on(window, "pagehide", storeRoute);
  on(document, "visibilitychange", () => document.hidden && storeRoute());
  links.forEach((link, at) => {
    link.title = `${link.textContent} (${ACTIONS.tab.keys[at]})`;
    link.prepend(icon(link.dataset.tab));
  });
}

function startKeys() {
  on(document, "keydown", (event) => {
    if (event.defaultPrevented || isTyping(event.target) || document.querySelector("dialog[open]") || event.target.closest?.("[popover]")) return;
    const key = keyOf(event);
    const use = uses()[actionOf(key, ACTIONS)];
    if (!use || isKeyOfControl(event)) return;
    if (use(key) !== false) event.preventDefault();
  });
}

/** Whether the control that has the focus uses a key itself. */
function isKeyOfControl({ key, target }) {
  if (key === " ") return target.matches?.("button, a, summary, input, [role=button]");
  return key.startsWith("Arrow") && target.matches?.("[type=radio]");
}

/** What keys do now: a function for each action name; it returns false if it did nothing. */
function uses() {
  return { tab: (key) => app.go(TABS[key.at(-1) - 1]), help, ...shown?.uses() };
}

function help() {
  openHelp(shown?.title ?? "This tab", Object.keys(uses()));
}

function startTools() {
  const themeButton = button({ label: "", compact: true, kind: "quiet", onclick: () => theme.next() });
  const showTheme = () => {
    const text = `Theme: ${theme.choice}`;
    clear(themeButton, icon(THEME_ICONS[theme.choice]));
    themeButton.title = `${text}. Click to change`;
    themeButton.setAttribute("aria-label", `${text}. Change`);
  };
  theme.onChange(showTheme);
  showTheme();
  clear(document.getElementById("top-tools"), themeButton, button({ label: "Help", icon: "help", action: "help", compact: true, kind: "quiet", onclick: help }));
}

async function start() {
  const boot = document.getElementById("boot");
  const asking = askAbout();
  preload(routeOrStart().tab);
  try {
    app.about = await asking;
  } catch (error) {
    clear(boot, notice(error.message, { retry: start }));
    return;
  }
  tellReady();
  boot.hidden = true;
  document.getElementById("foot").append(h("span", {}, `Gem Hunter ${app.about.version ?? ""}`));
  const { tab, params } = routeOrStart();
  if (readRoute().tab === null) history.replaceState(null, "", `#${tab}`);
  await showTab(tab, params);
}

startTheme();
startTools();
startNavigation();
startKeys();
start();

// The help dialog: what the page does, and its keys.

const INTRODUCTION =
  "A clue says how many of the up to eight cells around it are traps. All other hidden cells are gems. " +
  "The tabs analyse a board, explain it step by step, let you play, compare engines, and make new puzzles.";
const CELLS = "Keys that act on a cell act on the one under the pointer, or at the cursor if the keyboard was used last.";
/** Keys that work in every tab. */
const GENERAL = ["leave", "tab", "help"];

let opened = null;

/** Open the help, with the actions that the tab offers now. @param {string} title @param {string[]} offered names of actions */
function openHelp(title, offered) {
  if (opened) return;
  const keys = keyRows(ACTIONS, offered.filter((name) => !GENERAL.includes(name)));
  opened = openDialog({ title: "Help", wide: true, onClose: () => (opened = null) },
    h("p", {}, INTRODUCTION), h("p", { class: "quiet" }, CELLS),
    h("div", { class: "help-columns" }, keys.length > 0 && keyList(title, keys), keyList("On a board", keyRows(BOARD_ACTIONS)), keyList("Everywhere", keyRows(ACTIONS, GENERAL))));
}

function keyList(title, keys) {
  return h("section", {}, h("h3", {}, title), h("dl", { class: "keys" }, keys.map(([key, text]) => h("div", {}, h("dt", {}, keysOf(key)), h("dd", {}, text)))));
}

function keysOf(text) {
  return text.split(/(, | … )/).map((part, at) => (at % 2 ? part : h("kbd", {}, part)));
}
