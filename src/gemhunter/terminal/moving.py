"""Moves at the table: from one position to the next, and what is said when a game is over."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.review import Judgement, judge
from gemhunter.play.risks import Risks, know
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.cell_styles import Picture, risk_legend
from gemhunter.terminal.keys import BINDINGS
from gemhunter.terminal.setting import Setting
from gemhunter.terminal.sitting import Aid, Sitting, Stopwatch, sit_down
from gemhunter.terminal.table import Screen
from gemhunter.terminal.words import NEXT, clock, ending_words, judgement_words, refusal_words

WELCOME = "space reveals, f flags, ? gives a hint, F1 lists all keys"


QUICK_CELLS = 10_000
"""On boards with no more cells, a move takes less time than anybody notices."""


LEFT, MIDDLE, RIGHT = 1, 2, 3
"""Mouse buttons."""


class MovingTable(Screen):
    """A table at which moves are made, taken back and judged, with the risks in sight if wanted."""

    BINDINGS: ClassVar = [*BINDINGS]

    def __init__(self, game: Game, setting: Setting) -> None:
        self.picture = first_picture(game)
        super().__init__(self.picture, plain=setting.plain, ascii_only=setting.ascii_only)
        self.setting = setting
        self.sitting = sit_down(game)
        self.stopwatch = Stopwatch()
        self.shows_risks = False

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.sitting.game

    @property
    def seconds(self) -> float:
        """How long this game has been played."""
        return self.stopwatch.read(self.setting.clock())

    def status_texts(self) -> tuple[str, str, str]:
        """Traps that are left and the cursor, the id of the game, how it stands and the time."""
        name = "a game without an id" if self.game.game_id is None else str(self.game.game_id)
        left = f"traps left {self.game.view.counter}   {self.cursor}"
        return left, name, f"{self.game.status.value}   {clock(self.seconds)}"

    def show(self, picture: Picture) -> None:
        """Show the board like this, and all else that goes with it."""
        self.picture = picture
        status = picture.game.status
        self.board.show(picture, status.value if status in (Status.WON, Status.LOST) else "")
        self.show_status()

    def on_mount(self) -> None:
        """Say what can be done."""
        self.say(WELCOME)
        self._enter()

    def action_go(self, down: int, right: int) -> None:
        """Move the cursor."""
        self.point(Cell(self.cursor.row + down, self.cursor.col + right))

    def action_reveal(self) -> None:
        """Reveal the cell, or chord on a clue."""
        shown = self.game.shown[self.cursor] != HIDDEN
        self.play(Move(Action.CHORD if shown else Action.REVEAL, self.cursor))

    def action_flag(self) -> None:
        """Put a flag or take it away."""
        self.play(Move(Action.FLAG, self.cursor))

    def action_chord(self) -> None:
        """Reveal what the flags around a clue leave."""
        self.play(Move(Action.CHORD, self.cursor))

    def on_board_widget_clicked(self, clicked: BoardWidget.Clicked) -> None:
        """Left reveals, on a clue it chords; right flags; middle chords. The cursor moves along."""
        shown = self.game.shown[clicked.cell] != HIDDEN
        left = Action.CHORD if shown else Action.REVEAL
        action = {LEFT: left, MIDDLE: Action.CHORD, RIGHT: Action.FLAG}.get(clicked.button)
        if action is not None:
            self.point(clicked.cell)
            self.play(Move(action, clicked.cell))

    def action_undo(self) -> None:
        """Take back the last move."""
        if self.sitting.before is None:
            self.say("nothing to take back")
            return
        self.take_over(elsewhere=True)
        self.lasting = ()
        self.say("taken back")
        self.sit(self.sitting.undone())

    def action_deal(self) -> None:
        """A new game of the same level."""
        last = self.game.game_id
        rule = last.first_click if last else FirstClick.SAFE
        self._begin(new_game(GameId(self.game.level, self.setting.seeds(), rule)))

    def action_again(self) -> None:
        """The same game from its beginning."""
        self._begin(restarted(self.game))

    def action_risks(self) -> None:
        """Show or hide how likely each cell is a trap."""
        self.shows_risks = not self.shows_risks
        self._enter()
        if self.shows_risks and self.game.status is Status.PLAYING:
            self.say(risk_legend(self.board.cell_width))

    def point(self, cell: Cell) -> None:
        """Move the cursor to a cell, or as near to it as there is one."""
        self.show(replace(self.picture, cursor=_on_board(self.game, cell)))

    def play(self, move: Move) -> None:
        """Make a move; on a large board that takes a while, and the screen does not wait for it."""
        if self.thinker.is_busy("move"):
            return
        self.take_over()
        game = self.game

        if game.shown.size <= QUICK_CELLS or move.action is Action.FLAG:
            self._played(move, game.play(move))
        else:
            self.think("move", lambda _: game.play(move), lambda after: self._played(move, after))

    def _played(self, move: Move, after: Game) -> None:
        if after is self.game:
            self.say(refusal_words(after, move))
            return
        self.lasting = ()
        self.say()
        self.sit(self.sitting.after(after))

    def _begin(self, game: Game) -> None:
        """Another game."""
        self.take_over(elsewhere=True)
        self.stopwatch = Stopwatch()
        self.lasting = ()
        self.say(WELCOME)
        self.sit(sit_down(game))

    def sit(self, sitting: Sitting, told: str = "") -> None:
        """Go on from another position; `told` is what an agent said about it."""
        self.sitting = sitting
        self.lasting = ()
        self.thinker.drop()
        self.stopwatch = self.stopwatch.at(self.setting.clock(), self.game)
        self._enter(told)

    def _enter(self, told: str = "") -> None:
        """Show the position and what goes with it."""
        picture = Picture(self.game, _on_board(self.game, self.cursor))
        if told:
            self.say(told)
        if self.game.status is not Status.PLAYING:
            self.show(picture)
            self._end(told)
        elif self.shows_risks:
            self._weigh(picture)
        else:
            self.show(picture)

    def _weigh(self, picture: Picture) -> None:
        """Show the position with its risks, as soon as they are known."""
        view = self.game.view
        if self.game.first_is_safe:
            self.show(replace(picture, known=Risks(np.zeros(view.grid.cells.shape))))
            return
        self.sitting = self.sitting.helped(Aid.RISKS)
        self.show(replace(picture, known=Risks(np.full(view.grid.cells.shape, np.nan))))
        self.think("risks", lambda run: know(view, run), self._weighed)

    def _weighed(self, known: Risks) -> None:
        self.show(replace(self.picture, known=known))
        if known.gap:
            self.say(f"not all risks are known: {known.gap}")

    def _end(self, told: str) -> None:
        """Say how it ended, and after a loss whether the last move was wise, for as long as it is over."""
        ending, after = ending_words(self.sitting, self.seconds), told or NEXT
        before = self.sitting.before
        self.lasting = (ending,)
        if self.game.status is not Status.LOST or before is None:
            self.say(after)
            return
        view, move = before.view, self.game.moves[-1]
        self.say("was it a fair guess? thinking ...")

        def judged(judgement: Judgement) -> None:
            self.lasting = (ending, judgement_words(judgement))
            self.say(after)

        self.think("judgement", lambda run: judge(view, move, run), judged)


def restarted(game: Game) -> Game:
    """The same game before its first move."""
    start = game.game_id or game.board
    if start is None:
        raise AssertionError("a game has an id or a board")
    return new_game(start)


def first_picture(game: Game) -> Picture:
    """A game with the cursor in the middle and nothing else."""
    return Picture(game, Cell(game.level.rows // 2, game.level.cols // 2))


def _on_board(game: Game, cell: Cell) -> Cell:
    """The cell of this board that is nearest."""
    level = game.level
    return Cell(min(max(cell.row, 0), level.rows - 1), min(max(cell.col, 0), level.cols - 1))
