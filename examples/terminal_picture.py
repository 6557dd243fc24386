"""Draws docs/play.svg: a game in the terminal, driven from a program by its own hints.

python examples/terminal_picture.py docs/play.svg
"""

import asyncio
import sys
from pathlib import Path

from gemhunter.core.moves import Action, Move, Replay
from gemhunter.play.agents.player import Player
from gemhunter.play.game import new_game
from gemhunter.play.risks import know
from gemhunter.terminal.game_app import GameApp
from gemhunter.terminal.sitting import Setting

GAME, HINTS, SECONDS = "16x30n99#42:opening", 45, 97.0


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
            await settle(app)
            await pilot.press("question_mark")
            await settle(app)
            await pilot.press("f" if "is a trap" in app.message else "space")
        for trap in know(app.game.view).traps():
            app.play(Move(Action.FLAG, trap))
        now[0] = SECONDS
        await pilot.press("question_mark")
        await settle(app)
        await pilot.pause(0.5)
        return app.export_screenshot()


async def settle(app: GameApp) -> None:
    while app.tasks.is_busy():
        await asyncio.sleep(0.01)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
