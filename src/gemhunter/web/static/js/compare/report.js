// The HTML report about a comparison: measured by the server, then opened in a new tab or saved.
import { isAbort, stream } from "../api.js";
import { clear, download, h } from "../dom.js";
import { button, notice, openDialog } from "../widgets.js";

/**
 * Say how long a report takes, make it if it is wanted, and offer it when it is ready.
 * @param {object} body as for a comparison @param {string} time how long it may take @param {(text: string) => void} announce
 */
export function openReport(body, time, announce) {
  const leaving = new AbortController();
  const host = h("div", { class: "column" });
  const start = button({ label: "Make the report", icon: "print", kind: "primary", onclick: () => measure(host, body, leaving.signal, announce) });
  clear(host, h("p", {}, "The report measures these engines again, and puts tables, charts and explanations on one page."),
    h("p", { class: "quiet" }, time), h("div", { class: "row" }, start));
  openDialog({ title: "HTML report", onClose: () => leaving.abort() }, host);
  start.focus();
}

function measure(host, body, signal, announce) {
  const bar = h("progress", { "aria-label": "Measurements done" });
  const words = h("p", { class: "quiet" }, "Starting…");
  clear(host, bar, words);
  const onItem = ({ done, of, latest }) => {
    Object.assign(bar, { max: of, value: done });
    clear(words, `${done} of ${of}: ${latest}`);
  };
  const onProgress = ({ note }) => note && clear(words, note);
  const ask = async () => {
    try {
      const { html } = await stream("report", body, { signal, onItem, onProgress });
      offer(host, html);
      announce("The report is ready");
    } catch (error) {
      if (!isAbort(error)) clear(host, notice(error.message, error.code === "offline" ? { retry: ask, byHand: true } : {}));
    }
  };
  ask();
}

function offer(host, html) {
  const blob = new Blob([html], { type: "text/html" });
  const open = button({ label: "Open in a new tab", icon: "eye", kind: "primary", onclick: () => openPage(blob) });
  clear(host, h("p", {}, "The report is ready. It is one file that needs no network."),
    h("div", { class: "row" }, open, button({ label: "Download", icon: "download", onclick: () => download(blob, "report.html") })));
  open.focus();
}

/** Show a page in a new tab. @param {Blob} blob */
function openPage(blob) {
  const url = URL.createObjectURL(blob);
  const page = window.open(url, "_blank");
  if (!page) return;
  page.addEventListener("load", () => {
    adoptStyles(page);
    URL.revokeObjectURL(url);
  });
}

/** A page made here inherits the policy that forbids inline styles, so its styles are attached as objects. */
function adoptStyles(page) {
  const sheets = [...page.document.querySelectorAll("style")].map((style) => {
    const sheet = new page.CSSStyleSheet();
    sheet.replaceSync(style.textContent);
    return sheet;
  });
  page.document.adoptedStyleSheets = sheets;
  for (const element of page.document.querySelectorAll("[style]")) element.style.cssText = element.getAttribute("style");
}
