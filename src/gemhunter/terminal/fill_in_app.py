"""A board in the terminal that a person fills in with traps and gems."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.explanation.hint import HintLadder
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.play.fill_in import (
    CheckedMarks,
    ConflictsWithMarks,
    FillIn,
    FillInHint,
    WrongMarks,
    check_marks,
    conflicts_of,
    fill_in_hint,
    new_fill_in,
)
from gemhunter.play.words import checked_words
from gemhunter.printable import counted, listed
from gemhunter.terminal.app import FILL_IN_NEXT_KEYS, FILL_IN_WELCOME, HintedApp, clock, fill_in_refusal_words
from gemhunter.terminal.board_widget import BoardWidget, FillInPicture
from gemhunter.terminal.keys import FILL_IN_BINDINGS, fill_in_help
from gemhunter.terminal.sitting import Aid, FillInSetting

MARK_BY_BUTTON = {1: GEM, 2: HIDDEN, 3: TRAP}
"""What a mouse button marks, as in a game: left means safe, right means a trap; the middle one clears."""


class FillInApp(HintedApp[FillInPicture]):
    """Lets a person mark traps and gems, with undo, checks and hints at hand."""

    BINDINGS: ClassVar = [*FILL_IN_BINDINGS]

    def __init__(self, board: FillIn, setting: FillInSetting) -> None:
        first = next(board.filled.where(HIDDEN), Cell(0, 0))
        super().__init__(FillInPicture(board, first), setting)
        self.setting = setting
        self.boards = [board]
        self.aids: frozenset[Aid] = frozenset()

    @property
    def current(self) -> FillIn:
        """The board as it stands."""
        return self.boards[-1]

    @property
    def ending(self) -> str:
        """How far it has come, how long it took, and with what help."""
        helped = f", with {listed(aid.value for aid in sorted(self.aids))}" if self.aids else ""
        left, marks = self.current.left, len(self.current.marked)
        done = (
            "right: every clue holds"
            if self.current.is_right
            else f"{left} of {counted(left + marks, 'cell')} left"
        )
        return f"{done}, after {clock(self.seconds)}{helped}"

    def status_texts(self) -> tuple[str, str, str]:
        """Cells that are left and the cursor, the name of the board, and the time."""
        board = self.current
        total = "" if board.total is None else f"   traps {board.traps} of {board.total}"
        left = f"cells left {board.left}{total}   {self.cursor}"
        return left, self.setting.name, clock(self.seconds)

    def help_text(self) -> str:
        """Keys and mouse for a board to fill in."""
        return fill_in_help()

    def save(self) -> Path:
        """Write the board as filled in so far."""
        return self.setting.save(self.current)

    def on_mount(self) -> None:
        """Say what can be done."""
        self.say(FILL_IN_WELCOME)
        self._enter()

    def action_mark(self, sign: str) -> None:
        """Mark the cell under the cursor; the mark that is there already is taken away."""
        self._mark(self.cursor, {"trap": TRAP, "gem": GEM, "nothing": HIDDEN}[sign])

    def on_board_widget_clicked(self, clicked: BoardWidget.Clicked) -> None:
        """A click moves the cursor as well."""
        self.point(clicked.cell)
        if clicked.button in MARK_BY_BUTTON:
            self._mark(clicked.cell, MARK_BY_BUTTON[clicked.button])

    def action_undo(self) -> None:
        """Take back the last mark."""
        if len(self.boards) == 1:
            self.say("nothing to take back")
            return
        self.boards.pop()
        self.lasting = ()
        self.say("taken back")
        self._enter()

    def action_again(self) -> None:
        """Take all marks away; undo brings them back."""
        self.boards.append(new_fill_in(self.current.grid, self.current.total))
        self.lasting = ()
        self.say(FILL_IN_WELCOME)
        self._enter()

    def action_check(self) -> None:
        """Say whether the marks so far can be right."""
        board = self.current
        self.aids |= {Aid.CHECKS}
        self.say("thinking ...")
        self.think("check", lambda run: check_marks(run, board), self._checked)

    def action_hint(self) -> None:
        """Say more about the next deduction."""
        board, near = self.current, self.cursor
        if not board.left:
            self.say(f"all cells are filled in; {FILL_IN_NEXT_KEYS}")
            return
        self.aids |= {Aid.HINTS}
        self.ask_for_hint(lambda run: fill_in_hint(run, board, near), self._hinted)

    def _mark(self, cell: Cell, mark: int) -> None:
        board = self.current
        if board.grid[cell] != HIDDEN:
            self.say(f"{cell} is given")
            return
        after = board.put(cell, HIDDEN if board.marks[cell] == mark else mark)
        if after is board:
            return
        self.boards.append(after)
        self.lasting = ()
        self.say()
        self._enter()

    def _enter(self) -> None:
        """Show the board after a change, and say so when it is full."""
        self.tasks.drop()
        self.climb = None
        board = self.current
        runs = bool(board.marked) and not board.is_right
        self.stopwatch = self.stopwatch.set(self.clock(), runs=runs)
        self.show(FillInPicture(board, self.cursor))
        if board.is_right:
            self.lasting = (self.ending,)
            self.say(FILL_IN_NEXT_KEYS)
        elif not board.left:
            self._checked(conflicts_of(board))

    def _checked(self, found: CheckedMarks) -> None:
        self.say(checked_words(found))
        if isinstance(found, ConflictsWithMarks | WrongMarks):
            cells = found.clues if isinstance(found, ConflictsWithMarks) else found.cells
            self.show(replace(self.picture, marked=frozenset(cells)))

    def _hinted(self, hint: FillInHint) -> None:
        if isinstance(hint, HintLadder):
            self.begin_climb(hint)
        else:
            self.say(fill_in_refusal_words(hint))

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """All cells of a conclusion: each is to be marked."""
        return step.decides
