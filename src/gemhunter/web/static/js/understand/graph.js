// The implication graph of a conflict, as a picture that can be enlarged.
import { fetchFile, isAbort } from "../api.js";
import { clear, download, h } from "../dom.js";
import { button, notice, openDialog, working } from "../widgets.js";

const ZOOM = 1.3;
/** What the yellow literal is, by the setting `learn`. */
const YELLOW = {
  "first-uip": "the first unique implication point", "last-uip": "the last unique implication point, which is the decision", decisions: "the last decision",
};

/**
 * Open a dialog with the implication graph behind a learned clause.
 * @param {object} body the board, the engine and the seed @param {number} number which learned clause
 * @param {string} words the learned clause @param {keyof typeof YELLOW} scheme how far the conflict was resolved
 */
export function openGraph(body, number, words, scheme) {
  const control = new AbortController();
  let url = "";
  const host = h("div", { class: "understand-graph", tabindex: "0", role: "group", "aria-label": "Implication graph" }, working("Drawing the graph…"));
  const tools = h("div", { class: "row" });
  openDialog({ title: `Implication graph of conflict ${number}`, wide: true, onClose: () => {
    control.abort();
    if (url) URL.revokeObjectURL(url);
  } }, h("p", {}, h("b", {}, "Learned: "), words), tools, host,
  h("p", { class: "quiet" }, `Each literal follows from those with an arrow to it; @ is its decision level. Everything to the right of the dashed
    cut follows from the yellow literal (${YELLOW[scheme]}) and the grey ones.`));
  const show = async () => {
    try {
      const { blob } = await fetchFile("trace-graph", { ...body, conflict: number }, { signal: control.signal });
      url = URL.createObjectURL(blob);
      showPicture(host, tools, { url, blob, name: `conflict-${number}.svg` });
    } catch (error) {
      if (!isAbort(error)) clear(host, notice(error.message, error.code === "offline" ? { retry: show } : {}));
    }
  };
  show();
}

function showPicture(host, tools, { url, blob, name }) {
  const picture = h("img", { src: url, alt: "Implication graph: literals as boxes, arrows from reasons to what they imply, ending in the conflict" });
  let zoom = 1;
  const resize = (next) => {
    zoom = Math.max(0.2, Math.min(8, next));
    picture.style.width = `${Math.round(picture.naturalWidth * zoom)}px`;
  };
  const fit = () => {
    const { maxHeight, paddingLeft } = getComputedStyle(host);
    const padding = 2 * parseFloat(paddingLeft);
    const [width, height] = [host.clientWidth - padding, parseFloat(maxHeight) - padding - 2];
    resize(Math.min(1.5, width / picture.naturalWidth, height / picture.naturalHeight));
  };
  picture.addEventListener("load", fit);
  clear(tools,
    button({ label: "Smaller", icon: "minus", compact: true, onclick: () => resize(zoom / ZOOM) }),
    button({ label: "Fit the picture", icon: "fit", compact: true, onclick: fit }),
    button({ label: "Larger", icon: "plus", compact: true, onclick: () => resize(zoom * ZOOM) }),
    button({ label: "Save as SVG", icon: "download", onclick: () => download(blob, name) }));
  clear(host, picture);
}
