// Words and numbers as every tab writes them: counts, lists, sentences.

/** "1 cell", "7 cells", "1,234 cells". @param {number|string} count a number or its digits @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${grouped(String(count))} ${String(count) === "1" ? one : many}`;
}

/** Digits in groups of three: "1,234". @param {string} digits */
export function grouped(digits) {
  return digits.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "a, b and c". @param {string[]} parts @param {string} [word] the word before the last part */
export function listed(parts, word = "and") {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

/** The first letter in upper case, unless the text begins with the name of a cell or a variable. @param {string} text */
export function capital(text) {
  return /^(r\d+c|x)\d/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence: upper case at the front, a full stop at the end. @param {string} text */
export function sentence(text) {
  return `${capital(text.trim())}${/[.!?…]$/.test(text.trim()) ? "" : "."}`;
}
