"""A game on the screen while an agent plays it."""

import shutil
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from gemhunter.cli.board_text import seen_text
from gemhunter.cli.terminals import moves_cursor

if TYPE_CHECKING:
    from rich.live import Live

    from gemhunter.play.game import Game

LINES_AROUND = 5
"""Of the screen: a heading, two lines of column numbers, a line about the game, and the one below."""


class LiveGame:
    """Draws a game in the same place again and again, if that is `wanted` and the terminal allows it.

    `pace` is how many seconds each position stands.
    """

    def __init__(self, game: "Game", heading: str, pace: float, *, wanted: bool) -> None:
        self.heading, self._pace = heading, pace
        fits = game.level.rows + LINES_AROUND <= shutil.get_terminal_size().lines
        self.shows = wanted and fits and sys.stdout.isatty() and moves_cursor()
        self._open = ExitStack()
        self._live: Live | None = None

    def __enter__(self) -> Self:
        if self.shows:
            from rich.console import Console
            from rich.live import Live

            console = Console(highlight=False)
            self._live = self._open.enter_context(Live(console=console, auto_refresh=False, transient=True))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def draw(self, game: "Game", about: str) -> None:
        """Show a position, with a line below it."""
        if self._live is None:
            return
        from rich.text import Text

        text = f"{self.heading}\n{seen_text(game)}\n{about}"
        self._live.update(Text.from_ansi(text, no_wrap=True, overflow="ellipsis"), refresh=True)
        time.sleep(self._pace)
