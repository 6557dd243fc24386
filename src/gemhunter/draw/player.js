"use strict";
{
  const story = JSON.parse(document.getElementById("story").textContent);
  const find = (name) => document.getElementById(name);
  const [board, decided, current] = ["board", "decided", "current"].map(find);
  const [first, back, play, next, last] = ["first", "back", "play", "next", "last"].map(find);
  const [slider, speed, whole] = ["slider", "speed", "whole"].map(find);
  const end = story.scenes.length - 1;
  const stillness = matchMedia("(prefers-reduced-motion: reduce)");
  let shown = 0;
  let timer = 0;

  // The marks come ready-made: each is a piece of SVG for a cell whose corner is at 0, 0.
  const mark = (kind, index, level) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    const [x, y] = [index % story.cols, Math.floor(index / story.cols)];
    group.setAttribute("transform", `translate(${x * story.side} ${y * story.side})`);
    group.innerHTML = story.marks[kind];
    if (level) group.insertAdjacentHTML("beforeend", `<text class="level" x="2" y="10">${Number(level)}</text>`);
    return group;
  };

  // Cells with a value show its decision level in their corner, unless that is 0.
  const VALUES = ["traps", "gems", "decidedTraps", "decidedGems"];
  const levelOf = (index) => {
    for (let number = shown; number >= 0; number -= 1) {
      const scene = story.scenes[number];
      if (VALUES.some((name) => scene[name]?.includes(index))) return scene.level;
      if (scene.undone?.includes(index)) return 0;
    }
    return 0;
  };

  const marks = (kinds, scene) =>
    kinds.flatMap(([name, kind]) =>
      (scene[name] ?? []).map((index) => {
        if (kind === "clue") return mark(kind, index, levelOf(index));
        return mark(kind, index, VALUES.includes(name) ? scene.level : 0);
      }),
    );

  const DECIDED = [
    ["undone", "hidden"],
    ["traps", "trap"],
    ["gems", "gem"],
    ["decidedTraps", "decided-trap"],
    ["decidedGems", "decided-gem"],
  ];
  const CURRENT = [
    ["undone", "undone"],
    ["traps", "new-trap"],
    ["gems", "new-gem"],
    ["decidedTraps", "new-decided-trap"],
    ["decidedGems", "new-decided-gem"],
    ["unsure", "unsure"],
    ["clues", "clue"],
    ["broken", "broken"],
  ];

  const decide = (number) => {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.append(...marks(DECIDED, story.scenes[number]));
    decided.append(group);
  };

  // On a board that is larger than its pane, the cells of the scene come into the middle.
  const follow = () => {
    if (!current.childElementCount) return;
    const [pane, box] = [board.getBoundingClientRect(), current.getBoundingClientRect()];
    const isInside =
      box.left >= pane.left && box.right <= pane.right && box.top >= pane.top && box.bottom <= pane.bottom;
    if (isInside) return;
    board.scrollBy({
      left: box.left + box.width / 2 - pane.left - pane.width / 2,
      top: box.top + box.height / 2 - pane.top - pane.height / 2,
      behavior: stillness.matches ? "instant" : "smooth",
    });
  };

  const write = (scene) => {
    find("heading").textContent = scene.heading;
    find("sentence").textContent = scene.sentence;
    find("thoughts").replaceChildren(
      ...(scene.thoughts ?? []).map(([depth, sentence]) => {
        const item = document.createElement("li");
        item.style.marginLeft = `${1.2 * depth}rem`;
        item.textContent = sentence;
        return item;
      }),
    );
  };

  const show = (number) => {
    shown = Math.min(Math.max(number, 0), end);
    while (decided.childElementCount > shown) decided.lastElementChild.remove();
    while (decided.childElementCount < shown) decide(decided.childElementCount);
    const scene = story.scenes[shown];
    current.replaceChildren(...marks(CURRENT, scene));
    write(scene);
    slider.value = shown;
    slider.setAttribute("aria-valuetext", scene.heading);
    first.disabled = back.disabled = shown === 0;
    next.disabled = last.disabled = shown === end;
    follow();
  };

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    play.textContent = "Play";
  };

  // A sentence stands for as long as it takes to read it.
  const wait = () => {
    const letters = story.scenes[shown].sentence.length;
    timer = setTimeout(() => {
      show(shown + 1);
      if (shown === end) stop();
      else wait();
    }, (800 + 30 * letters) / Number(speed.value));
  };

  const toggle = () => {
    if (timer) return stop();
    if (shown === end) show(0);
    play.textContent = "Pause";
    wait();
  };

  const go = (number) => {
    stop();
    show(number);
  };

  first.addEventListener("click", () => go(0));
  back.addEventListener("click", () => go(shown - 1));
  next.addEventListener("click", () => go(shown + 1));
  last.addEventListener("click", () => go(end));
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => go(Number(slider.value)));
  speed.addEventListener("change", () => {
    if (!timer) return;
    clearTimeout(timer);
    wait();
  });
  whole.addEventListener("change", () => {
    board.classList.toggle("whole", whole.checked);
    follow();
  });

  // The choice between a part of the board and all of it is there only if the board is too large.
  const fit = () => {
    const isAll = board.scrollWidth <= board.clientWidth && board.scrollHeight <= board.clientHeight;
    whole.parentElement.hidden = isAll && !whole.checked;
  };
  addEventListener("resize", fit);

  const KEYS = {
    ArrowRight: () => go(shown + 1),
    ArrowLeft: () => go(shown - 1),
    Home: () => go(0),
    End: () => go(end),
    " ": toggle,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select")) return;
    const action = KEYS[event.key];
    if (!action || (event.key === " " && event.target.closest("button, input[type=checkbox]"))) return;
    event.preventDefault();
    action();
  });

  fit();
  show(0);
}
