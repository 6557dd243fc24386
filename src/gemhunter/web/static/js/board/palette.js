// The colours of the board, read from the style sheet once per theme.
import { h } from "../dom.js";

const TOKENS = {
  stage: "--board-stage", ink: "--ink", quiet: "--quiet", accent: "--accent",
  hidden: "--cell-hidden", hiddenEdge: "--cell-hidden-edge", clue: "--cell-clue",
  trapGround: "--cell-trap", trapInk: "--cell-trap-ink", gemGround: "--cell-gem", gemInk: "--cell-gem-ink",
  decidedTrap: "--cell-decided-trap", decidedGem: "--cell-decided-gem", flag: "--cell-flag", broken: "--cell-broken",
  exploded: "--cell-exploded", outline: "--cell-outline",
};
const CLUES = Array.from({ length: 10 }, (_, clue) => `--clue-${clue}`);
const RISKS = ["--risk-0", "--risk-1", "--risk-2", "--risk-3"];
const SHADES = 100;

/**
 * Read the palette. `clues[n]` is the colour of clue n; `risk[0..100]` and `riskInk` are the background and text colours per percent; `isForced`
 * says that the system chooses the colours. The colours belong to the whole page, so a board can be made before it is put on the page.
 */
export function readPalette() {
  const probe = h("span", { class: "board-probe", hidden: true });
  document.body.append(probe);
  const style = getComputedStyle(probe);
  const read = (token) => {
    probe.style.color = `var(${token})`;
    return style.color;
  };
  const colours = Object.fromEntries(Object.entries(TOKENS).map(([name, token]) => [name, read(token)]));
  const palette = {
    .../** @type {Record<keyof typeof TOKENS, string>} */ (colours),
    clues: CLUES.map(read),
    isForced: matchMedia("(forced-colors: active)").matches,
    font: getComputedStyle(document.body).fontFamily,
    ...shades(RISKS.map(read).map(numbersOf)),
  };
  probe.remove();
  return palette;
}

function numbersOf(colour) {
  const parts = colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  return colour.startsWith("color(") ? parts.map((part) => part * 255) : parts;
}

function shades(stops) {
  const risk = [];
  const riskInk = [];
  for (let percent = 0; percent <= SHADES; percent++) {
    const along = (percent / SHADES) * (stops.length - 1);
    const from = Math.min(Math.floor(along), stops.length - 2);
    const mixed = stops[from].map((part, at) => Math.round(part + (stops[from + 1][at] - part) * (along - from)));
    risk.push(`rgb(${mixed.join(" ")})`);
    riskInk.push(luminance(mixed) > 0.2 ? "#10151d" : "#ffffff");
  }
  return { risk, riskInk };
}

function luminance(parts) {
  const [red, green, blue] = parts.map((part) => (part / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
