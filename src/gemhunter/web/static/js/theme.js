// The theme of the page: light, dark, or whichever the system uses.
import { on } from "./dom.js";
import { load, save } from "./store.js";

const CHOICES = ["auto", "light", "dark"];
const system = matchMedia("(prefers-color-scheme: dark)");
const followers = new Set();

/** The theme: `choice` is auto, light or dark; `current` is light or dark; `onChange(follower)` returns a function that stops it. */
export const theme = {
  get choice() {
    return document.documentElement.dataset.theme ?? "auto";
  },
  get current() {
    if (this.choice !== "auto") return this.choice;
    return system.matches ? "dark" : "light";
  },
  next() {
    this.set(CHOICES[(CHOICES.indexOf(this.choice) + 1) % CHOICES.length]);
  },
  set(choice) {
    document.documentElement.dataset.theme = choice;
    save("theme", 1, choice);
    tellAll();
  },
  onChange(follower) {
    followers.add(follower);
    return () => followers.delete(follower);
  },
};

function tellAll() {
  followers.forEach((follower) => follower(theme.current));
}

/** Apply the stored choice and follow the system. */
export function startTheme() {
  const stored = load("theme", 1, "auto");
  document.documentElement.dataset.theme = CHOICES.includes(stored) ? stored : "auto";
  on(system, "change", tellAll);
  on(matchMedia("(forced-colors: active)"), "change", tellAll);
}
