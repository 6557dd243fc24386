// URL state: the tab and its parameters in location.hash, such as #analyse?b=3x4~3a2c.
import { load } from "./store.js";

const DELAY_MS = 250;

/** @typedef {{tab: string|null, params: Record<string, string>}} Route */

/** @type {Map<string, Record<string, string>>} the last parameters of each tab */
const latest = new Map();
let timer = 0;
/** @type {Route|null} */
let waiting = null;

/** The route of a hash. @param {string} [hash] @returns {Route} */
export function readRoute(hash = location.hash) {
  const [tab, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { tab: tab || null, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** The hash of a route. Parameters that are null or empty are left out. @param {string} tab @param {Record<string, any>} params */
export function formatRoute(tab, params = {}) {
  const parts = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `#${tab}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** The whole address of a route, to copy. @param {string} tab @param {Record<string, any>} params */
export function linkTo(tab, params) {
  return location.href.replace(/#.*$/s, "") + formatRoute(tab, params);
}

/** Add a history entry for a route, unless it is the current one. @param {string} tab @param {Record<string, any>} params */
export function pushRoute(tab, params = {}) {
  flushRoute();
  remember(tab, params);
  const hash = formatRoute(tab, params);
  if (hash !== location.hash) history.pushState(null, "", hash);
}

/**
 * After a short pause, put the state of a tab into the URL without adding a history entry. Tabs call this for each edit; `show` is
 * not called again.
 * @param {string} tab @param {Record<string, any>} params
 */
export function replaceRoute(tab, params = {}) {
  remember(tab, params);
  waiting = { tab, params };
  clearTimeout(timer);
  timer = setTimeout(flushRoute, DELAY_MS);
}

/** Write a pending change to the URL now. */
export function flushRoute() {
  clearTimeout(timer);
  if (!waiting) return;
  const { tab, params } = waiting;
  waiting = null;
  const current = readRoute().tab;
  if (current === tab || current === null) history.replaceState(null, "", formatRoute(tab, params));
}

/** Note the parameters of a tab, for the next time it is chosen. @param {string} tab @param {Record<string, any>} params */
export function remember(tab, params) {
  latest.set(tab, params);
}

/** The last parameters of a tab. @param {string} tab */
export function paramsOf(tab) {
  return latest.get(tab) ?? {};
}

/** The code of the board that the tab Analyse shows, or showed at the last visit; null if there is none. @returns {string|null} */
export function boardOfAnalyse() {
  return paramsOf("analyse").b ?? load("analyse.board", 1, null);
}
