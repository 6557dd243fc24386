"""A game in a terminal that is not there: keys and clicks go in, lines of the screen come out."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Replay
from gemhunter.files.minesweeper import parse_mines
from gemhunter.play.game import Game, View, new_game
from gemhunter.play.player import Choice, Player, Stuck
from gemhunter.terminal.game_app import GameApp
from gemhunter.terminal.session import Setting

SOME_SEED = 7


@dataclass
class Script:
    """A player that does what it was told, and remembers what it was shown."""

    choices: Iterable[Choice | Stuck]
    seen: list[View] = field(default_factory=list)

    def choose(self, view: View) -> Choice | Stuck:
        self.seen.append(view)
        return list(self.choices)[len(self.seen) - 1]


@dataclass
class Table:
    """An app while it runs, and what a test does with it."""

    app: Any
    pilot: Pilot[None]

    async def press(self, *keys: str) -> None:
        """Press keys, one after the other has had its effect."""
        for key in keys:
            self.app.simulate_key(key)
            for _ in range(3):  # from the app to the screen, to the board, and back
                await self.pilot.pause(0)
            await self.settle()

    async def click(self, row: int, col: int, button: int = 1) -> None:
        """Click on a cell, counted from 0."""
        board = self.app.board
        above, left = board.margins
        place = (
            left + col * board.cell_width + 1 - board.scroll_offset.x,
            above + row - board.scroll_offset.y,
        )
        await self.pilot.click(board, place, button=button)
        await self.settle()

    async def settle(self) -> None:
        """Wait until nothing is thought about, and what came of it is drawn."""
        if self.app.tasks.is_busy():
            while self.app.tasks.is_busy():
                await asyncio.sleep(0.005)
            await self.pilot.pause()

    def go(self, row: int, col: int) -> None:
        """Put the cursor on a cell, counted from 0."""
        self.app.point(Cell(row, col))

    def screen(self) -> str:
        """Everything that is to be seen, as text."""
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips()
        assert len(strips) == height
        return "\n".join(strip.text.ljust(width) for strip in strips)

    def rows(self) -> list[str]:
        """The visible rows of the board, without numbers."""
        board = self.app.board
        above, left = board.margins
        return [board.render_line(y).text[left:] for y in range(above, board.size.height)]


def mines(text: str) -> Board:
    """A board from a mine map."""
    return Board(parse_mines(text))


def opened(text: str, *cols: int) -> Game:
    """A game on one row with these cells revealed, counted from 1."""
    game = new_game(mines(text))
    for col in cols:
        game = game.reveal(Cell(0, col - 1))
    return game


SAFE_BESIDE_A_GUESS = opened("*..*..*.", 2, 6, 8)
"""r1c5 cannot be a trap; of r1c1 and r1c3 one is."""

GUESSES = opened("*....*..", 2)
"""Of r1c1 and r1c3 one is a trap, and one of the five cells from r1c4 on."""


def at_table(
    game: Game | Board | str,
    script: Callable[[Table], Awaitable[None]],
    *,
    size: tuple[int, int] = (80, 24),
    player: Player | None = None,
    **setting: Any,
) -> GameApp:
    """Let a script play; the app as it was left."""

    def not_saved(replay: Replay) -> Path:
        raise AssertionError(f"nobody asked to save {replay}")

    given = {"save": not_saved, "seeds": lambda: SOME_SEED, "agent": "script"}
    given["new_player"] = lambda _: player or Script([])
    start = game if isinstance(game, Game) else new_game(game)
    app = GameApp(start, Setting(**{**given, **setting}))

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            table = Table(app, pilot)
            await table.settle()
            await script(table)

    asyncio.run(run())
    return app
