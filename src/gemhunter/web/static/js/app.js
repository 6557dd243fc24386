// Boot of the page: the five tabs, their routes, the theme button and the help.
import { about as askAbout, ask } from "./api.js";
import { announce, clear, h, isTyping, on } from "./dom.js";
import { Grid } from "./grid.js";
import { openHelp } from "./help.js";
import { icon } from "./icons.js";
import { flushRoute, paramsOf, pushRoute, readRoute, remember } from "./route.js";
import { load, save } from "./store.js";
import { startTheme, theme } from "./theme.js";
import { button, notice } from "./widgets.js";

const TABS = ["analyse", "understand", "play", "compare", "make"];
const THEME_ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @type {Map<string, Promise<any>>} modules of tabs, mounted */
const mounted = new Map();
let current = null;
let turn = 0;
let tellReady = () => {};
/** Settles when the server has said what it offers; no tab is mounted before. */
const ready = new Promise((resolve) => (tellReady = resolve));

const app = {
  about: null,
  theme,
  announce,
  /** Show a tab with parameters, as a new entry of the history. @param {string} tab @param {Record<string, any>} [params] */
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
    const listed = app.about.samples.find((sample) => sample.name === name);
    const { grid, traps } = await ask("read", { sample: name, ...(listed?.zero ? { zero: listed.zero } : {}) });
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
  remember(tab, params);
  markCurrent(tab);
  const module = await moduleOf(tab);
  if (mine !== turn || !module) return;
  await module.show(params);
}

function markCurrent(tab) {
  for (const each of TABS) sectionOf(each).hidden = each !== tab;
  const name = sectionOf(tab).getAttribute("aria-label");
  document.getElementById("heading").textContent = name;
  document.title = `${name} – Gem Hunter`;
  for (const link of document.querySelectorAll(".tabs a")) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function moduleOf(tab) {
  if (!mounted.has(tab)) mounted.set(tab, mountTab(tab));
  return mounted.get(tab);
}

async function mountTab(tab) {
  const root = sectionOf(tab);
  try {
    const { default: module } = await import(`./${tab}/tab.js`);
    await module.mount(root, app);
    return module;
  } catch (error) {
    console.error(error);
    clear(root, h("div", { class: "page" }, notice(`This tab could not be loaded: ${error.message}. Reload the page to try again.`)));
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
    (sectionOf(current)?.querySelector("[role=grid]") ?? document.getElementById("main")).focus();
  });
  on(window, "popstate", () => {
    const { tab, params } = routeOrStart();
    showTab(tab, params);
  });
  on(window, "pagehide", storeRoute);
  on(document, "visibilitychange", () => document.hidden && storeRoute());
  for (const link of document.querySelectorAll(".tabs a")) link.prepend(icon(link.dataset.tab));
}

function startKeys() {
  on(document, "keydown", async (event) => {
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const digit = /^Digit([1-5])$/.exec(event.code)?.[1];
    if (event.key === "?") help();
    // Layouts that need Shift for digits keep their digits.
    else if (digit && event.shiftKey && !/\d/.test(event.key)) app.go(TABS[digit - 1]);
    else return;
    event.preventDefault();
  });
}

async function help() {
  const module = await mounted.get(current);
  openHelp(module?.title ?? "This tab", module?.keys ?? []);
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
  clear(document.getElementById("top-tools"), themeButton, button({ label: "Help", icon: "help", key: "?", compact: true, kind: "quiet", onclick: help }));
}

async function start() {
  const boot = document.getElementById("boot");
  try {
    app.about = await askAbout();
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
