// Words and numbers as every tab writes them: counts, percentages, lists, sentences.

/** "1 cell", "7 cells", "1,234 cells". @param {number|string} count a number or its digits @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(String(count))} ${String(count) === "1" ? one : many}`;
}

/** Digits in groups of three: "1,234". @param {string} digits */
export function grouped(digits) {
  return digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** A probability as text: "33.3 %"; only a certain one is 0 % or 100 %. @param {number} probability */
export function percent(probability) {
  const value = probability * 100;
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.1) return "under 0.1 %";
  if (value > 99.9) return "over 99.9 %";
  return `${Number(value.toFixed(1))} %`;
}

/** "a, b and c". @param {string[]} parts @param {string} [word] the word before the last part */
export function listed(parts, word = "and") {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

/** The names of cells in a text. @param {string|null|undefined} text @returns {string[]} */
export function cellsIn(text) {
  return text?.match(/r\d+c\d+/g) ?? [];
}

/** The first letter in upper case, unless the text begins with the name of a cell or a variable. @param {string} text */
export function capital(text) {
  return /^(r\d+c|x)\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence: upper case at the front, a full stop at the end. @param {string} text */
export function sentence(text) {
  return `${capital(text.trim())}${/[.!?…]$/.test(text.trim()) ? "" : "."}`;
}
