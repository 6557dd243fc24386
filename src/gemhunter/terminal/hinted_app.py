"""Hints on the screen: each press of the key says more, and the board shows what has been said."""

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from gemhunter.core.grid import Cell
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.play.risks import nearest
from gemhunter.queries.hint import HintLadder
from gemhunter.solving.run import Run
from gemhunter.terminal.board_app import AnyPicture, BoardApp
from gemhunter.terminal.climb import Climb
from gemhunter.terminal.sitting import FillInSetting, Setting
from gemhunter.terminal.words import climb_words

Found = TypeVar("Found")


class HintedApp(BoardApp[AnyPicture], Generic[AnyPicture]):
    """A board whose player can ask for hints, one rung after another."""

    def __init__(self, picture: AnyPicture, setting: Setting | FillInSetting) -> None:
        super().__init__(picture, setting)
        self.climb: Climb | None = None
        """The hint to the present position, as far as it has been given."""

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """The cells of a conclusion that the cursor goes to; there is at least one."""
        raise NotImplementedError

    def ask_for_hint(self, work: Callable[[Run], Found], then: Callable[[Found], None]) -> None:
        """Show the next rung; if there is no hint yet, look for one in a thread."""
        if self.climb is not None:
            self.climb_on(self.climb)
        elif not self.tasks.is_busy("hint"):
            self.say("thinking ...")
            self.think("hint", work, then)

    def climb_on(self, climb: Climb) -> None:
        """Show the next rung; after the conclusion, take the cursor to the next of its cells."""
        if not climb.is_concluded:
            self.show_rung(climb.higher())
            return
        self.say(climb_words(climb))
        cells = self.cells_to_point_at(climb.step)
        later = [cell for cell in cells if cell > self.cursor]
        self.point((later or cells)[0])

    def begin_climb(self, ladder: HintLadder) -> None:
        """Show the first rung of a ladder."""
        self.show_rung(Climb(ladder))

    def show_rung(self, climb: Climb) -> None:
        """Say what a rung says and show it on the board; at the conclusion, point at a cell."""
        self.climb = climb
        self.say(climb_words(climb))
        cursor = self.cursor
        if climb.is_concluded:
            cursor = nearest([*self.cells_to_point_at(climb.step)], cursor)
        self.show(self.picture.at(cursor).pointing(climb.clues, climb.decided))
