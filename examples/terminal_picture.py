"""Draws docs/play.svg: a game in the terminal, driven from a program by its own hints.

python examples/terminal_picture.py docs/play.svg
"""

import asyncio
import sys
from pathlib import Path

from textual.pilot import Pilot

from gemhunter.board.grid import TRAP
from gemhunter.board.position import Replay
from gemhunter.explanation.hint import CONCLUSION_RUNG
from gemhunter.play.game import new_game
from gemhunter.play.player import Player
from gemhunter.terminal.game_app import GameApp
from gemhunter.terminal.messages import ShownHintLadder
from gemhunter.terminal.session import Setting

GAME, MOVES, SECONDS = "16x30n99#42:opening", 60, 97.0


def nobody(seed: int) -> Player:
    raise NotImplementedError(f"no agent is asked for, nor for its seed {seed}")


def nowhere(replay: Replay) -> Path:
    raise NotImplementedError(f"{replay} is not kept")


async def draw() -> str:
    now = [0.0]
    app = GameApp(new_game(GAME), Setting("expert", nobody, nowhere, clock=lambda: now[0]))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("space")
        await ask(app, pilot)
        while not (len(app.game.moves) >= MOVES and shows_two_clues(app.hint_ladder)):
            is_trap = app.hint_ladder is not None and app.hint_ladder.decided[app.cursor] == TRAP
            await pilot.press("f" if is_trap else "space")
            await ask(app, pilot)
        now[0] = SECONDS
        await pilot.pause(0.5)
        return app.export_screenshot()


def shows_two_clues(hint_ladder: ShownHintLadder | None) -> bool:
    """Whether a hint shows a gem that two clues decide together."""
    return hint_ladder is not None and len(hint_ladder.step.clues) == 2 and bool(hint_ladder.step.gems)


async def ask(app: GameApp, pilot: Pilot[None]) -> None:
    """Ask for a hint, up to its conclusion."""
    for _ in range(CONCLUSION_RUNG):
        await pilot.press("question_mark")
        while app.tasks.is_busy():
            await asyncio.sleep(0.01)
            await pilot.pause()


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(asyncio.run(draw()), encoding="utf-8")
