// Numbers as texts: large counts shortened.
import { grouped } from "../words.js";

const LONGEST_COUNT = 12;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A count; if it has many digits, only the first three and the power of ten: "1.07 × 10³²". @param {string} digits */
export function shortened(digits) {
  if (digits.length <= LONGEST_COUNT) return grouped(digits);
  const power = [...String(digits.length - 1)].map((digit) => RAISED[Number(digit)]).join("");
  return `${digits[0]}.${digits.slice(1, 3)}\u00a0×\u00a010${power}`;
}
