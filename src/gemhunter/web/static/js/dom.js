// Small helpers for the document: build elements, listen, announce, save files, copy text.

/** @typedef {Node|string|number|null|undefined|false|Child[]} Child */

/**
 * Build an element. Properties: `class`, `dataset`, `onclick`-like listeners, `aria-…` and other attributes; true sets a
 * boolean attribute, false leaves it out; null and undefined are skipped.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag @param {Record<string, any>} [props] @param {...Child} children @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) setProperty(element, name, value);
  append(element, children);
  return element;
}

function setProperty(element, name, value) {
  if (value === null || value === undefined) return;
  if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name === "value" || name === "checked" || name === "selected") element[name] = value;
  else if (typeof value === "boolean" && !name.startsWith("aria-")) element.toggleAttribute(name, value);
  else element.setAttribute(name, String(value));
}

/** Append children, flattening lists and skipping null and false. @param {Element} parent @param {Child[]} children */
export function append(parent, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(parent, child);
    else if (child !== null && child !== undefined && child !== false) parent.append(child instanceof Node ? child : String(child));
  }
}

/** Build an SVG element. @param {string} tag @param {Record<string, any>} attributes @param {...Node} children */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Listen, and return a function that stops listening.
 * @param {EventTarget} target @param {string} type @param {(event: any) => void} listener @param {any} [options]
 */
export function on(target, type, listener, options) {
  target.addEventListener(type, listener, options);
  return () => target.removeEventListener(type, listener, options);
}

/** Remove all children and put others in their place. @param {Element} element @param {...Child} children */
export function clear(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Have a screen reader say a text once. @param {string} text */
export function announce(text) {
  const live = document.getElementById("live");
  if (!live) return;
  // Screen readers ignore a repeated text, so a no-break space makes it differ.
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Save a blob as a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copy a text to the clipboard; false if the browser refuses. @param {string} text @returns {Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text) {
  const area = h("textarea", { class: "sr-only", value: text, readonly: true });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

/** True if a key press belongs to a text field, not to the page. @param {EventTarget|null} target */
export function isTyping(target) {
  // The field of a dialog that was just closed keeps the focus until the page is drawn again.
  return target instanceof HTMLElement && target.checkVisibility() && target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]");
}
