// Pieces every tab is built from: buttons, segmented controls, fields, cards, menus, dialogs, toasts, notices.
import { whenBack } from "./api.js";
import { append, clear, copyText, h, on } from "./dom.js";
import { icon } from "./icons.js";
import { shortcutOf } from "./keys.js";
import { sentence } from "./words.js";

let lastId = 0;

/** A new id for an element. @param {string} stem */
export function newId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/**
 * A button. `kind`: "primary", "quiet", "danger" or nothing; `compact`: icon only, the label is spoken and shown as a title; `action`: its name in the table of keys.
 * @param {{label: string, icon?: string, action?: string, kind?: string, compact?: boolean, title?: string, disabled?: boolean, onclick?: (event: MouseEvent) => void}} options
 * @returns {HTMLButtonElement}
 */
export function button({ label, icon: name, action, kind, compact, title, disabled, onclick }) {
  const key = action && shortcutOf(action);
  const text = title ?? (key || compact ? label : null);
  return h(
    "button",
    {
      type: "button", class: ["button", kind, compact && "icon-only"].filter(Boolean).join(" "), disabled: disabled ?? false, onclick,
      title: text && key ? `${text} (${key})` : text, "aria-label": compact ? label : null, "aria-keyshortcuts": key && key.length === 1 ? key : null,
    },
    name && icon(name), !compact && h("span", {}, label),
  );
}

/**
 * A choice of one among a few options: radio buttons drawn as one bar. `.value` of the returned element reads and sets the choice.
 * @param {{label: string, options: {value: string, label: string, title?: string, icon?: string}[], value: string, onChange: (value: string) => void, small?: boolean}} options
 * @returns {HTMLDivElement & {value: string}}
 */
export function segmented({ label, options, value, onChange, small }) {
  const name = newId("choice");
  const inputs = options.map((option) =>
    h("input", { type: "radio", name, value: option.value, checked: option.value === value, onchange: () => onChange(option.value) }),
  );
  const bar = h("div", { class: small ? "segmented small" : "segmented", role: "radiogroup", "aria-label": label },
    options.map((option, at) => h("label", { title: option.title }, inputs[at], h("span", {}, option.icon && icon(option.icon), option.label))));
  Object.defineProperty(bar, "value", {
    get: () => inputs.find((input) => input.checked)?.value,
    set: (next) => inputs.forEach((input) => (input.checked = input.value === next)),
  });
  return /** @type {HTMLDivElement & {value: string}} */ (bar);
}

/** A label above a control, with a line of help below. @param {string} label @param {HTMLElement} control @param {string} [help] */
export function field(label, control, help) {
  control.id ||= newId("field");
  const note = help ? h("small", { id: newId("help"), class: "quiet" }, help) : null;
  if (note) control.setAttribute("aria-describedby", note.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, note);
}

/** A check box drawn as a switch. @param {{label: string, checked: boolean, onChange: (checked: boolean) => void, title?: string}} options */
export function toggle({ label, checked, onChange, title }) {
  const input = h("input", { type: "checkbox", role: "switch", checked, onchange: () => onChange(input.checked) });
  return h("label", { class: "switch", title }, input, h("span", {}, label));
}

/** A card. `tools` stand at the right of its title. @param {string|null} title @param {{tools?: any, class?: string}} options @param {...any} children */
export function card(title, options = {}, ...children) {
  const head = title && h("header", { class: "card-head" }, h("h2", {}, title), options.tools && h("div", { class: "card-tools" }, options.tools));
  return h("section", { class: `card ${options.class ?? ""}`.trim(), "aria-label": title }, head, children);
}

/** A word in a small box. @param {string} text @param {"good"|"bad"|"warn"|"info"|"plain"} [kind] */
export function badge(text, kind = "plain") {
  return h("span", { class: `badge ${kind}` }, text);
}

/** A message as nodes: it begins in upper case and ends in a full stop, and what it has in backticks is set as code. @param {string} text @returns {(Node|string)[]} */
export function prose(text) {
  return sentence(text).split(/`([^`]+)`/).map((part, at) => (at % 2 ? h("code", {}, part) : part));
}

/**
 * A one-line message, placed next to what caused it. `retry` adds a button, and is also called when a server that was down is back; with
 * `byHand`, for work that takes minutes, only the button calls it.
 * @param {string} text @param {{kind?: "error"|"warn"|"info", retry?: () => void, byHand?: boolean}} [options]
 */
export function notice(text, { kind = "error", retry, byHand = false } = {}) {
  const line = h("div", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, icon(kind === "info" ? "info" : "warning"), h("span", {}, prose(text)));
  if (retry) line.append(button({ label: "Try again", onclick: retry }));
  if (retry && !byHand) whenBack()?.then(() => line.isConnected && retry());
  return line;
}

/** What a tab shows before it has anything: one sentence and buttons. @param {string} text @param {...HTMLElement} buttons */
export function emptyState(text, ...buttons) {
  return h("div", { class: "empty" }, icon("gem"), h("p", {}, text), h("div", { class: "row" }, buttons));
}

/** A line that says that work is in progress. @param {string} text */
export function working(text = "Working…") {
  return h("div", { class: "working", role: "status" }, h("span", { class: "spinner", "aria-hidden": "true" }), h("span", {}, text));
}

/** Show a message at the bottom of the page for a few seconds. @param {string} text @param {"info"|"error"} [kind] */
export function toast(text, kind = "info") {
  const host = document.getElementById("toasts");
  const line = h("div", { class: `toast ${kind}` }, prose(text));
  host?.append(line);
  setTimeout(() => line.remove(), kind === "error" ? 7000 : 3200);
}

/** Copy a text, and say whether that worked. @param {string} text @param {string} [said] */
export async function copyAndSay(text, said = "Copied") {
  const copied = await copyText(text);
  toast(copied ? said : "The browser does not allow copying; select the text and copy it yourself", copied ? "info" : "error");
}

/** @typedef {{label: string, note?: string, icon?: string, onclick: () => void}|{heading: string}|null} MenuEntry null draws a line */

/**
 * A button that opens a menu. `items()` is called each time.
 * @param {{label: string, icon?: string, compact?: boolean, kind?: string, title?: string, items: () => MenuEntry[]}} options
 */
export function menuButton({ items, ...options }) {
  const opener = button({ ...options });
  if (!options.compact) opener.append(icon("down"));
  opener.setAttribute("aria-haspopup", "menu");
  opener.setAttribute("aria-expanded", "false");
  const menu = h("div", { class: "menu", role: "menu", "aria-label": options.label, popover: "auto" });
  opener.addEventListener("click", () => {
    clear(menu, items().map((item) => menuItem(item, menu)));
    menu.togglePopover();
  });
  on(menu, "toggle", (event) => {
    const isOpen = event.newState === "open";
    opener.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) return;
    placeMenu(menu, opener);
    /** @type {HTMLElement|null} */ (menu.querySelector("[role=menuitem]"))?.focus();
  });
  on(menu, "keydown", (event) => moveInMenu(menu, opener, event));
  return h("span", { class: "menu-host" }, opener, menu);
}

function menuItem(item, menu) {
  if (!item) return h("hr", {});
  if (item.heading) return h("div", { class: "menu-heading", role: "presentation" }, item.heading);
  const choose = () => {
    menu.hidePopover();
    item.onclick();
  };
  return h("button", { type: "button", role: "menuitem", tabindex: "-1", onclick: choose },
    item.icon && icon(item.icon), h("span", {}, item.label), item.note && h("small", {}, item.note));
}

function placeMenu(menu, opener) {
  const from = opener.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = window.innerHeight - from.bottom - 12;
  const top = height <= below || below > from.top ? from.bottom + 4 : Math.max(8, from.top - height - 4);
  // A menu that would overflow on the right is aligned with the right edge of its button.
  const left = from.left + width <= window.innerWidth - 24 ? from.left : from.right - width;
  menu.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  menu.style.top = `${top}px`;
  menu.style.maxHeight = `${Math.max(160, top > from.top ? below : from.top - 12)}px`;
}

function moveInMenu(menu, opener, event) {
  const entries = [...menu.querySelectorAll("[role=menuitem]")];
  const at = entries.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (event.key === "Tab" || event.key === "Escape") {
    menu.hidePopover();
    opener.focus();
    event.preventDefault();
  } else if (to !== undefined) {
    entries.at(to % entries.length)?.focus();
    event.preventDefault();
  } else if (/^[a-z0-9]$/i.test(event.key)) {
    const rest = [...entries.slice(at + 1), ...entries.slice(0, at + 1)];
    rest.find((entry) => entry.textContent.toLowerCase().startsWith(event.key.toLowerCase()))?.focus();
  }
  event.stopPropagation();
}

/**
 * Open a dialog. Escape, its close button, a click outside it and the returned `close` close it.
 * @param {{title: string, wide?: boolean, onClose?: () => void}} options @param {...any} children @returns {{element: HTMLDialogElement, close: () => void}}
 */
export function openDialog({ title, wide, onClose }, ...children) {
  const close = () => element.close();
  const heading = h("h2", { id: newId("title") }, title);
  const element = h("dialog", { class: wide ? "dialog wide" : "dialog", "aria-labelledby": heading.id },
    h("header", { class: "card-head" }, heading, button({ label: "Close", icon: "close", compact: true, kind: "quiet", action: "leave", onclick: close })),
    h("div", { class: "dialog-body" }, children));
  on(element, "pointerdown", (event) => event.target === element && close());
  on(element, "close", () => {
    element.remove();
    onClose?.();
  });
  document.body.append(element);
  element.showModal();
  return { element, close };
}

/** Make a table. `numeric` lists the columns set flush right. @param {string[]} heads @param {any[][]} rows @param {{numeric?: number[], caption?: string}} [options] */
export function table(heads, rows, { numeric = [], caption } = {}) {
  const kind = (at) => (numeric.includes(at) ? "number" : null);
  const body = h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, at) => h("td", { class: kind(at) }, value)))));
  const made = h("table", { class: "table" }, caption && h("caption", {}, caption),
    h("thead", {}, h("tr", {}, heads.map((head, at) => h("th", { scope: "col", class: kind(at) }, head)))), body);
  return h("div", { class: "table-wrap", tabindex: "0", role: "region", "aria-label": caption ?? "table" }, made);
}

/** Rows of a name and a value. @param {import("./dom.js").Child[][]} pairs */
export function facts(pairs) {
  const list = h("dl", { class: "facts" });
  append(list, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  return list;
}

/** Scroll to the results unless they are in view; the scroll margin in the style sheet keeps them clear of the header. @param {HTMLElement} stage */
export function bringIntoView(stage) {
  if (!stage.checkVisibility()) return;
  const { top } = stage.getBoundingClientRect();
  if (top < parseFloat(getComputedStyle(stage).scrollMarginTop) || top > window.innerHeight / 2) stage.scrollIntoView({ block: "start" });
}

/** Say that work has ended while another tab is shown. @param {HTMLElement} stage @param {string} text */
export function sayIfHidden(stage, text) {
  if (!stage.checkVisibility()) toast(text);
}
