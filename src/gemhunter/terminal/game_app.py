"""The game in the terminal: moves, undo, risks, hints, and an agent beside the player."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.play.compared_guesses import Comparison, compare_guess
from gemhunter.play.game import Game, before_first_move, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.hints import BestGuess, GameHint, game_hint
from gemhunter.play.review import Guess, Judgement, judge
from gemhunter.play.risks import Risks, clues_around, know
from gemhunter.play.view import View
from gemhunter.play.words import compared_words, judgement_words
from gemhunter.queries.hint import HintLadder
from gemhunter.terminal.agent_app import AgentApp
from gemhunter.terminal.board_widget import BoardWidget
from gemhunter.terminal.climb import Climb
from gemhunter.terminal.keys import BINDINGS, help_text
from gemhunter.terminal.pictures import ASCII, UNICODE, Picture, risk_legend
from gemhunter.terminal.sitting import Aid, Setting, Sitting, Stopwatch, sit_down
from gemhunter.terminal.words import (
    FIRST_IS_SAFE,
    NEXT_KEYS,
    WELCOME,
    clock,
    ending_words,
    flagged_words,
    guess_hint_words,
    refusal_words,
)

QUICK_CELLS = 10_000
"""On boards with no more cells, a move takes less time than a person notices."""

THINK_SECONDS = 5.0
"""How long guesses are compared by games that are played on."""

BUTTONS = {2: Action.CHORD, 3: Action.FLAG}
"""What the middle and the right mouse button do; the left one reveals, or chords on a clue."""


class GameApp(AgentApp):
    """Lets a person play a game, with hints, risks, undo and an agent at hand."""

    BINDINGS: ClassVar = [*BINDINGS]

    def __init__(self, game: Game, setting: Setting) -> None:
        super().__init__(Picture(game, Cell(game.level.rows // 2, game.level.cols // 2)), setting)
        self.shows_risks = False
        self._has_guess = False
        """Whether a guess that can be compared with others has been given as a hint to this position."""

    def status_texts(self) -> tuple[str, str, str]:
        """Traps that are left and the cursor, the id of the game, how it stands and the time."""
        name = "a game without an id" if self.game.game_id is None else str(self.game.game_id)
        left = f"traps left {self.game.view.counter}   {self.cursor}"
        return left, name, f"{self.game.status.value}   {clock(self.seconds)}"

    def help_text(self) -> str:
        """Keys, mouse and signs of a game."""
        return help_text(ASCII if self.ascii_only else UNICODE)

    def save(self) -> Path:
        """Write a replay."""
        return self.setting.save(self.game.replay)

    def on_mount(self) -> None:
        """Say what can be done."""
        self.say(WELCOME)
        self._enter()

    def action_reveal(self) -> None:
        """Reveal the cell, or chord on a clue."""
        self._click(self.cursor)

    def action_flag(self) -> None:
        """Put a flag or take it away."""
        self.play(Move(Action.FLAG, self.cursor))

    def action_chord(self) -> None:
        """Reveal the cells without flags around a clue."""
        self.play(Move(Action.CHORD, self.cursor))

    def on_board_widget_clicked(self, clicked: BoardWidget.Clicked) -> None:
        """Move the cursor to a clicked cell, and do what the mouse button means."""
        if clicked.button == 1:
            self.point(clicked.cell)
            self._click(clicked.cell)
        elif clicked.button in BUTTONS:
            self.point(clicked.cell)
            self.play(Move(BUTTONS[clicked.button], clicked.cell))

    def _click(self, cell: Cell) -> None:
        self.play(Move(Action.REVEAL if self.game.shown[cell] == HIDDEN else Action.CHORD, cell))

    def play(self, move: Move) -> None:
        """Make a move; the screen does not wait for one that takes a while: on a large board, or if a board
        that needs no guess is made for it."""
        if self.tasks.is_busy("move"):
            return
        self.take_over()
        game = self.game
        is_made_now = game.board is None and game.view.first_click.needs_no_guess
        if move.action is Action.FLAG or (game.shown.size <= QUICK_CELLS and not is_made_now):
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

    def action_undo(self) -> None:
        """Take back the last move."""
        if self.sitting.before is None:
            self.say("nothing to take back")
            return
        self.leave_position()
        self.say("taken back")
        self.sit(self.sitting.undone())

    def action_deal(self) -> None:
        """Begin a new game of the same level."""
        last = self.game.game_id
        rule = last.first_click if last else FirstClick.SAFE
        self._begin(new_game(GameId(self.game.level, self.setting.seeds(), rule)))

    def action_again(self) -> None:
        """Begin this game again."""
        self._begin(before_first_move(self.game))

    def _begin(self, game: Game) -> None:
        self.leave_position()
        self.stopwatch = Stopwatch()
        self.say(WELCOME)
        self.sit(sit_down(game))

    def sit(self, sitting: Sitting, comment: str = "") -> None:
        """Go on from another position; `comment` is what is said about it."""
        self.sitting = sitting
        self.climb = None
        self._has_guess = False
        self.lasting = ()
        self.tasks.drop()
        self.stopwatch = self.stopwatch.at(self.clock(), self.game)
        self._enter(comment)

    def _enter(self, comment: str = "") -> None:
        """Show the position and what goes with it."""
        picture = Picture(self.game, self.nearest_cell(self.cursor))
        if comment:
            self.say(comment)
        if self.game.status is not Status.PLAYING:
            self.show(picture)
            self._end(comment or NEXT_KEYS)
        elif self.shows_risks:
            self._weigh(picture)
        else:
            self.show(picture)

    def _end(self, after: str) -> None:
        """Say how it ended and, after a loss, whether the last move was wise."""
        ending, before = ending_words(self.sitting, self.seconds), self.sitting.before
        self.lasting = (ending,)
        if self.game.status is not Status.LOST or before is None:
            self.say(after)
            return
        view, move = before.view, self.game.moves[-1]
        self.say("was it a fair guess? thinking ...")

        def judged(judgement: Judgement) -> None:
            self.lasting = (ending, judgement_words(judgement))
            self.say(after)
            if isinstance(judgement, Guess):
                self._compare(view, judgement.cell)

        self.think("judgement", lambda run: judge(view, move, run), judged)

    def _compare(self, view: View, guess: Cell) -> None:
        """Say how a guess compares with what `expert` would have opened."""

        def compared(found: Comparison | None) -> None:
            if found is not None:
                said = self.message.removeprefix("\n".join(self.lasting)).strip("\n")
                self.lasting = (*self.lasting, compared_words(found))
                self.say(said)

        self.think(
            "comparison", lambda run: compare_guess(view, guess, run.of_seconds(THINK_SECONDS)), compared
        )

    def action_risks(self) -> None:
        """Show or hide the risk of each cell."""
        self.shows_risks = not self.shows_risks
        self._enter()
        if self.shows_risks and self.game.status is Status.PLAYING:
            self.say(risk_legend(self.board.cell_width))

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

    def action_hint(self) -> None:
        """Say more about the next deduction, or which guess is best."""
        view, near = self.game.view, self.cursor
        if view.status is not Status.PLAYING:
            self.say(f"it is over: {NEXT_KEYS}")
            return
        self.sitting = self.sitting.helped(Aid.HINTS)
        if self.game.first_is_safe:
            self.say(FIRST_IS_SAFE)
            return
        think = THINK_SECONDS if self._has_guess else None
        self.ask_for_hint(lambda run: game_hint(view, near, run, think=think), self._hinted)

    def _hinted(self, found: GameHint) -> None:
        if isinstance(found, HintLadder):
            self.begin_climb(found)
            return
        self._has_guess = isinstance(found, BestGuess) and found.is_comparable
        self.say(guess_hint_words(found))
        if isinstance(found, BestGuess):
            clues = clues_around(self.game.view.grid, found.cell)
            self.show(self.picture.at(found.cell).pointing(frozenset(clues), {}))

    def cells_to_point_at(self, step: ExplanationStep) -> Sequence[Cell]:
        """The gems of a conclusion, to be revealed; without gems, the traps that have no flag."""
        return step.gems or self._unflagged(step)

    def climb_on(self, climb: Climb) -> None:
        """Show the next rung; after the conclusion, flag its traps, or go to the next gem."""
        unflagged = self._unflagged(climb.step)
        if not climb.is_concluded or not unflagged:
            super().climb_on(climb)
            return
        self.take_over()
        _, *games = accumulate(unflagged, Game.flag, initial=self.game)
        self.sit(self.sitting.after(*games), flagged_words(unflagged))

    def _unflagged(self, step: ExplanationStep) -> list[Cell]:
        """The traps of a conclusion that have no flag yet."""
        return [cell for cell in step.traps if not self.game.flags[cell]]
