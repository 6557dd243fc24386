// Reactive values: when one changes, every effect that reads it runs again.

/** The effect that is running, which follows every signal it reads. @type {(() => void)|null} */
let current = null;

/** A value. Setting `value` runs every effect that has read it, at once. @template T @param {T} value @returns {{value: T}} */
export function signal(value) {
  /** @type {Set<() => void>} */
  const followers = new Set();
  return {
    get value() {
      if (current) followers.add(current);
      return value;
    },
    set value(next) {
      if (next === value) return;
      value = next;
      for (const follower of [...followers]) follower();
    },
  };
}

/** Do something now, and again whenever a signal that it has read changes. @param {() => void} work */
export function effect(work) {
  const follower = () => {
    const before = current;
    current = follower;
    try {
      work();
    } finally {
      current = before;
    }
  };
  follower();
}
