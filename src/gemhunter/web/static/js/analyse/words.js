// Numbers as texts: large counts shortened, risks as percentages.
import { grouped } from "../words.js";

const LONGEST_COUNT = 12;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A count; if it has many digits, only the first three and the power of ten: "1.07 × 10³²". @param {string} digits */
export function shortened(digits) {
  if (digits.length <= LONGEST_COUNT) return grouped(digits);
  const power = [...String(digits.length - 1)].map((digit) => RAISED[Number(digit)]).join("");
  return `${digits[0]}.${digits.slice(1, 3)}\u00a0×\u00a010${power}`;
}

/** A risk as text: "33.3 %"; only a certain one is 0 % or 100 %. @param {number} risk */
export function percent(risk) {
  const value = risk * 100;
  if (value === 0 || value === 100) return `${value} %`;
  if (value < 0.1) return "under 0.1 %";
  if (value > 99.9) return "over 99.9 %";
  return `${Number(value.toFixed(1))} %`;
}
