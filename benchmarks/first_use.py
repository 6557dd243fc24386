"""Processor seconds of whole commands on a fresh machine: the first time, the second, and after `warmup`.

Each command begins with an empty cache of compiled kernels and is run twice with it. In the last column the
cache has every kernel. Rows of `play` are single keys, without the start of the program. The row of Compare
has seconds on the clock from a click to the first result, on a server that has started.

python benchmarks/first_use.py [--only TEXT] [--no-warmup]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

from boards import random_board, random_board_with_total
from gemhunter import new_game, new_player, play_game
from gemhunter.files.minesweeper import write_mine
from timing import cpu_seconds_of_command, output_of_command, print_table

BOARDS = Path(__file__).parents[1] / "src" / "gemhunter" / "sample_boards"
PROGRAM = [sys.executable, "-c", "from gemhunter.cli.main import main; main()"]
TRACED = ("backtracking", "dpll", "cdcl", "resolution")
COMPARED = ("pysat:glucose4", "cdcl", "dpll", "backtracking", "brute-force")
ENGINES = ("auto", "brute-force", *TRACED, "genetic", "local-search", "tables")

PLAY = """
import asyncio, json, time
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import new_game
from gemhunter.terminal.game_app import GameApp
from gemhunter.terminal.session import Setting

async def play():
    setting = Setting("expert", lambda seed: new_player("expert", seed=seed), lambda replay: None)
    app, seconds = GameApp(new_game("expert#3"), setting), {}
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for key, name in [("space", "reveal"), ("question_mark", "hint"), ("p", "risks"), ("a", "agent")]:
            began = time.process_time()
            await pilot.press(key)
            while app.tasks.is_busy():
                await asyncio.sleep(0.01)
            await pilot.pause()
            seconds[f"play expert: first {name}"] = time.process_time() - began
    print(json.dumps(seconds))

asyncio.run(play())
"""
"""Four keys of a game, in a terminal that is not there."""


def commands(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """What people do first, and the words they type."""
    boards = {name: str(BOARDS / f"board-{name}.txt") for name in ("9x9", "11x11", "20x20")}
    position = random_board_with_total(16, seed=1)
    for name, grid in [("16x16", position.grid), ("1000x1000", random_board(1000).grid)]:
        boards[name] = str(folder / f"{name}.txt")
        Path(boards[name]).write_text(str(grid), encoding="utf-8")
    yield "gemhunter", []
    for name in ("20x20", "1000x1000"):
        yield f"solve {name}", ["solve", boards[name]]
    for engine in ENGINES:
        yield f"solve 9x9 -e {engine}", ["solve", boards["9x9"], "-e", engine]
    for engine in TRACED:
        yield f"trace 9x9 -e {engine}", ["trace", boards["9x9"], "-e", engine]
    for name in ("9x9", "11x11", "16x16"):
        yield f"analyse {name}", ["analyse", boards[name]]
    yield "analyse 16x16 --traps N", ["analyse", boards["16x16"], "--traps", str(position.total)]
    guess = str(folder / "guess.mine")
    Path(guess).write_text(position_of_a_guess(), encoding="utf-8")
    yield "hint 16x30 with 99 traps", ["hint", guess]
    for game, agent in [("easy#1", "expert"), ("easy#1", "resolution"), ("16x30n99#5", "expert")]:
        yield f"watch {game} -a {agent}", ["watch", game, "-a", agent]
    for games in (3, 100, 1000):
        yield f"experiment winrate --games {games}", ["experiment", "winrate", "--games", str(games)]
    tutorial = [word for engine in COMPARED for word in ("-e", engine)]
    three = [str(BOARDS / f"board-{name}.txt") for name in ("5x5", "9x9", "11x11")]
    yield "bench of the tutorial", ["bench", *three, *tutorial, "--runs", "5", "--time-limit", "10"]


def position_of_a_guess() -> str:
    """A position in the middle of an Expert game in which nothing is certain, as a .mine text."""
    game, player = new_game("expert#4"), new_player("expert")
    turns = [*play_game(game, player)]
    before = [game, *(turn.game for turn in turns)]
    guesses = [start for start, turn in zip(before, turns, strict=False) if turn.is_guess]
    return write_mine(guesses[len(guesses) // 2].position)


def seconds_of_command(words: list[str], cache: Path) -> float:
    """Processor seconds of one command with such a cache of compiled kernels."""
    return cpu_seconds_of_command([*PROGRAM, *words], _environment(cache))


def seconds_of_keys(cache: Path) -> dict[str, float]:
    """Processor seconds of the first keys of a game."""
    seconds: dict[str, float] = json.loads(
        output_of_command([sys.executable, "-c", PLAY], _environment(cache))
    )
    return seconds


def seconds_to_first_result(cache: Path) -> float:
    """Seconds on the clock from the request of a comparison to its first run."""
    command = [*PROGRAM, "web", "--no-browser", "--port", "0"]
    board = (BOARDS / "board-9x9.txt").read_text(encoding="utf-8").replace(", ", "").split()
    asked = {"boards": [{"name": "9x9", "grid": board}], "runs": 3, "seconds": 5}
    with subprocess.Popen(
        command, env={**os.environ, **_environment(cache)}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().split()[-1]
        seconds = 0.0
        for engines in (["pysat"], COMPARED):  # the first comparison waits until the server has started
            request = Request(
                f"{address}api/v1/compare",
                json.dumps({**asked, "engines": engines}).encode(),
                {"content-type": "application/json", "accept": "text/event-stream"},
            )
            began = time.monotonic()
            with urlopen(request) as answer:
                next(line for line in answer if line == b"event: item\n")
                seconds = time.monotonic() - began
        process.terminate()
    return seconds


def _environment(cache: Path) -> dict[str, str]:
    return {"NUMBA_CACHE_DIR": str(cache), "GEMHUNTER_COMPILE": "auto"}


def measure(folder: Path, options: argparse.Namespace) -> Iterator[list[str]]:
    """A row for each command, then one for each key."""
    warm = folder / "warm"
    if options.warmup:
        yield _row("warmup", [seconds_of_command(["warmup"], warm) for _ in range(2)])
    for number, (name, words) in enumerate(commands(folder)):
        if options.only in name:
            cold = folder / str(number)
            caches = [cold, cold, warm] if options.warmup else [cold, cold]
            yield _row(name, [seconds_of_command(words, cache) for cache in caches])
    if options.only in "Compare: first result":
        cold = folder / "compare"
        caches = [cold, cold, warm] if options.warmup else [cold, cold]
        yield _row("Compare: first result", [seconds_to_first_result(cache) for cache in caches])
    if options.only in "play expert":
        cold = folder / "play"
        keys = [seconds_of_keys(cache) for cache in ([cold, cold, warm] if options.warmup else [cold, cold])]
        for name in keys[0]:
            yield _row(name, [each[name] for each in keys])


def _row(name: str, seconds: list[float]) -> list[str]:
    return [name, *(f"{each:.2f}" for each in seconds), *[""] * (3 - len(seconds))]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="only commands with this text in them")
    parser.add_argument("--no-warmup", dest="warmup", action="store_false", help="leave the last column out")
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(Path(folder), parser.parse_args()))
    print_table(["command", "first use", "second use", "after warmup"], rows)


if __name__ == "__main__":
    main()
