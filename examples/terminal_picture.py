"""Draws docs/play.svg: a game in the terminal, driven from a program by its own hints.

python examples/terminal_picture.py docs/play.svg
"""

import asyncio
import sys
from pathlib import Path

from textual.pilot import Pilot

from gemhunter.core.grid import TRAP
from gemhunter.core.moves import Action, Move, Replay
from gemhunter.play.agents.player import Player
from gemhunter.play.game import new_game
from gemhunter.play.risks import know
from gemhunter.queries.hint import CONCLUSION_RUNG
from gemhunter.terminal.game_app import GameApp
from gemhunter.terminal.sitting import Setting

GAME, HINTS, SECONDS = "16x30n99#42:opening", 60, 97.0


def nobody(seed: int) -> Player:
    raise NotImplementedError(f"no agent is asked for, nor for its seed {seed}")


def nowhere(replay: Replay) -> Path:
    raise NotImplementedError(f"{replay} is not kept")


async def draw() -> str:
    now = [0.0]
    app = GameApp(new_game(GAME), Setting("expert", nobody, nowhere, clock=lambda: now[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        for _ in range(HINTS):
            await ask(app, pilot)
            is_trap = app.climb is not None and app.climb.decided[app.cursor] == TRAP
            await pilot.press("f" if is_trap else "space")
        for trap in know(app.game.view).traps():
            if not app.game.flags[trap]:
                app.play(Move(Action.FLAG, trap))
        now[0] = SECONDS
        await ask(app, pilot)
        await pilot.pause(0.5)
        return app.export_screenshot()


async def ask(app: GameApp, pilot: Pilot[None]) -> None:
    """Ask for a hint, up to its conclusion."""
    for _ in range(CONCLUSION_RUNG):
        await pilot.press("question_mark")
        while app.tasks.is_busy():
            await asyncio.sleep(0.01)
            await pilot.pause()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
