// What this browser remembers: localStorage with versions, safe when storage is blocked or full.

const PREFIX = "gemhunter.";

/** A stored value, or the fallback if there is none of this version. @param {string} key @param {number} version @param {any} fallback */
export function load(key, version, fallback = null) {
  try {
    const stored = JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    return stored?.version === version ? stored.value : fallback;
  } catch {
    return fallback;
  }
}

/** Store a value; false if the browser refuses. @param {string} key @param {number} version @param {any} value */
export function save(key, version, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify({ version, value }));
    return true;
  } catch {
    return false;
  }
}
