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
    checked_words,
    conflicts_of,
    fill_in_hint,
    new_fill_in,
)
from gemhunter.terminal.board_app import HintedApp
from gemhunter.terminal.board_widget import BoardWidget, FillInPicture
from gemhunter.terminal.keys import FILL_IN_BINDINGS, fill_in_help
from gemhunter.terminal.messages import (
    FILL_IN_NEXT_KEYS,
    FILL_IN_WELCOME,
    ShownHintLadder,
    clock,
    fill_in_refusal_words,
)
from gemhunter.terminal.session import Aid, FillInSetting
from gemhunter.wording import counted, listed

MARK_BY_BUTTON = {1: GEM, 2: HIDDEN, 3: TRAP}
"""What a mouse button marks, as in a game: left means safe, right means a trap; the middle one clears."""


class FillInApp(HintedApp[FillInPicture]):
    """Lets a person mark traps and gems, with undo, checks and hints."""

    BINDINGS: ClassVar = [*FILL_IN_BINDINGS]

    def __init__(self, board: FillIn, setting: FillInSetting) -> None:
        first = next(board.filled.where(HIDDEN), Cell(0, 0))
        super().__init__(FillInPicture(board, cursor=first), setting)
        self.setting = setting
        self.boards = [board]
        self.aids: frozenset[Aid] = frozenset()

    @property
    def current(self) -> FillIn:
        """The board with its present marks."""
        return self.boards[-1]

    @property
    def ending(self) -> str:
        """How much is filled in, the time it took, and the help that was used."""
        helped = f", with {listed(aid.value for aid in sorted(self.aids))}" if self.aids else ""
        left, marks = self.current.left, len(self.current.marked)
        done = f"{left:,} of {counted(left + marks, 'cell')} left"
        if self.current.is_right:
            done = "right: every clue holds"
        return f"{done}, after {clock(self.seconds)}{helped}"

    def status_texts(self) -> tuple[str, str, str]:
        """The number of cells left and the cursor; the name of the board; the time."""
        board = self.current
        total = "" if board.total is None else f"   traps {board.traps} of {board.total}"
        left = f"cells left {board.left}{total}   {self.cursor}"
        return left, self.setting.name, clock(self.seconds)

    def help_text(self) -> str:
        """Keys and mouse for a board to fill in."""
        return fill_in_help()

    def save(self) -> Path:
        """Write the board with its marks."""
        return self.setting.save(self.current)

    def on_mount(self) -> None:
        """Show the most important keys and the board."""
        self.say(FILL_IN_WELCOME)
        self._enter()

    def action_mark(self, sign: str) -> None:
        """Mark the cell under the cursor; repeating a mark removes it."""
        self._mark(self.cursor, {"trap": TRAP, "gem": GEM, "nothing": HIDDEN}[sign])

    def on_board_widget_clicked(self, clicked: BoardWidget.Clicked) -> None:
        """Move the cursor to a clicked cell, and mark it."""
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
        """Find out whether the marks can be right."""
        board = self.current
        self.aids |= {Aid.CHECKS}
        self.say("thinking ...")
        self.think("check", lambda run: check_marks(run, board), self._checked)

    def action_hint(self) -> None:
        """Show the next rung of a hint."""
        board, near = self.current, self.cursor
        if not board.left:
            self.say(f"all cells are filled in; {FILL_IN_NEXT_KEYS}")
            return
        self.aids |= {Aid.HINTS}
        self.ask_for_hint(lambda run: fill_in_hint(run, board, near), self._hinted)

    def _mark(self, cell: Cell, mark: int) -> None:
        board = self.current
        if board.grid[cell] != HIDDEN:
            self.say(f"{cell} is part of the puzzle")
            return
        after = board.put(cell, HIDDEN if board.marks[cell] == mark else mark)
        if after is board:
            return
        self.boards.append(after)
        self.lasting = ()
        self.say()
        self._enter()

    def _enter(self) -> None:
        """Show the board after a change; once it is full, say whether it is right."""
        self.tasks.drop()
        self.hint_ladder = None
        board = self.current
        runs = bool(board.marked) and not board.is_right
        self.stopwatch = self.stopwatch.set(self.clock(), runs=runs)
        self.show(FillInPicture(board, cursor=self.cursor))
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
            self.show_rung(ShownHintLadder(hint))
        else:
            self.say(fill_in_refusal_words(hint))

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """All cells of a conclusion."""
        return step.decides
